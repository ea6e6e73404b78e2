"""usage: changed-volume.py ROOT FOLDER VOLUME EXPRESSION

Copies the specification below ROOT into FOLDER, with one volume as `sed -e EXPRESSION` changes it.
"""

import subprocess
import sys
from pathlib import Path


def main(root: str, folder: str, volume: str, expression: str) -> None:
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-r", "--no-preserve=mode", Path(root, "spec"), Path(root, "SPEC.md"), into], check=True)
    changed = subprocess.run(["sed", "-e", expression, Path(root, volume)], check=True, stdout=subprocess.PIPE).stdout
    if changed == Path(root, volume).read_bytes():
        sys.exit(f"the expression changes nothing in {volume}")
    (into / volume).write_bytes(changed)


if __name__ == "__main__":
    main(*sys.argv[1:])
