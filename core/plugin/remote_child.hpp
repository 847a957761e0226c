// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.hpp"
#include "base/fd.hpp"
#include "plugin/wire.hpp"

#include <sys/types.h>

#include <memory>
#include <string>

namespace penstock {

// The process of one plugin, our end of its socket, and the pipe that its standard output and error go to. It is killed
// with this object.
class RemoteChild {
public:
    static Result<std::unique_ptr<RemoteChild>> spawn(const std::string& program);
    ~RemoteChild();
    RemoteChild(const RemoteChild&) = delete;
    RemoteChild& operator=(const RemoteChild&) = delete;

    FrameSocket& socket() { return socket_; }

    // Waits until something has come on the socket, for `milliseconds` at most; false: nothing has. What the plugin
    // prints meanwhile is taken from the pipe, so that it never has to wait for us.
    Result<bool> wait(int milliseconds);
    // What has been taken of that since the last call, cut where it is much.
    std::string printed();

    // Kills it and says how it ended: "signal 11 (Segmentation fault)".
    std::string end();

private:
    RemoteChild(pid_t pid, Fd socket, Fd output) : pid_{pid}, socket_{std::move(socket)}, output_{std::move(output)} {}
    void drain();

    pid_t pid_;
    FrameSocket socket_;
    Fd output_;
    std::string printed_;
};

} // namespace penstock
