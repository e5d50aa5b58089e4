#!/usr/bin/env bash
# Records this machine into machines/measured/KIND: the figures of `gable measure --preset full` without virtualization, the page
# walks, hand-offs between cores, and the times of the programs in programs/cases.txt. It takes about half an hour on two cores
# that nobody else uses. A recording of a disturbed machine is not kept, and the exit status is 1.
#
#   tests/bench/record_machine.sh [-b BUILD_DIR] [-o FOLDER] [-p PRESET] [-c CASES] [-n RUNS] [KIND]
#
# KIND is a name of the CPU's microarchitecture, such as zen4. -o, -p, -c and -n are for trials: the folder for KIND instead of
# machines/measured, the preset instead of full, a file of cases, and the number of runs instead of seven.
set -euo pipefail
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=$(readlink -f "$here/../..")

build=$root/build target=$root/machines/measured preset=full cases=$here/programs/cases.txt runs=7
while getopts b:o:p:c:n: option; do
  case $option in
    b) build=$OPTARG ;;
    o) target=$OPTARG ;;
    p) preset=$OPTARG ;;
    c) cases=$OPTARG ;;
    n) runs=$OPTARG ;;
    *) sed -n '2,10p' "$0" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
gable=$(readlink -f "$build")/gable
[ -x "$gable" ] || { echo "record_machine.sh: $gable: build the program first (./run.sh build)" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1

cpu() { sed -n "s/^$1[[:space:]]*: //p" /proc/cpuinfo | head -1; }

# The microarchitecture where Intel's model number tells it, else as gable knows it, else the model without trademarks.
kind_of_cpu() {
  local core
  case $(cpu vendor_id):$(cpu 'cpu family'):$(cpu model) in
    GenuineIntel:6:63) echo haswell ;;
    GenuineIntel:6:79 | GenuineIntel:6:86) echo broadwell ;;
    GenuineIntel:6:85)
      if [ "$(cpu stepping)" -ge 10 ]; then echo cooper-lake
      elif [ "$(cpu stepping)" -ge 5 ]; then echo cascade-lake
      else echo skylake-sp; fi ;;
    GenuineIntel:6:106 | GenuineIntel:6:108) echo ice-lake ;;
    GenuineIntel:6:143) echo sapphire-rapids ;;
    GenuineIntel:6:207) echo emerald-rapids ;;
    GenuineIntel:6:173 | GenuineIntel:6:174) echo granite-rapids ;;
    *)
      core=$("$gable" machine --json | python3 -c 'import json, sys
machine = json.load(sys.stdin)
print(machine["clusters"][0].get("core", "").replace("Zen ", "Zen") or machine["cpu_model"])')
      sed -E 's/\((R|TM|r|tm)\)//g; s/ (CPU|Processor).*//; s/[^A-Za-z0-9]+/-/g; s/^-|-$//g' <<<"${core:-unknown}" |
        tr '[:upper:]' '[:lower:]' ;;
  esac
}
kind=${1:-$(kind_of_cpu)}
[[ $kind =~ ^[a-z0-9][a-z0-9.-]*$ ]] || { echo "record_machine.sh: KIND '$kind': use a-z, 0-9, '.' and '-'" >&2; exit 2; }

# measured FOLDER PRESET FILTER...: measures and fits it.
measured() {
  local folder=$1 preset=$2 filter filters=()
  shift 2
  for filter in "$@"; do filters+=(--only "$filter"); done
  "$gable" measure "$folder" --preset "$preset" "${filters[@]}"
  "$gable" fit "$folder" --quiet >/dev/null
}

# Says why a recording is not kept.
give_up() { echo "record_machine.sh: $kind is not kept" >&2; exit 1; }

echo "== is this machine quiet?"
measured "$work/quiet" quick level=L1,op=load level=memory,op=load
python3 "$here/recording/state.py" "$work/quiet" || give_up

echo "== figures"
# Every kind of cell, by which virtualization, five minutes more, is left out.
mapfile -t kinds < <("$gable" measure --preset "$preset" --list --json |
  python3 -c 'import json, sys; print(*sorted({"kind=" + cell["kind"] for cell in json.load(sys.stdin)["cells"]}), sep="\n")')
is_quiet=
for _ in 1 2 3; do  # the second time, what is measured is only what was disturbed
  measured "$work/full" "$preset" "${kinds[@]}"
  state=$(python3 "$here/recording/state.py" "$work/full") && is_quiet=1 && break
done
[ -n "$is_quiet" ] || give_up
"$gable" measure "$work/full" --preset quick --only virt,walk
"$gable" measure "$work/full" --preset quick --only c2c

echo "== times of programs"
mapfile -t programs < <(awk '!/^#/ && NF { print $1 }' "$cases" | sort -u)
make -s -C "$here/programs" OUT="$work/programs" "${programs[@]/#/$work/programs/}"
gcc -O2 -std=gnu17 -pthread "$here/recording/crowding.c" -o "$work/crowding"
mapfile -t shown < <(make -s -C "$here/programs" show)
python3 "$here/recording/times.py" --programs "$work/programs" --cases "$cases" --machine "$work/full" --prober "$work/crowding" \
  --compiler "${shown[0]}" --flags "${shown[1]}" --runs "$runs" --output "$work/programs.json" || give_up

python3 "$here/recording/kept.py" "$work/full" "$work/kept/$kind" "$kind"
cp "$work/programs.json" "$work/kept/$kind/"
mkdir -p "$target"
rm -rf "${target:?}/$kind"
mv "$work/kept/$kind" "$target/$kind"
echo "== $target/$kind: $(du -sb "$target/$kind" | cut -f1) bytes; the line of machines/README.md:"
python3 - "$target/$kind" "$state" "$(cpu 'cpu family')" "$(cpu model)" <<'PYTHON'
import json, pathlib, sys
folder, state, family, model = pathlib.Path(sys.argv[1]), *sys.argv[2:]
machine, programs = (json.loads((folder / name).read_text()) for name in ("machine.json", "programs.json"))
cores = sum(cluster["cores"] for cluster in machine["clusters"])
number = f" (family {family}, model {model})" if family else ""
host = "bare metal" if machine["hypervisor"] == "none" else machine["hypervisor"]
print(f"| `{folder.name}` | {machine['cpu_model']}{number}, {cores} cores, {host} | {programs['started'][:10]} | {state}, "
      f"{programs['repeated_runs']} program runs repeated |")
PYTHON
