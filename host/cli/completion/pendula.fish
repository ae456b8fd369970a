# pendula.fish -- completion of pendula's command lines for fish; `pendula complete` says what can stand in a place.
function __pendula_complete
    set -l words (commandline -opc)
    set -l typed "$(commandline -ct)"
    set -l current (string unescape -- "$typed"; or echo "$typed")
    command $words[1] complete -- $words[2..] "$current" 2>/dev/null
end
complete -c pendula -f -a '(__pendula_complete)'
