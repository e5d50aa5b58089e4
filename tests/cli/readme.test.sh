#!/usr/bin/env bash
# A newcomer's commands: every line of the ```sh blocks of README.md and docs/quickstart.md runs as it is printed there,
# in a copy of the sources as a clone has them, one shell per page. A line is not run if its comment begins with
# "installs"; instead of ./run.sh alone, a short measurement creates the folder that the next lines read.
source "$(dirname "$0")/expect.sh" "$1"
root=$(cd "$here/../.." && pwd)
needs gnuplot cc:gcc
echo 'int main(void) { return 0; }' >"$work/openmp.c"
cc -fopenmp "$work/openmp.c" -o "$work/openmp" 2>/dev/null || { echo "skipped: the compiler has no OpenMP (package libgomp1)"; exit 77; }

clone=$work/clone
mkdir -p "$clone/build"
cp "$gable" "$clone/build/gable"
[ ! -d "$1/libexec" ] || ln -s "$(realpath "$1/libexec")" "$clone/build/libexec"
if git -C "$root" rev-parse --git-dir >"$work/out" 2>&1; then
  git -C "$root" ls-files -z --cached --others --exclude-standard >"$work/files"
  tar -C "$root" --null -T "$work/files" --ignore-failed-read -cf - 2>"$work/err" | tar -C "$clone" -xf -
else
  tar -C "$root" --exclude='./build*' --exclude='./machines/*/charts' -cf - . | tar -C "$clone" -xf -
fi
[ -f "$clone/README.md" ] || fail "no copy of the sources: $(cat "$work/err")"

# commands PAGE: the lines of its ```sh blocks.
commands() { awk '/^```/ { inside = ($0 == "```sh"); next } inside && NF && !/^#/' "$1"; }

# short FILE: at most so many lines, none wider than 120 characters.
short() {
  local lines
  lines=$(wc -l <"$root/$1")
  [ "$lines" -le "$2" ] || fail "$1 has $lines lines, more than $2"
  python3 - "$root/$1" <<'PYTHON' || fail "$1 has lines wider than 120 characters"
import sys
sys.exit(any(len(line.rstrip("\n")) > 120 for line in open(sys.argv[1], encoding="utf-8")))
PYTHON
}

# links FOLDER: what its pages link to, and the pages that its sources name, exist; docs/README.md lists every page.
links() {
  python3 - "$1" <<'PYTHON' || fail "links that lead nowhere"
import pathlib, re, sys

def without_code(text): return re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.M | re.S)

def anchors(page):
    names = [line.lstrip("#").strip() for line in page.read_text().splitlines() if line.startswith("#")]
    return {re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-") for name in names}

def targets(page): return re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text()))

root = pathlib.Path(sys.argv[1])
index = root / "docs/README.md"
listed = {(index.parent / target).resolve() for target in targets(index)}
bad = [f"docs/README.md lacks {page.relative_to(root)}" for page in (root / "docs").rglob("*.md")
       if page != index and page.resolve() not in listed]
files = [path for path in root.rglob("*.*") if "build" not in path.relative_to(root).parts[0]]
for file in [path for path in files if re.search(r"\.(cpp|hpp|[chS]|inc|py|sh|md|txt)$", path.name)]:
    bad += [f"{file.relative_to(root)}: {name}" for name in re.findall(r"\bdocs/[\w/-]+\.md\b", file.read_text(errors="replace"))
            if not (root / name).exists()]
for page in [path for path in files if path.suffix == ".md"]:
    for target in targets(page):
        if re.match(r"\w+:", target): continue
        path, _, heading = target.partition("#")
        there = (page.parent / path) if path else page
        if not there.exists() or heading and there.suffix == ".md" and heading not in anchors(there):
            bad.append(f"{page.relative_to(root)}: {target}")
print("\n".join(bad))
sys.exit(bool(bad))
PYTHON
}

run_page() {
  local page=$1 line tried status count=0
  while read -r line; do
    case $line in
      *'# installs'*)
        [[ $line == './run.sh '*'# '* && $line != './run.sh test'* && $page == docs/* ]] || continue
        line='build/gable measure machines/$(uname -n) --preset quick --budget 12s && build/gable fit machines/$(uname -n)' ;;
    esac
    tried=1
    until eval "$line" </dev/null >"$work/out" 2>&1; do
      status=$?
      # One figure, or any placement, of a machine on which other tests run may have to wait for a quieter moment.
      if ! grep -qE 'no figure: .*(other processes|stalled)|invalid: other processes were busy' "$work/out"; then
        fail "$page: '$line' ends with $status: $(tail -5 "$work/out")"
        break
      fi
      [ $tried -lt 2 ] || { echo "not tried: '$line' (other processes were busy)"; break; }
      tried=$((tried + 1))
    done
    count=$((count + 1))
  done < <(commands "$page")
  [ $count -ge 8 ] || fail "$page has only $count commands"
  echo "$page: $count commands"
}

cd "$clone" || exit 1
short README.md 130
short docs/quickstart.md 150
links "$clone"
for page in README.md docs/quickstart.md; do
  run_page "$page"
done
exit $((failures > 0))
