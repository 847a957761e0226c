// SPDX-License-Identifier: Apache-2.0
#include "libvirt_worker.hpp"

#include "libvirt_error.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace penstock::kvm {

using namespace std::chrono_literals;

namespace {

constexpr auto idle_time = 10s; // then the connection is closed: it would keep a socket-activated daemon from ending

constexpr auto cancel_interval = 100ms;

struct Task {
    LibvirtWorker::Job job;
    bool started = false;
    bool abandoned = false;
    std::optional<sdk::Status> result;
};

} // namespace

struct LibvirtWorker::State {
    std::mutex mutex;
    std::condition_variable work, done;
    std::deque<std::shared_ptr<Task>> tasks;
    bool running = false; // there is a thread
    bool stopping = false;
    std::string uri;

    void loop();
    std::shared_ptr<Task> take(std::unique_lock<std::mutex>& lock);
};

// The next task that somebody still waits for; nothing: none came for a while.
std::shared_ptr<Task> LibvirtWorker::State::take(std::unique_lock<std::mutex>& lock) {
    while (true) {
        if (tasks.empty() && !work.wait_for(lock, idle_time, [&] { return stopping || !tasks.empty(); }))
            return nullptr;
        if (tasks.empty()) return nullptr;
        auto task = std::move(tasks.front());
        tasks.pop_front();
        if (task->abandoned) continue;
        task->started = true;
        return task;
    }
}

void LibvirtWorker::State::loop() {
    std::string why;
    const auto* library = LibvirtLibrary::load(why);
    virConnectPtr connection = nullptr;
    std::unique_lock lock{mutex};
    while (auto task = take(lock)) {
        lock.unlock();
        sdk::Status status;
        if (library != nullptr && connection != nullptr && library->connect_is_alive(connection) != 1) {
            library->connect_close(connection); // the daemon was restarted
            connection = nullptr;
        }
        if (library == nullptr)
            status = {PENSTOCK_E_UNSUPPORTED, why};
        else if (connection == nullptr && (connection = library->connect_open(uri.c_str())) == nullptr)
            status = libvirt_error(*library, "connecting to libvirt (" + uri + ")");
        if (status.ok()) status = task->job(*library, connection);
        lock.lock();
        task->result = std::move(status);
        done.notify_all();
    }
    running = false;
    lock.unlock();
    if (connection != nullptr) library->connect_close(connection);
}

LibvirtWorker::LibvirtWorker(std::string uri) : state_{std::make_shared<State>()} { state_->uri = std::move(uri); }

LibvirtWorker::~LibvirtWorker() {
    const std::lock_guard lock{state_->mutex};
    state_->stopping = true;
    state_->work.notify_all();
}

sdk::Status LibvirtWorker::run(Job job, const Deadline& deadline) {
    auto task = std::make_shared<Task>();
    task->job = std::move(job);
    std::unique_lock lock{state_->mutex};
    state_->tasks.push_back(task);
    if (!state_->running) {
        // Detached, and the state shared: it may outlive this object, stuck in a call.
        std::thread{[state = state_] { state->loop(); }}.detach();
        state_->running = true;
    }
    state_->work.notify_one();
    while (!deadline.passed() && !deadline.cancelled()) {
        const auto until = std::min(deadline.at(), Deadline::Clock::now() + cancel_interval);
        if (state_->done.wait_until(lock, until, [&] { return task->result.has_value(); })) return *task->result;
    }
    task->abandoned = true;
    return {PENSTOCK_E_TIMEOUT,
            task->started ? "libvirt does not answer in time: is its daemon stuck? what was begun may still be done"
                          : "libvirt does not answer in time: is its daemon stuck? nothing was done"};
}

} // namespace penstock::kvm
