#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every option that --help prints is in the manual, and every option of the manual is printed by some --help.
# Usage: options.sh PENSTOCK MANUAL
set -eu
penstock=$1 manual=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
verbs=$("$penstock" --help | sed -n 's/^  \([a-z][a-z]*\)  *[A-Z].*/\1/p')
for verb in $verbs; do "$penstock" "$verb" --help; done |
    grep -oE -- '--[a-z][a-z-]*' | sort -u > "$work/help"
sed 's/\\-/-/g' "$manual" | grep -oE -- '--[a-z][a-z-]*' | sort -u > "$work/manual"
for verb in $verbs; do
    grep -qE "^\.(B|BI) $verb( |\$)" "$manual" || { echo "verb $verb is not in the manual"; exit 1; }
done
diff -u "$work/help" "$work/manual"
