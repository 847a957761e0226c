# SPDX-License-Identifier: Apache-2.0
# bash completion for penstock-plugin-check(1).
_penstock_plugin_check() {
    local current=${COMP_WORDS[COMP_CWORD]} IFS=$'\n'
    case ${COMP_WORDS[COMP_CWORD - 1]} in
        --only) COMPREPLY=($(compgen -W "$(penstock-plugin-check --list 2>/dev/null | sed 's/ .*//; p; s,/.*,,' | sort -u)" -- "$current")); return ;;
        --format) COMPREPLY=($(compgen -W $'text\ntap\njson\njunit' -- "$current")); return ;;
    esac
    if [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$(penstock-plugin-check --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')" -- "$current"))
    else
        compopt -o filenames
        COMPREPLY=($(compgen -f -X '!*.so' -- "$current") $(compgen -d -- "$current"))
    fi
}
complete -F _penstock_plugin_check penstock-plugin-check
