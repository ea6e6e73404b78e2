"""usage: ask_passes.py DIR

`dloc run --passes`: asks the LLVM in DIR, by default that of DLOC_LLVM or PATH, for its passes; conformance/llvm/passes.py does it. Exit status as that of dloc.
"""

import os
import shutil
import subprocess
import sys

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "conformance", "llvm", "passes.py")

folder = sys.argv[1] or os.environ.get("DLOC_LLVM") or os.path.dirname(shutil.which("opt") or "")
if not os.path.exists(SCRIPT):
    print("dloc: error: --passes needs the project's sources: conformance/llvm/passes.py", file=sys.stderr)
    sys.exit(2)
done = subprocess.run([sys.executable, SCRIPT, folder], stderr=subprocess.PIPE, check=False)
if done.returncode not in (0, 1):  # what else it says is about progress
    sys.stderr.buffer.write(done.stderr)
sys.exit(done.returncode)
