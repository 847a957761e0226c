#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# layout.sh PROGRAM GOLDEN HEADER: what PROGRAM prints is GOLDEN, and each struct, field and constant of HEADER is in
# it. A changed or removed line breaks every plugin that exists; a new line at the end of a struct is a new
# minor version, and belongs into the golden.
program=$1 golden=$2 header=$3
"$program" | diff -u "$golden" - || { echo "FAILED: the layout is not what was promised"; exit 1; }
failed=0
for name in $(sed -n 's/^typedef struct \(penstock_[a-z0-9_]*\) {$/\1/p' "$header"); do
    grep -q "^$name " "$golden" || { echo "FAILED: struct $name is not in $golden"; failed=1; }
done
# Fields: the name before ; [ or , of each member line, or within (*name).
sed -e 's|/\*.*\*/||; s|/\*.*||' "$header" | awk '
    /^typedef struct penstock_[a-z0-9_]* \{/ { name = $3; next }
    /^\}/ { name = "" }
    name != "" && match($0, /\(\*[a-z_0-9]+\)/) { print name "." substr($0, RSTART + 2, RLENGTH - 3); next }
    name != "" && /^    [a-z].*;/ && !/\(/ {
        line = $0
        sub(/;.*/, "", line); gsub(/\[[0-9]+\]/, "", line); gsub(/,/, " ", line); gsub(/\*/, " ", line)
        n = split(line, word, " ")
        first = word[1] == "const" ? 3 : 2
        for (i = first; i <= n; ++i) print name "." word[i]
    }' | while read -r field; do
    grep -q "^$field " "$golden" || echo "FAILED: $field is not in $golden"
done | grep . && failed=1
for name in $(sed -n 's/^#define \(PENSTOCK_[A-Z0-9_]*\) [^ ].*$/\1/p' "$header"); do
    case $name in PENSTOCK_EXPORT) continue ;; esac
    grep -q "^$name = " "$golden" || { echo "FAILED: $name is not in $golden"; failed=1; }
done
exit $failed
