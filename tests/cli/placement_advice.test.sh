#!/bin/bash
# What verdicts say of other places for the data is what gable predict says of them, on every published machine.
source "$(dirname "$0")/expect.sh" "$1"
needs python3
for machine in joe0 knl-snc4-flat knl-snc4-cache xeon6254-optane a64fx-fx700; do
  cp -r "$here/../../machines/$machine" "$work/$machine" && chmod -R u+w "$work/$machine"
  python3 "$here/advice_check.py" "$gable" "$work/$machine" --fill >"$work/$machine.said" || fail "$machine: verdicts and predictions differ"
done
# Each kind of advice is there.
for machine in joe0 knl-snc4-flat xeon6254-optane; do
  python3 -c 'import json, sys
said = json.load(open(sys.argv[1]))
assert said["would"] > 0 and said["none"] > 0, said' "$work/$machine.said" || fail "$machine: $(cat "$work/$machine.said")"
done
python3 -c 'import json, sys
assert json.load(open(sys.argv[1]))["could"] > 0' "$work/xeon6254-optane.said" || fail "no point may be faster"
finish
