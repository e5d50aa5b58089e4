#!/usr/bin/env bash
# packaging/packages.sh with a pretended release: optional packages that it lacks, or that cannot be installed, are left out
# with one line each; a required one ends the set-up; without rights, both are named.
source "$(dirname "$0")/../cli/expect.sh" "$1"
scripts=$(cd "$here/../../packaging" && pwd)
mkdir "$work/bin"
pretend() { printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
export RELEASE=$work
pretend id 'cat "$RELEASE/user"'
pretend sudo 'exit 1'
pretend dpkg-query 'grep -qx -e "${@: -1}" "$RELEASE/installed" && echo "install ok installed"'
pretend apt-cache 'echo "${@: -1}:"; grep -qx -e "${@: -1}" "$RELEASE/offered" && echo "  Candidate: 1.0" || echo "  Candidate: (none)"
for ((line = 0; line < 5000; ++line)); do echo "  a long table of versions"; done'
pretend apt-get '[ "$1" = install ] || exit 0
for package in "${@:2}"; do
  [[ $package == -* ]] || grep -qx "$package" "$RELEASE/offered" || exit 100
  [ "$package" != broken ] || exit 100
done
for package in "${@:2}"; do [[ $package == -* ]] || echo "$package" >>"$RELEASE/installed"; done'

# in_release USER INSTALLED OFFERED COMMAND...: runs a command of packages.sh; the lists are words.
in_release() {
  echo "$1" >"$work/user"
  printf '%s\n' $2 >"$work/installed"
  printf '%s\n' $3 >"$work/offered"
  PATH=$work/bin:$PATH bash -c 'set -euo pipefail; source "$1/packages.sh"; "${@:2}"' in_release "$scripts" "${@:4}" \
    >"$work/out" 2>"$work/err"
}
installed() { [ "$(sort "$work/installed" | xargs)" = "$1" ] || fail "$2: installed are $(xargs <"$work/installed")"; }
left_out() {
  [ "$(grep -c 'left out' "$work/out")" = "$1" ] || fail "$2: $(cat "$work/out")"
}

in_release 0 '' 'a b c' want 'a b: no ab' 'lost: no tiers' || fail "a release without a package: $(cat "$work/err")"
installed 'a b' 'what the release has'
left_out 1 'one line'
grep -q 'lost (optional): no tiers$' "$work/out" || fail "does not say what is lost: $(cat "$work/out")"

in_release 0 '' 'a second' want 'a first|second: no format' || fail 'alternatives'
installed 'a second' 'the alternative that the release has'
left_out 0 'an alternative'
in_release 0 'first' 'first second' want 'first|second: no format' || fail 'an installed alternative'
installed 'first' 'an alternative that is installed'

in_release 0 '' 'a broken b' want 'a broken: no a' 'b: no b' || fail 'a package that cannot be installed ends the set-up'
installed 'a b' 'the others'
left_out 1 'a package that cannot be installed'

in_release 0 'a' 'b' need a b || fail 'required packages'
installed 'a b' 'required packages'
in_release 0 '' 'a' need a lost && fail 'a required package that the release lacks goes unnoticed'

in_release 1000 '' 'a b' want 'a: no a' 'b: no b' || fail 'optional packages without rights end the set-up'
left_out 2 'without rights'
in_release 1000 'a' 'a b' need a b && fail 'a required package without rights goes unnoticed'
grep -q 'please install: b$' "$work/err" || fail "does not say what is missing: $(cat "$work/err")"

[ $failures = 0 ] && echo 'all as expected'
exit $((failures > 0))
