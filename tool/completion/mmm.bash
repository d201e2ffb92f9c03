# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Completion in bash for mmm-explore, mmm-replay and mmm-run. It asks the program: --help lists the
# options, and the message about a value that is not accepted lists those that are.

# _mmm_accepted NAME COMMAND ...: the accepted words, as the command says in refusing `NAME is "?"`.
_mmm_accepted() {
  local name=$1
  shift
  "$@" 2>&1 </dev/null | sed -nE "s/^[^:]*: $name is \"?\\?\"?; accepted: //p" | sed -E 's/(, or |, | or |: )/\n/g' |
    grep -xE '[A-Za-z0-9_.-]+'
}

_mmm() {
  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local asked=("$1") line=("$1" "${COMP_WORDS[@]:1:COMP_CWORD-1}") words= value= help
  ((COMP_CWORD < 2)) || [[ ${COMP_WORDS[1]} != @(pattern|layout|choose-layout|emit|random-shift|figure) ]] || asked+=("${COMP_WORDS[1]}")
  help=$("${asked[@]}" --help 2>/dev/null)
  [[ $before != -* ]] || value=$(sed -nE "s/^  (-.,)?$before(,--[a-z-]+)? ([^ ]+).*/\\3/p" <<<"$help")
  if [[ $value == FILE* ]]; then
    return # bash completes files
  elif [[ -n $value ]]; then
    words=$(_mmm_accepted "$before" "${line[@]}" '?' || _mmm_accepted "$before" "${line[@]}" '?' -)
  elif [[ $current == -* ]]; then
    words=$(sed -nE 's/^  (-.,)?(--[a-z-]+).*/\2/p' <<<"$help")
  elif ((COMP_CWORD == 1)) && [[ $1 == *mmm-explore ]]; then
    words=$(_mmm_accepted 'the algorithm' "$1" '?')
  elif ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == layout ]]; then
    words=$(_mmm_accepted LAYOUT "$1" layout '?')
  elif ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == emit ]]; then
    words=$(_mmm_accepted PROBLEM "$1" emit '?')
  elif ((COMP_CWORD == 2)) && [[ ${COMP_WORDS[1]} == figure ]]; then
    words=$(_mmm_accepted FIGURE "$1" figure '?')
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}

complete -o default -F _mmm mmm-explore mmm-replay mmm-run
