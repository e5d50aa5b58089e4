#!/usr/bin/env python3
"""Writes input for programs of others (predict_others.txt), always the same: predict_inputs.py FOLDER

video.yuv: 30 frames of 352x288 pixels (4:2:0), a smooth texture that moves. sequences.fasta: 120 aligned sequences of 400
nucleotides, which descend from one by a random tree.
"""

import pathlib
import random
import sys


def texture(width, height, rng):
    """Smooth noise: sums of random steps along the rows, near the row above."""
    rows = [[128.0] * width]
    for _ in range(height - 1):
        row, value = [], 128.0
        for above in rows[-1]:
            value += 0.25 * (above - value) + rng.gauss(0, 6)
            row.append(min(235.0, max(16.0, value)))
        rows.append(row)
    return [bytes(int(value) for value in row) for row in rows]


def video(path):
    width, height, frames = 352, 288, 30
    rng = random.Random(1)
    luma, chroma = texture(width + 3 * frames, height + frames, rng), texture(width + 3 * frames, height + frames, rng)
    with path.open("wb") as out:
        for frame in range(frames):
            for row in luma[frame : frame + height]:
                out.write(row[3 * frame : 3 * frame + width])
            for plane in (chroma, chroma[::-1]):
                for row in plane[frame : frame + height // 2]:
                    out.write(row[frame : frame + width // 2])


def sequences(path):
    count, length, changed = 120, 400, 0.04
    rng = random.Random(2)
    known = ["".join(rng.choice("ACGT") for _ in range(length))]
    while len(known) < count:
        parent = known[rng.randrange(len(known))]
        known.append("".join(rng.choice("ACGT") if rng.random() < changed else letter for letter in parent))
    path.write_text("".join(f">s{index}\n{text}\n" for index, text in enumerate(known)))


def main():
    folder = pathlib.Path(sys.argv[1])
    video(folder / "video.yuv")
    sequences(folder / "sequences.fasta")


if __name__ == "__main__":
    main()
