#!/usr/bin/env python3
"""usage: tests/bench/synth_lines.py FOLDER UNITS ROWS

Writes FOLDER/N.s for each of UNITS units: 1000 functions that have ROWS rows together, as a compiler that optimises would have them: mostly the next
line or one nearby, another file now and then, instructions of 2 to 9 bytes. The same rows every time."""

import random
import sys

folder, units, rows = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
for unit in range(units):
    generator = random.Random(unit)
    with open(f"{folder}/{unit}.s", "w") as file:
        file.write("\t.text\n" + "".join(f'\t.file {number} "dir{number % 7}/file{number}.c"\n' for number in range(1, 33)))
        for function in range(1000):
            line, source = function * 40 + 1, generator.randint(1, 32)
            file.write(f"\t.globl f{unit}_{function}\n\t.type f{unit}_{function}, @function\nf{unit}_{function}:\n")
            for row in range(rows // 1000):
                line = max(1, line + generator.choice((0, 0, 1, 1, 1, 2, 3, -1, -4, 7, 30)))
                if generator.random() < 0.04:
                    source, line = generator.randint(1, 32), generator.randint(1, 5000)
                file.write(f"\t.loc {source} {line} {generator.randint(1, 60)}{' is_stmt ' + str(row & 1) if generator.random() < 0.3 else ''}\n")
                file.write(f"\t.skip {generator.randint(2, 9)}\n")
