"""Private names that hide public ones: private_names.py ROOT

Sources compile in groups, so a name in an anonymous namespace is seen by all sources of its group. Where a header
declares the same name, the private one is taken silently, in other files too. Each clash is printed; the exit status
is 1 where there is one.
"""

import collections
import pathlib
import re
import sys

LIBRARIES = ["bench", "cli", "kmaf", "machines", "model", "plots/charts", "plots/gnuplot", "points"]
TYPE = re.compile(r"^(?:struct|class|enum class|enum|using)\s+(\w+)")
FUNCTION = re.compile(r"^(?:\[\[\w+\]\] )?[\w:<>,&*\s]+?[\s&*]([A-Za-z_]\w*)\(")
VARIABLE = re.compile(r"^(?:inline |constexpr |const |static |std::|int |bool |double )[^()=;{]*?\b(\w+)(?:\[\w*\])?\s*[={;]")
OTHER = ("return", "else", "#", "//", "}", " ", "namespace", "template")


def names(path, private):
    """Names declared without indentation, inside or outside of anonymous namespaces."""
    found, anonymous = set(), False
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line == "namespace {":
            anonymous = True
        elif line == "}  // namespace":
            anonymous = False
        elif anonymous == private and not line.startswith(OTHER):
            match = TYPE.match(line) or FUNCTION.match(line) or VARIABLE.match(line)
            if match:
                found.add(match[1])
    return found


def main(root):
    clashes = []
    for library in LIBRARIES:
        folders = [root / folder for folder in library.split()]
        public = collections.defaultdict(set)
        for folder in folders + [root / "base"]:
            for header in folder.rglob("*.hpp"):
                for name in names(header, private=False):
                    public[name].add(str(header.relative_to(root)))
        for source in (path for folder in folders for path in sorted(folder.rglob("*.cpp"))):
            for name in names(source, private=True) & public.keys():
                clashes.append(f"{source.relative_to(root)}: {name} is also in {', '.join(sorted(public[name]))}")
    print("\n".join(clashes))
    return 1 if clashes else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
