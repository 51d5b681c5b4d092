# Completion of handfast for fish. What can follow is asked of the program itself, so this file
# never grows old: handfast completion -- WORDS prints a candidate a line, and what it means after a tab.
function __handfast_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    set -l current (commandline -ct)
    for line in ($program completion -- $words $current 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path $current
        else
            echo $line
        end
    end
end
complete -c handfast -f -a '(__handfast_complete)'
