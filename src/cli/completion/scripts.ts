import type { Shell } from './shells.js';

/**
 * The scripts ask `muster __complete` with the words up to the cursor. It answers with a line for each candidate: the word, a tab, and what it
 * is. The line `:files` asks for the names of files.
 */
export const scripts: Record<Shell, string> = {
  bash: `_muster() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == :files ]]; then
      compopt -o default 2>/dev/null
      return
    fi
    COMPREPLY+=("\${line%%$'\\t'*}")
  done < <(muster __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _muster muster
`,
  zsh: `#compdef muster
_muster() {
  local line
  local -a found
  for line in "\${(@f)$(muster __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == :files ]]; then
      compset -P '--*='
      _files
      return
    fi
    [[ -n $line ]] && found+=("\${\${line//:/\\\\:}/$'\\t'/:}")
  done
  _describe muster found
}
if [[ \${funcstack[1]} == _muster ]]; then _muster "$@"; else compdef _muster muster; fi
`,
  fish: `function __muster_complete
  set -l typed (commandline -opc)
  set -l current (commandline -ct)
  for line in (muster __complete $typed[2..-1] "$current" 2>/dev/null)
    if test "$line" = :files
      set -l option (string match -r -- '^--[^=]+=' "$current")
      string replace -r -- '^' "$option" (__fish_complete_path (string replace -r -- '^--[^=]+=' '' "$current"))
    else
      echo $line
    end
  end
end
complete -c muster -f -a '(__muster_complete)'
`,
};
