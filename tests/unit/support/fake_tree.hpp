// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

// A directory tree that stands in for /proc, /sys or /sys/fs/cgroup; removed at the end of the test.
class FakeTree {
public:
    FakeTree() {
        std::string pattern = (std::filesystem::temp_directory_path() / "penstock-test-XXXXXX").string();
        root_ = ::mkdtemp(pattern.data());
    }
    ~FakeTree() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    FakeTree(const FakeTree&) = delete;
    FakeTree& operator=(const FakeTree&) = delete;

    std::string path(const std::string& below = "") const {
        return below.empty() ? root_.string() : (root_ / below).string();
    }
    void file(const std::string& below, const std::string& text) const {
        std::filesystem::create_directories((root_ / below).parent_path());
        std::ofstream{root_ / below} << text;
    }
    void directory(const std::string& below) const { std::filesystem::create_directories(root_ / below); }
    void link(const std::string& below, const std::string& target) const {
        std::filesystem::create_directories((root_ / below).parent_path());
        std::filesystem::create_symlink(target, root_ / below);
    }

private:
    std::filesystem::path root_;
};
