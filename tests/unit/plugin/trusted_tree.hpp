// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "plugin/trust.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

// A directory that plugins may be loaded from; removed at the end. /tmp is none. Where a root-run test has its tree in
// a user's checkout, that is none either: then root's own directories serve.
class TrustedTree {
public:
    TrustedTree() {
        std::vector<std::string> places{std::filesystem::current_path().string(), "/root", "/var/lib"};
        if (const char* home = std::getenv("HOME")) places.insert(places.begin() + 1, home);
        for (const auto& place : places) {
            if (!penstock::TrustedDirectory::open(place)) continue;
            std::string pattern = place + "/penstock-test-XXXXXX";
            if (::mkdtemp(pattern.data()) == nullptr) continue;
            root_ = pattern;
            std::filesystem::permissions(root_, std::filesystem::perms{0755});
            return;
        }
        throw std::runtime_error("no directory that can be trusted: run the tests in a directory of your own");
    }
    ~TrustedTree() {
        std::error_code ignored;
        std::filesystem::remove_all(root_, ignored);
    }
    TrustedTree(const TrustedTree&) = delete;
    TrustedTree& operator=(const TrustedTree&) = delete;

    std::string path(const std::string& below = "") const { return below.empty() ? root_ : root_ + "/" + below; }
    std::string file(const std::string& below, const std::string& text) const {
        directory(std::filesystem::path{below}.parent_path().string());
        std::ofstream{path(below)} << text;
        mode(below, 0644);
        return path(below);
    }
    std::string directory(const std::string& below) const {
        std::filesystem::create_directories(path(below));
        if (!below.empty()) mode(below, 0755);
        return path(below);
    }
    void mode(const std::string& below, unsigned bits) const {
        std::filesystem::permissions(path(below), static_cast<std::filesystem::perms>(bits));
    }
    // A manifest that is right, and a library that is only a file.
    void plugin(const std::string& stem, const std::string& id, const std::string& kind = "test") const {
        manifest(stem, id, kind);
        file(stem + ".so", "not a library");
    }
    void manifest(const std::string& stem, const std::string& id, const std::string& kind = "test",
                  const std::string& abi = "{ major = 1, min_minor = 0 }") const {
        file(stem + ".penstock.toml", "id = \"" + id + "\"\nname = \"Test\"\nversion = \"1.0\"\nkinds = [\"" + kind +
                                          "\"]\nabi = " + abi + "\nneeds = []\n");
    }

private:
    std::string root_;
};
