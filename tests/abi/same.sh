#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# same.sh COMPILER BASELINE NOW: is the contract of the headers in folder NOW the one of those in BASELINE? abidiff compares
# the debugging information. A struct that has grown at its tail is a change too (exit status 4), and wants a new baseline.
# And abidiff does notice one: a probe whose struct has been made longer must not pass.
set -eu
compiler=$1 baseline=$2 now=$3
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
probe() { "$compiler" -std=c99 -g -O0 -fPIC -shared -I "$1" "$here/probe.c" -o "$2"; }
probe "$baseline" "$work/baseline.so"
probe "$now" "$work/now.so"
abidiff "$work/baseline.so" "$work/now.so" || { echo "the contract has changed: exit status $?"; exit 1; }
mkdir -p "$work/grown/penstock"
sed 's/^\( *\)uint64_t capabilities;/&\n\1uint64_t more;/' "$now/penstock/plugin.h" > "$work/grown/penstock/plugin.h"
if cmp -s "$now/penstock/plugin.h" "$work/grown/penstock/plugin.h"; then echo "the probe of a grown struct is not grown"; exit 1; fi
probe "$work/grown" "$work/grown.so"
if abidiff "$work/baseline.so" "$work/grown.so" > /dev/null; then echo "abidiff does not notice a struct that has grown"; exit 1; fi
