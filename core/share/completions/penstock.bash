# SPDX-License-Identifier: Apache-2.0
# bash completion for penstock(8): verbs, options as --help lists them, and the addresses of what runs.
_penstock() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} verb='' word IFS=$'\n'
    local verbs=$'list\nshow\nexplain\nset\nclear\nrelease\nstatus\ngc\nplugins\ndoctor\nhelp'
    # Addresses hold colons, at which bash splits words: put the current one together again.
    _get_comp_words_by_ref -n : -c current -p previous 2>/dev/null
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ $'\n'$verbs$'\n' == *$'\n'$word$'\n'* ]]; then verb=$word; break; fi
    done
    case $previous in
        --plugin-dir|--run-dir) compopt -o dirnames; return ;;
        --isolation) COMPREPLY=($(compgen -W $'auto\nprocess\nin-process' -- "$current")); return ;;
        --via) COMPREPLY=($(compgen -W $'auto\ncgroup\nnative' -- "$current")); return ;;
    esac
    if [[ -z $verb ]]; then
        COMPREPLY=($(compgen -W "$verbs" -- "$current"))
    elif [[ $current == -* ]]; then
        COMPREPLY=($(compgen -W "$(penstock "$verb" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')" -- "$current"))
    else
        case $verb in
            show|explain|set|clear)
                COMPREPLY=($(compgen -W "$(penstock list --names 2>/dev/null)" -- "$current"))
                __ltrim_colon_completions "$current" 2>/dev/null ;;
            release|doctor) COMPREPLY=($(compgen -W "$(ls /sys/block 2>/dev/null)" -- "$current")) ;;
        esac
    fi
}
complete -F _penstock penstock
