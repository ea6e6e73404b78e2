"""usage: fingerprint.py ROOT PROFILE FINGERPRINT.JSON [OTHER.JSON]

Compares the fingerprint of the model under a built-in profile with the profile, as the specification below ROOT has it: whatever is told must be what the profile
takes. Prints a line for each choice that is not told for certain, unless OTHER.JSON, the fingerprint under a profile of the other form of layers, tells it.
"""

import json
import sys
from pathlib import Path


def read_choices(root, profile):
    """{name: the profile's alternative}, in order."""
    sys.path.insert(0, str(Path(root, "tools/make")))
    import tables

    return tables.read(Path(root, "SPEC.md")).alternatives_of(profile)


def main(root, profile, report, other=None):
    taken = read_choices(root, profile)
    (fingerprint,) = json.load(open(report))["fingerprints"]
    if list(fingerprint["choices"]) != list(taken):
        sys.exit("not every choice has a row, or not in order")
    elsewhere = json.load(open(other))["fingerprints"][0]["choices"] if other else {}
    wrong = 0
    for name, finding in fingerprint["choices"].items():
        found = finding["alternatives"]
        if finding["follows"] == "mixed" or (found and taken[name] not in found):
            print(f"WRONG: {name} is {taken[name]}, found {finding}")
            wrong += 1
        elif finding["follows"] != "one" and elsewhere.get(name, finding)["follows"] != "one":
            print(f"untold: {name} {'|'.join(found) or '?'}")
    print(f"{profile}: {len(taken)} choices, {wrong} wrong")
    sys.exit(wrong > 0)


main(*sys.argv[1:])
