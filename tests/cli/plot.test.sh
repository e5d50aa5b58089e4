#!/usr/bin/env bash
# `gable plot` on machines from one core to eight clusters: pictures, tables and errors.
source "$(dirname "$0")/expect.sh" "$1"
needs python3 gnuplot
expect_status() {  # status text command...: the exit status, and what stderr says
  local status=$1 text=$2
  shift 2
  "$@" >"$work/out" 2>"$work/err"
  local got=$?
  [ $got -eq "$status" ] || fail "$*: status $got, not $status: $(cat "$work/err")"
  grep -qF -- "$text" "$work/err" || fail "$*: stderr lacks '$text': $(cat "$work/err")"
}

python3 "$here/plot_fixtures.py" "$work"

for machine in bare small joe0 knl large; do
  "$gable" plot "$work/$machine" >"$work/out" 2>"$work/err" || fail "$machine: $(cat "$work/err")"
  [ ! -s "$work/err" ] || fail "$machine: gnuplot complained: $(cat "$work/err")"
  python3 "$here/plot_check.py" "$work/$machine" || fail "$machine: see above"
  while read -r file; do
    case $file in "not drawn: "*) ;; *) [ -s "$file" ] || fail "$file was announced and is not there" ;; esac
  done <"$work/out"
  [ -z "$(find "$work/$machine/charts" -name '.*' -type f)" ] || fail "$machine: temporary files are left"
done
grep -q '^not drawn: ladder-0: ' "$work/out" || fail "a chart without data is not mentioned"
[ "$(find "$work/knl/charts" -name 'larm-*.png' | wc -l)" -eq 4 ] || fail "knl: not one LARM chart a cluster"

# Programs other than browsers can render the SVG files.
if command -v rsvg-convert >/dev/null; then
  for picture in "$work"/*/charts/*.svg; do
    rsvg-convert "$picture" -o "$work/picture.png" 2>"$work/err" || fail "$picture: $(cat "$work/err")"
  done
fi

# Machine names with special characters of gnuplot and XML appear unchanged.
python3 - "$work/small" <<'END' || fail "the CPU's name is not in the picture as it is"
import json, sys, xml.etree.ElementTree as xml
cpu = json.load(open(sys.argv[1] + "/machine.json"))["cpu_model"]
shown = ["".join(text.itertext()) for text in xml.parse(sys.argv[1] + "/charts/larm-0.svg").iter("{http://www.w3.org/2000/svg}text")]
sys.exit(not any(text.startswith(cpu + ";") for text in shown))
END

# Options.
rm -r "$work/knl/charts"
"$gable" plot "$work/knl" --cluster 2 --format pdf >/dev/null || fail "--cluster --format"
[ -s "$work/knl/charts/larm-2.pdf" ] && [ ! -e "$work/knl/charts/larm-1.pdf" ] || fail "--cluster 2 --format pdf drew others"
"$gable" plot "$work/small" --op store --format svg >/dev/null && [ -s "$work/small/charts/larm-0-store.svg" ] || fail "--op store"
expect_status 2 "--op copy: " "$gable" plot "$work/small" --op copy
expect_status 2 "--cluster 4: " "$gable" plot "$work/joe0" --cluster 4
expect_status 2 "--format: 'gif' is none of svg, png, pdf" "$gable" plot "$work/joe0" --format gif
expect_status 2 "$work/nowhere: " "$gable" plot "$work/nowhere"

# For a paper: every chart is 3.4 inches wide, a PDF beside it, and its texts neither overlap nor leave it.
"$gable" plot "$work/knl" --size column --font Helvetica --output "$work/paper/charts" --cluster 0 --hide congested --overlay joe0 \
  >"$work/out" 2>"$work/err" || fail "--size column: $(cat "$work/err")"
python3 "$here/plot_check.py" --pictures "$work/paper" || fail "--size column: see above"
"$gable" plot "$work/small" --size column --output "$work/curves/charts" >/dev/null || fail "--size column: small"
python3 "$here/plot_check.py" --pictures "$work/curves" || fail "--size column: small: see above"
for picture in "$work/paper/charts"/*.svg "$work/curves/charts"/*.svg; do
  tr '\n' ' ' <"$picture" | grep -q '<svg[^>]* width="244.8pt" height="[0-9.]*pt" viewBox="0 0 420 ' ||
    fail "$picture is not 3.4 inches wide with letters of 7 points"
  [ "$(tail -c 6 "${picture%.svg}.pdf")" = '%%EOF' ] || fail "no PDF beside $picture"
done
grep -q '^caption of larm-0: Locality-Aware Roofline' "$work/out" || fail "no caption"
grep -q 'font-family="Helvetica' "$work/paper/charts/larm-0.svg" || fail "not in this font"
grep -q congested "$work/paper/charts/larm-0.tsv" && fail "congested is not hidden"
grep -q 'joe0: L1' "$work/paper/charts/larm-0.svg" || fail "no roofs of joe0"
expect_status 2 '--hide L7: no roof or series has that in its name; there are:' "$gable" plot "$work/knl" --hide L7
expect_status 2 '--font' "$gable" plot "$work/knl" --font 'A,9'
# A published machine, or a folder that one may only read.
expect_status 2 'joe0: a machine that comes with Gable, where nothing is written; --output FOLDER' "$gable" plot joe0
"$gable" plot joe0 --output "$work/published" --cluster 0 --format svg >/dev/null && [ -s "$work/published/larm-0.svg" ] || fail "--output"

# Broken input: the error names file and line, and existing charts are kept.
sums() { (cd "$work/joe0/charts" && md5sum -- *); }
before=$(sums)
lines=$(wc -l <"$work/joe0/roofs.json")
head -n $((lines / 2)) "$work/joe0/roofs.json" >"$work/half" && cp "$work/half" "$work/joe0/roofs.json"
expect_status 2 "$work/joe0/roofs.json:" "$gable" plot "$work/joe0"
rm "$work/joe0/roofs.json"
expect_status 2 "gable fit" "$gable" plot "$work/joe0"
expect_status 2 "no such file; run \`gable measure $work/joe0\` and \`gable fit $work/joe0\` first" "$gable" plot "$work/joe0"
echo '{"cpu_model": ' >"$work/bare/machine.json"
expect_status 2 "$work/bare/machine.json:" "$gable" plot "$work/bare"
[ "$before" = "$(sums)" ] || fail "broken input changed the charts"

# Without gnuplot the tables are written; a gnuplot that fails or writes half is reported with the script.
rm -r "$work/large/charts"
expect_status 1 "gnuplot-nox" env PATH="$work" "$gable" plot "$work/large"
[ -s "$work/large/charts/larm-7.tsv" ] || fail "no tables without gnuplot"
mkdir "$work/bin"
printf '#!/bin/sh\necho no display >&2\nexit 4\n' >"$work/bin/gnuplot"
expect_status 1 "gnuplot cannot be started: Permission denied" env PATH="$work/bin" "$gable" plot "$work/large"
chmod +x "$work/bin/gnuplot"
expect_status 1 'ended with 4: no display' env PATH="$work/bin:$PATH" "$gable" plot "$work/large"
printf '#!/bin/sh\ncase "$1$2" in *version*) exit 0 ;; esac\necho broken >&2\nexit 3\n' >"$work/bin/gnuplot"
chmod +x "$work/bin/gnuplot"
expect_status 1 ": gnuplot ended with 3: broken" env PATH="$work/bin:$PATH" "$gable" plot "$work/large"
printf '#!/bin/sh\nexit 0\n' >"$work/bin/gnuplot"
expect_status 1 "no complete picture" env PATH="$work/bin:$PATH" "$gable" plot "$work/large"

# Ctrl-C and a failing gnuplot keep all existing tables and pictures.
"$gable" plot "$work/small" --format svg >/dev/null || fail "small again"
sums() { (cd "$work/small/charts" && find . -type f -exec md5sum {} + | sort); }
before=$(sums)
sed -i 's/"value": 512.3, "lo": [^,]*, "hi": [^,]*,/"value": 480.5, "lo": 470.5, "hi": 490.5,/' "$work/small/roofs.json"
grep -q 480.5 "$work/small/roofs.json" || fail "the fixture has another L1"
expect_status 1 "no complete picture" env PATH="$work/bin:$PATH" "$gable" plot "$work/small" --format svg
[ "$before" = "$(sums)" ] || fail "a gnuplot that failed changed the charts"
printf '#!/bin/sh\ncase "$1$2" in *version*) exit 0 ;; esac\nsleep 1\n' >"$work/bin/gnuplot"
for signal in INT TERM; do
  PATH="$work/bin:$PATH" env --default-signal=INT "$gable" plot "$work/small" --format svg >"$work/out" 2>"$work/err" &
  within 20 listens $! || fail "plot does not listen to signals"
  kill -$signal $!
  wait $!
  [ $? = $((128 + $(kill -l $signal))) ] && grep -q 'interrupted: the charts are as they were' "$work/err" || fail "SIG$signal: $(cat "$work/err")"
  [ "$before" = "$(sums)" ] || fail "SIG$signal: the charts are not as they were"
  [ -z "$(find "$work/small/charts" -name '.*' ! -name .)" ] || fail "SIG$signal: temporary files are left"
  cp -r "$work/small" "$work/uncharted" && rm -r "$work/uncharted/charts"
  PATH="$work/bin:$PATH" env --default-signal=INT "$gable" plot "$work/uncharted" --format svg >"$work/out" 2>"$work/err" &
  within 20 listens $! || fail "plot does not listen to signals"
  kill -$signal $!
  wait $!
  [ ! -e "$work/uncharted/charts" ] || fail "SIG$signal: an empty folder of charts is left"
  rm -r "$work/uncharted"
done
# Killed, it leaves a folder, which the next call removes.
PATH="$work/bin:$PATH" "$gable" plot "$work/small" --format svg >"$work/out" 2>"$work/err" &
within 20 listens $!
within 20 [ -n "$(find "$work/small/charts" -name '.charts.*')" ]
kill -KILL $!
wait $! 2>/dev/null
"$gable" plot "$work/small" --format pdf >"$work/out" || fail "after a kill: $(cat "$work/err")"
[ -z "$(find "$work/small/charts" -name '.*' ! -name .)" ] || fail "what a killed plot left stays"
grep -q "^older than its table: $work/small/charts/larm-0.svg" "$work/out" || fail "it does not say that the SVG is of other figures"

# The program works from any location.
mkdir -p "$work/moved/bin"
cp "$gable" "$work/moved/bin/gable"
"$work/moved/bin/gable" plot "$work/small" --format svg >/dev/null || fail "a program that was moved does not draw"

[ $failures -eq 0 ] && echo "all charts drawn and checked"
exit $((failures > 0))
