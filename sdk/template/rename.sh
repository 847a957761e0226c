#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# rename.sh NAME ID: makes this template yours: the plugin, its class, kind, files and folders become NAME, its id ID.
#   ./rename.sh firecracker com.example.firecracker
set -eu
if [ $# -ne 2 ]; then sed -n '3,4s/^# //p' "$0" >&2; exit 2; fi
case $1 in *[!a-z0-9]* | [0-9]* | '') echo "rename.sh: NAME is a lower-case word, not '$1'" >&2; exit 2 ;; esac
case $2 in *[!a-z0-9.-]* | *.) echo "rename.sh: ID is a reversed domain name, as com.example.$1, not '$2'" >&2; exit 2 ;; *.*) ;;
    *) echo "rename.sh: ID is a reversed domain name, as com.example.$1, not '$2'" >&2; exit 2 ;; esac
cd "$(dirname "$0")"
class=$(printf '%s' "$1" | cut -c 1 | tr a-z A-Z)$(printf '%s' "$1" | cut -c 2-)
for file in CMakeLists.txt Makefile README.md mine.penstock.toml .gitignore src/*.?pp tests/*.cpp .github/workflows/*.yml; do
    sed -i "s/org\.example\.mine/$2/g; s/\bMine\b/$class/g; s/\bmine\b/$1/g; s/\bmine_test\b/$1_test/g" "$file"
done
mv mine.penstock.toml "$1.penstock.toml"
mv src/mine.hpp "src/$1.hpp"
mv src/mine.cpp "src/$1.cpp"
mv tests/mine_test.cpp "tests/$1_test.cpp"
rm -- "$0"
echo "It is $1 ($2) now. Next: cmake -S . -B build && cmake --build build && ctest --test-dir build"
