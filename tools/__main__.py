"""usage: python3 tools ROOM/SCRIPT.py [ARGUMENT...]: run a script; it finds those of every room here. dloc starts its scripts so."""

import runpy
import sys

ROOT = sys.path[0]
ROOMS = ("suite", "lab", "lines", "producers", "pages")  # `make install` keeps them side by side

sys.path[:1] = [f"{ROOT}/{room}" for room in ROOMS]
sys.argv = sys.argv[1:]
runpy.run_path(f"{ROOT}/{sys.argv[0]}", run_name="__main__")
