"""usage: fingerprint.py CHOICES.DEF PROFILE FINGERPRINT.JSON

Compares the fingerprint of the model under a built-in profile with the profile: whatever is told must be what the profile takes. Prints a line for
each choice that is not told for certain.
"""

import json
import re
import sys

PROFILES = ["rfc", "rfc+llvm-19", "pr205453", "llvm-22", "llvm-19", "llvm-14"]


def read_choices(path, profile):
    """{name: the profile's alternative}, in order."""
    text = open(path).read()
    names = {
        (choice, constant): name
        for choice, constant, name in re.findall(r'^ALTERNATIVE\((\w+), (\w+), "([^"]*)"', text, re.M)
    }
    taken = {}
    for choice, name, constants in re.findall(r'^CHOICE\((\w+), "([^"]*)",\s+((?:\w+,\s+){6})', text, re.M):
        constant = constants.replace(",", " ").split()[PROFILES.index(profile)]
        taken[name] = names[choice, constant]
    return taken


def main(definitions, profile, report):
    taken = read_choices(definitions, profile)
    (fingerprint,) = json.load(open(report))["fingerprints"]
    if list(fingerprint["choices"]) != list(taken):
        sys.exit("not every choice has a row, or not in order")
    wrong = 0
    for name, finding in fingerprint["choices"].items():
        found = finding["alternatives"]
        if finding["follows"] == "mixed" or (found and taken[name] not in found):
            print(f"WRONG: {name} is {taken[name]}, found {finding}")
            wrong += 1
        elif finding["follows"] != "one":
            print(f"untold: {name} {'|'.join(found) or '?'}")
    print(f"{profile}: {len(taken)} choices, {wrong} wrong")
    sys.exit(wrong > 0)


main(*sys.argv[1:])
