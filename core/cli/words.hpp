// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "model/actor.hpp"
#include "model/disk.hpp"
#include "model/instance.hpp"
#include "model/verdict.hpp"

#include <string_view>

namespace penstock {

// The words of the model's enumerations, in tables and in JSON alike.
constexpr std::string_view word(InstanceState state) {
    switch (state) {
    case InstanceState::running: return "running";
    case InstanceState::paused: return "paused";
    case InstanceState::stopped: return "stopped";
    case InstanceState::unknown: break;
    }
    return "unknown";
}

constexpr std::string_view word(CacheMode mode) {
    switch (mode) {
    case CacheMode::direct: return "direct";
    case CacheMode::buffered: return "buffered";
    case CacheMode::guest: return "guest";
    case CacheMode::unknown: break;
    }
    return "unknown";
}

constexpr std::string_view word(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::enforced: return "enforced";
    case VerdictKind::ineffective: return "ineffective";
    case VerdictKind::unsupported: return "unsupported";
    case VerdictKind::drifted: return "drifted";
    case VerdictKind::failed: break;
    }
    return "failed";
}

constexpr std::string_view word(ActorRole role) {
    switch (role) {
    case ActorRole::emulator: return "emulator";
    case ActorRole::iothread: return "iothread";
    case ActorRole::vcpu: return "vcpu";
    case ActorRole::vhost: return "vhost";
    case ActorRole::tapdisk: return "tapdisk";
    case ActorRole::blkback: return "blkback";
    case ActorRole::container_init: return "container-init";
    case ActorRole::container_task: return "container-task";
    case ActorRole::unknown: break;
    }
    return "unknown";
}

} // namespace penstock
