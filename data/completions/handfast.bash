# Completion of handfast for bash. What can follow is asked of the program itself, so this file
# never grows old: handfast completion -- WORDS prints a candidate a line, and what it means after a tab.
_handfast()
{
    local current=${COMP_WORDS[COMP_CWORD]} words=() word line
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        # bash takes --flag=value apart at the sign
        [[ $word == = ]] || words+=("$word")
    done
    [[ $current == = ]] && words+=("") && current=
    COMPREPLY=()
    while IFS= read -r line; do
        if [[ $line == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
        else
            printf -v word %q "${line%%$'\t'*}"
            COMPREPLY+=("$word")
        fi
    done < <("${COMP_WORDS[0]}" completion -- "${words[@]}" 2>/dev/null)
}
complete -F _handfast handfast
