// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <string>

namespace penstock::check {

// An empty folder that goes with the object. Nothing may be put into it.
class Scratch {
public:
    Scratch() {
        char name[] = "/tmp/penstock-plugin-check-XXXXXX";
        if (::mkdtemp(name) != nullptr) path_ = name;
    }
    ~Scratch() {
        if (!path_.empty()) ::rmdir(path_.c_str());
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace penstock::check
