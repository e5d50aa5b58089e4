#!/bin/bash
# Shell completion and manual pages, which are made from the commands themselves: all commands and options are in them, and the
# shells and man understand them.
source "$(dirname "$0")/expect.sh" "$1"
needs python3
PATH=$(dirname "$gable"):$PATH

# Every command with its options, as its --help has them.
python3 - "$gable" >"$work/options" <<'PYTHON' || fail "the help cannot be read"
import re, subprocess, sys
def walk(path):
    text = subprocess.run([sys.argv[1], *path, "--help"], capture_output=True, text=True, check=True).stdout
    options = sorted(set(re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)", text, re.M)))
    print(" ".join(path) or "-", *options)
    commands = re.search(r"^Commands:\n((?:  .*\n)+)", text, re.M)
    for name in re.findall(r"^  ([a-z]+) ", commands.group(1), re.M) if commands else []:
        walk([*path, name])
walk([])
PYTHON
[ "$(wc -l <"$work/options")" -ge 23 ] || fail "few commands: $(cat "$work/options")"

# The answers of bash: answer WORD... is what a tab after the last word offers, on one line.
cat >"$work/ask.bash" <<'TEXT'
source <(gable completion bash)
ask() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _gable
  echo "${COMPREPLY[*]}"
}
TEXT
answer() { (cd "$work" && bash -c 'source ask.bash; ask "$@"' - gable "$@"); }
offers() { # PATTERN WORD...
  local got
  got=" $(answer "${@:2}") "
  [[ $got == $1 ]] || fail "completing ${*:2} offers:$got, not $1"
}
mkdir -p "$work/here" "$work/machines/mine" "$work/other" && touch "$work/here/machine.json" "$work/machines/mine/machine.json"
offers ' measure ' mea
offers '* add import *' point ''
offers ' --preset ' measure --pre
offers ' quick standard full ' measure m --preset ''
offers ' quick ' measure m --preset = q
offers ' --preset=full ' measure m --preset=f
offers ' top-down,bottom-up ' place m --directions top-down,b
offers ' kmaf kmaf-sharing kmaf-threads kmaf-data ' kmaf replay t.csv --policy k
offers ' joe0 ' show jo
offers '* here machines ' show ''
offers ' here ' measure h
offers ' machines/mine ' show machines/
offers ' no yes both ' place m --smt = ''
offers '* triad *' bench tri
offers ' -- ' kmaf run ''
offers '* true *' kmaf run -- tru
offers ' bash zsh ' completion ''
# split LINE: the words of the command and the names of its options.
split() {
  local word
  words=() names=()
  for word in $1; do
    case $word in --*) names+=("$word") ;; -) ;; *) words+=("$word") ;; esac
  done
}
while read -r line; do
  split "$line"
  printf '%s\n' "${names[@]}" | sort >"$work/want"
  answer "${words[@]}" -- | tr ' ' '\n' | sort >"$work/got"
  cmp -s "$work/want" "$work/got" || fail "options of ${words[*]}: $(diff "$work/want" "$work/got")"
done <"$work/options"
expect 2 "SHELL: 'fish' is none of bash, zsh" completion fish

if command -v zsh >/dev/null; then
  "$gable" completion zsh >"$work/_gable"
  zsh -n "$work/_gable" || fail "zsh does not parse its completion"
  (cd "$work" && zsh -fc 'autoload -Uz compinit && compinit -D -u && source <(gable completion zsh) && [[ $_comps[gable] = _gable ]] && whence _gable_place _gable_point_add >/dev/null') ||
    fail "zsh does not load its completion"
else
  echo "not tried: zsh (not installed)"
fi

# A page for each command; each names all options.
while read -r line; do
  split "$line"
  expect 0 '' man "${words[@]}"
  cp "$work/out" "$work/page"
  title=$(IFS=-; echo "gable${words[*]:+-${words[*]}}")
  grep -q "^\.TH ${title^^} 1 " <(sed 's/\\-/-/g' "$work/page") || fail "the page of $line is called $(head -1 "$work/page")"
  for section in NAME SYNOPSIS OPTIONS 'EXIT STATUS'; do
    grep -q "^\.SH $section\$" "$work/page" || fail "the page of $line has no $section"
  done
  if command -v groff >/dev/null; then
    groff -k -man -Tutf8 -P-cbou "$work/page" >"$work/text" 2>"$work/err" && [ ! -s "$work/err" ] || fail "groff on $line: $(cat "$work/err")"
  else
    sed 's/\\-/-/g' "$work/page" >"$work/text"
  fi
  for name in "${names[@]}"; do
    grep -qe "$name" "$work/text" || fail "the page of $line lacks $name"
  done
done <"$work/options"
expect 2 "no command 'plcae'; did you mean 'place'" man plcae
if command -v man >/dev/null; then
  "$gable" man place | MANWIDTH=100 LC_ALL=C.UTF-8 man -l - 2>"$work/err" | grep -q 'gable place' || echo "not tried: man -l ($(cat "$work/err"))"
fi

finish
