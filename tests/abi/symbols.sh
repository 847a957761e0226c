#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# symbols.sh NM PLUGIN...: each plugin exports exactly penstock_plugin_entry_v1. "not-built:NAME" is named and passes.
nm=$1
shift
failed=0
for plugin; do
    case $plugin in not-built:*) echo "not built, not checked: ${plugin#not-built:}"; continue ;; esac
    if ! symbols=$("$nm" -D --defined-only "$plugin"); then
        echo "FAILED: $plugin cannot be read"
        failed=1
        continue
    fi
    # The name is the last word; the kind is R (read only) or D (read only once it has been relocated).
    names=$(echo "$symbols" | awk 'NF { print $NF }')
    if [ "$names" = penstock_plugin_entry_v1 ]; then
        echo "ok: $plugin"
    else
        echo "FAILED: $plugin exports, instead of penstock_plugin_entry_v1 alone:"
        echo "$symbols" | sed 's/^/    /'
        failed=1
    fi
done
exit $failed
