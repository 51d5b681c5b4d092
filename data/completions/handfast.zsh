#compdef handfast
# Completion of handfast for zsh. What can follow is asked of the program itself, so this file
# never grows old: handfast completion -- WORDS prints a candidate a line, and what it means after a tab.
_handfast()
{
    local line
    local -a candidates descriptions
    for line in "${(@f)$(${words[1]} completion -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
        if [[ $line == :files ]]; then
            _files
        elif [[ -n $line ]]; then
            candidates+=("${line%%$'\t'*}")
            descriptions+=("${line/$'\t'/  -- }")
        fi
    done
    (( $#candidates )) && compadd -l -d descriptions -a candidates
}
if [[ $funcstack[1] == _handfast ]]; then
    _handfast "$@"
else
    compdef _handfast handfast
fi
