#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every rule that a case names is explained in the guide, every rule of the guide has a case, and every option is in the manual.
# Usage: rules.sh PENSTOCK-PLUGIN-CHECK GUIDE MANUAL
set -eu
check=$1 guide=$2 manual=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$check" --list | sed 's/.*#\(.*\))$/\1/' | sort -u > "$work/cases"
sed -n 's/^- <a id="\([a-z-]*\)"><\/a>.*/\1/p' "$guide" | sort -u > "$work/guide"
diff -u "$work/cases" "$work/guide"
"$check" --help | grep -oE -- '--[a-z][a-z-]*' | sort -u > "$work/help"
sed 's/\\-/-/g' "$manual" | grep -oE -- '--[a-z][a-z-]*' | sort -u > "$work/manual"
diff -u "$work/help" "$work/manual"
