#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# includes.sh TREE: no plugin includes a header of core, and the SDK's headers include nothing but themselves and the
# standard library. Include directories enforce the first already; this also finds what reaches there by "../".
cd "$1" || exit 1
failed=0
found() {
    if [ -n "$1" ]; then
        echo "FAILED: $2:"
        echo "$1" | sed 's/^/    /'
        failed=1
    fi
}
rooms=$(cd core && ls -d */ | tr -d / | paste -sd '|' -)
found "$(grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"](.*/)?($rooms)/" plugins --include='*.[ch]' --include='*.[ch]pp' |
    grep -vE '<(sys|linux|boost|libvirt|lxc)/')" "a plugin includes a header of core"
found "$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"\.\.' plugins --include='*.[ch]' --include='*.[ch]pp')" \
    "a plugin includes from outside of its folder"
found "$(grep -rnE '^[[:space:]]*#[[:space:]]*include' sdk/include | grep -vE '<(penstock/plugin\.h|[a-z_]+(\.h)?)>')" \
    "a header of the SDK needs more than the standard library"
exit $failed
