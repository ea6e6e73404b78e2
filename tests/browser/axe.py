"""axe-core, which knows what makes a page hard to use without eyes, mouse or colours: https://github.com/dequelabs/axe-core."""

import os
import subprocess
import tarfile

VERSION = "4.14.1"
FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "build", "cache")


def source():
    """The script; npm gets it once, into build/cache."""
    path = os.path.join(FOLDER, f"axe-core-{VERSION}.tgz")
    if not os.path.exists(path):
        os.makedirs(FOLDER, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", f"axe-core@{VERSION}"], cwd=FOLDER, check=True, stdout=subprocess.DEVNULL)
    with tarfile.open(path) as package:
        return package.extractfile("package/axe.min.js").read().decode()


def check_axe(page):
    """No violation of any rule; what only a person can judge does not count."""
    page.evaluate(source() + ";0")
    found = page.evaluate("axe.run(document,{resultTypes:['violations']}).then(r=>r.violations.map(v=>[v.id,v.nodes.length,v.nodes[0].html.slice(0,200)]))")
    assert found == [], found
