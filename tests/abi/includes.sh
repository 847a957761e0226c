#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# includes.sh TREE: no plugin includes a header of core, and the SDK's headers include nothing but themselves, the
# standard library and POSIX. Include directories enforce the first already; this also finds what reaches there by "../".
cd "$1" || exit 1
for folder in core plugins sdk/include; do
    [ -d "$folder" ] || { echo "FAILED: $1 has no folder $folder"; exit 1; }
done
failed=0
found() {
    if [ -n "$1" ]; then
        echo "FAILED: $2:"
        echo "$1" | sed 's/^/    /'
        failed=1
    fi
}
include='^[[:space:]]*#[[:space:]]*include[[:space:]]*'
rooms=$(cd core && ls -d */ | tr -d / | paste -sd '|' -)
# Room "sys" is also a folder of the system, whose headers end in .h; those of core end in .hpp.
found "$(grep -rnIE "$include(\"(.*/)?($rooms)/|<($rooms)/[^>]*\.hpp>)" plugins --exclude='*.md')" \
    "a plugin includes a header of core"
found "$(grep -rnIE "$include[<\"]\.\." plugins --exclude='*.md')" "a plugin includes from outside of its folder"
found "$(grep -rnIE "$include" sdk/include | grep -vE '<(penstock/[a-z_]+\.h(pp)?|[a-z_]+(\.h)?)>')" \
    "a header of the SDK needs more than the standard library and POSIX"
exit $failed
