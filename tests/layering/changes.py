"""What changed since the previous commit."""

import subprocess


def changed(tree):
    """Files that differ from the previous commit; None if git does not know."""
    texts = []
    for words in (["diff", "--name-only", "HEAD~1"], ["ls-files", "--others", "--exclude-standard"]):
        result = subprocess.run(["git", "-C", tree, *words], capture_output=True, text=True)
        if result.returncode:
            return None
        texts += result.stdout.split("\n")
    return set(texts)


def spread(items, most):
    """At most so many of the items, spread evenly."""
    return [items[i * len(items) // most] for i in range(most)] if len(items) > most else items
