"""report_check.py REPORT FOLDER [FLAG]: the report (or page of gable compare) is whole HTML with every section, below 5 MB, asks for nothing from elsewhere, and
its roofs are those of FOLDER. --make-hostile FOLDER: names in it become markup."""

import html.parser
import json
import pathlib
import re
import sys

HOSTILE = "<img src=x onerror=alert(1)>\"'&`"
SECTIONS = ["machine", "roofs", "larm", "functions", "objects", "matrices", "ladders", "latency", "hybrid", "elsewhere", "placements", "tiers", "kmaf", "missing", "method"]
VOID = {"meta", "input", "br", "link", "img"}

if sys.argv[1] == "--make-hostile":
    folder = pathlib.Path(sys.argv[2])
    machine = json.loads((folder / "machine.json").read_text())
    machine["name"] = machine["cpu_model"] = HOSTILE
    machine["kernel"] = "</dd></dl></section><script>alert(3)</script>"
    machine["not_published"] = [HOSTILE]
    (folder / "machine.json").write_text(json.dumps(machine))
    sys.exit()

if sys.argv[3:] == ["compare"]:
    SECTIONS = ["folders", "differences", "rooflines", "changes", "lone"]

path, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
flag = sys.argv[3] if len(sys.argv) > 3 else ""
text = path.read_text(encoding="utf-8")
faults = []


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.ids, self.references, self.words = [], [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href", "action", "data", "srcset"):
                self.references.append(value)
            if name.startswith("on"):
                faults.append(f"an attribute {name} on {tag}")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            faults.append(f"</{tag}> closes another element")

    def handle_data(self, data):
        self.words.append(data)


page = Page()
page.feed(text)
if page.open:
    faults.append(f"not closed: {page.open}")
if len(text.encode()) > 5_000_000:
    faults.append("larger than 5 MB")
faults += [f"no section {name}" for name in SECTIONS if name not in page.ids]
faults += [f"id {name} twice" for name in sorted({one for one in page.ids if page.ids.count(one) > 1})]
faults += [f"leads out: {one}" for one in page.references if not one.startswith("#") or one[1:] not in page.ids]
faults += [f"from elsewhere: {one}" for one in re.findall(r"(?:url\(|@import|https?:|//cdn)[^\s;)]*", text)
           if not re.match(r"url\(['\"]?(&#39;)?#", one)]
faults += [f"a tag {name}" for name in ("img", "link", "iframe", "object", "embed", "a:href") if name in page.tags]
if page.tags.count("script") != 1:
    faults.append(f"{page.tags.count('script')} scripts")
if re.search(r"\b(?:nan|inf)\b", " ".join(page.words)):
    faults.append("a figure that is none")

# Groups of gnuplot were recognized as the chart's series: marks have names.
if "class=\"picture\"" in text and text.count("class=\"picture\"") != len(re.findall(r'class="picture".*?class="(?:series )?mark"', text, re.S)):
    faults.append("a picture without marks")

# Every cluster's best loads stand in the tables, as the words of figures are.
said = " ".join(page.words)
if (folder / "roofs.json").exists():
    for roof in json.loads((folder / "roofs.json").read_text())["roofs"]:
        if roof["status"] != "ok":
            continue
        value = roof["value"]
        digits = 0 if value >= 999.95 else 1 if value >= 99.995 else 2
        figure = f"{value:.3g}" if value < 0.1 else f"{value:.{digits}f}"
        if figure not in said:
            faults.append(f"the figure {figure} of {roof['kind']} is missing")


def utc(started):
    return f"{started[:10]} {started[11:16]} UTC"


# Every program stands with what gable point list says of it, and when it was recorded.
if (folder / "points.json").exists() and flag != "compare":
    for point in json.loads((folder / "points.json").read_text())["points"]:
        headroom = point["headroom_percent"]
        clauses = re.split(r"[.;] ", point["cause"].removesuffix("."))
        expected = [point["name"], utc(point["started"]), clauses[0][1:], *clauses[1:]]
        for note in point["notes"]:  # a sentence, or a code whose arguments are in its sentence
            expected += [note] if isinstance(note, str) else [a for a in note["arguments"] if isinstance(a, str)]
        if point["binding_roof"]:
            expected.append("not known" if headroom is None
                            else f"{headroom:.0f} %" if headroom < 10000 else f"{headroom / 100:.0f} times")
        faults += [f"'{one}' of {point['name']} is missing" for one in expected if one not in said]
if (folder / "samples.jsonl").exists() and flag != "compare":
    started = [json.loads(line)["started"] for line in (folder / "samples.jsonl").read_text().splitlines()]
    if f"measured {min(started)[:10]}" not in said:
        faults.append("does not say when it was measured")
if flag == "published" and "published machine" not in said and "publications" not in said:
    faults.append("does not say that the figures are published")
if flag == "measured" and "The visits" not in said:
    faults.append("does not say how it was measured")
if flag == "hostile" and HOSTILE not in said:
    faults.append("the name does not stand as it is")
print("\n".join(faults[:10]))
sys.exit(bool(faults))
