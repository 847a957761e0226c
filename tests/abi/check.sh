#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check.sh PROGRAM PLUGIN CASE WORDS: passes where penstock-plugin-check finds that the plugin fails the case, and says WORDS.
said=$("$1" --only "$3" --seconds 3 --format tap "$2" 2>&1)
status=$?
echo "$said"
[ "$status" -eq 1 ] || { echo "exit status $status, not 1"; exit 1; }
echo "$said" | grep -q "^not ok 1 - $3\$" || { echo "case $3 did not fail"; exit 1; }
echo "$said" | grep -qF -e "$4" || { echo "it does not say: $4"; exit 1; }
