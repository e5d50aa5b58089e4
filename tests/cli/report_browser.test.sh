#!/usr/bin/env bash
# The report in headless Chromium: no error and no request; pointing, focus and keys show the box; switches hide; dark mode
# changes the colours.
source "$(dirname "$0")/expect.sh" "$1"
needs chromium gnuplot python3
machines=$(realpath "$here/../../machines")

# browsed REPORT [OPTION...]: what report_browser.js found wrong, and what the browser wrote to its console.
browsed() {
  python3 - "$1" "$here/report_browser.js" "$work/page.html" <<'PYTHON'
import sys
page, script = (open(name, encoding="utf-8").read() for name in sys.argv[1:3])
catch = "<script>var wrong=[];addEventListener('error',e=>wrong.push('error: '+e.message));" \
        "addEventListener('securitypolicyviolation',e=>wrong.push('request: '+e.blockedURI))</script>"
page = page.replace("<style>", catch + "<style>", 1).replace("</body>", f"<script>{script}</script></body>")
open(sys.argv[3], "w", encoding="utf-8").write(page)
PYTHON
  timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --enable-logging=stderr \
    --window-size=1280,900 --virtual-time-budget=5000 --dump-dom "${@:2}" "file://$work/page.html" >"$work/dom" 2>"$work/err"
  grep 'CONSOLE' "$work/err"
  grep -o '<title>tested: .*</title>' "$work/dom" || echo "the page did not run"
}

chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --dump-dom about:blank >/dev/null 2>&1 ||
  { echo "skipped: chromium does not start here"; exit 77; }
cp -r "$machines/joe0" "$work/joe0"
expect 0 '' point add "$work/joe0" --name program --flops 1e9 --load-bytes 1e9 --seconds 0.1 --cluster 0
expect 0 '' report "$work/joe0"
expect 0 '' report "$machines/xeon6254-optane" -o "$work/xeon.html"
for report in "$work/joe0/report.html" "$work/xeon.html"; do
  for dark in '' --blink-settings=preferredColorScheme=0; do
    said=$(browsed "$report" $dark)
    [ "$said" = '<title>tested: all is well</title>' ] || fail "$report $dark: $said"
  done
done
exit $((failures > 0))
