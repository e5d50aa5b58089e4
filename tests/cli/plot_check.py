"""Compares the charts of `gable plot` with roofs.json: plot_check.py FOLDER; only pictures: plot_check.py --pictures FOLDER

Every SVG is well-formed; no two texts overlap and none leaves the picture; every label of a LARM table stands in its
picture exactly once; the figures in the tables are those of roofs.json; every ok bandwidth of load has its row.
"""

import csv
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as xml

SVG = "{http://www.w3.org/2000/svg}"
failures = []


def fail(path, what):
    failures.append(f"{path}: {what}")


def texts(element, x=0.0, y=0.0, size=12.0, anchor="start", angle=0.0):
    """(text, left, top, right, bottom) of every text, by a rough width of 0.55 of the font size a letter."""
    shift = re.search(r"translate\(([-\d.]+),([-\d.]+)\)", element.get("transform", ""))
    if shift:
        x, y = x + float(shift[1]), y + float(shift[2])
    turn = re.search(r"rotate\(([-\d.]+)", element.get("transform", ""))
    angle += float(turn[1]) if turn else 0
    size = float(element.get("font-size", size))
    anchor = element.get("text-anchor", anchor)
    if element.tag == SVG + "text":
        text = "".join(element.itertext()).strip()
        if text:
            width = 0.55 * size * len(text)
            left = {"start": 0, "middle": -width / 2, "end": -width}[anchor]
            box = (x + left, y - 0.75 * size, x + left + width, y + 0.15 * size)
            if angle % 180 == 90:
                box = (x - 0.75 * size, y - width / 2, x + 0.15 * size, y + width / 2)
            yield (text, *box)
    for child in element:
        yield from texts(child, x, y, size, anchor, angle)


def check_picture(path):
    root = xml.parse(path).getroot()
    width, height = (float(side) for side in root.get("viewBox").split()[2:])
    boxes = list(dict.fromkeys(texts(root)))  # a text on a box is written twice, in the same place
    for text, left, top, right, bottom in boxes:
        if left < 0 or top < 0 or right > width or bottom > height:
            fail(path, f"'{text}' leaves the picture")
    for i, (one, left, top, right, bottom) in enumerate(boxes):
        for other, left2, top2, right2, bottom2 in boxes[i + 1:]:
            if left < right2 and left2 < right and top < bottom2 and top2 < bottom:
                fail(path, f"'{one}' and '{other}' overlap")
    return [box[0] for box in boxes]


def table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def check_figures(path, rows, known):
    for row in rows:
        if row.get("kind") == "cache" or row["status"] != "ok":
            continue
        figure = (int(row["cluster"]), row["kind"], row["pattern"], row["node"], row["pages"], float(row["value"]),
                  float(row["lo"]), float(row["hi"]))
        if figure not in known:
            fail(path, f"{figure} is not in roofs.json")


def main(folder):
    roofs = json.loads((folder / "roofs.json").read_text(encoding="utf-8"))
    known = {(r["cluster"], r["kind"], r["pattern"], "" if r["node"] is None else str(r["node"]), r["pages"],
              r["value"], r["lo"], r["hi"])
             for r in roofs["roofs"] + roofs["ladder"] + [p for v in roofs.get("validation", []) for p in v["points"]]}
    tables = sorted((folder / "charts").glob("*.tsv"))
    if not tables:
        fail(folder, "no charts")
    for path in tables:
        rows = table(path)
        if not path.name.startswith(("hybrid-", "place-")):  # their figures are not in roofs.json
            check_figures(path, rows, known)
        shown = check_picture(path.with_suffix(".svg"))
        if path.name.startswith("larm-"):
            for label in (row["label"] for row in rows if row["label"]):
                if shown.count(label) != 1:
                    fail(path, f"label '{label}' stands {shown.count(label)} times in the picture")
            cluster = int(path.stem.split("-")[1])
            wanted = {(r["level"], r["pattern"], r["node"], r["tier"]) for r in roofs["roofs"]
                      if r["cluster"] == cluster and r["kind"] == "bandwidth" and r["op"] == "load"}
            if len([row for row in rows if row["kind"] == "bandwidth"]) != len(wanted):
                fail(path, "does not have one row for each roof")
    for failure in failures:
        print(failure)
    return 1 if failures else 0


def pictures(folder):
    drawn = sorted((folder / "charts").glob("*.svg"))
    for path in drawn:
        check_picture(path)
    for failure in failures:
        print(failure)
    return 1 if failures or not drawn else 0


if __name__ == "__main__":
    if sys.argv[1] == "--pictures":
        sys.exit(pictures(pathlib.Path(sys.argv[2])))
    sys.exit(main(pathlib.Path(sys.argv[1])))
