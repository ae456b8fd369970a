# pendula.bash -- completion of pendula's command lines for bash; `pendula complete` says what can stand in a place.
_pendula()
{
    local word line value joined='' words=() current
    COMPREPLY=()
    # bash parts words at = and :, which stand inside of the program's words.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ( -n $joined || $word == [=:]* ) ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        joined=''
        [[ $word == *[=:] ]] && joined=yes
    done
    current=${words[-1]}
    while IFS= read -r line; do
        value=${line%%$'\t'*}
        [[ $value == */ || $value == *= ]] && compopt -o nospace 2>/dev/null
        printf -v value %q "$value"
        # What stands before the last = or : is in the line already.
        [[ $current == *[=:]* && $COMP_WORDBREAKS == *=* ]] && value=${value#"${current%"${current##*[=:]}"}"}
        COMPREPLY+=("$value")
    done < <("$1" complete --quoted -- "${words[@]}" 2>/dev/null)
}
complete -F _pendula pendula
