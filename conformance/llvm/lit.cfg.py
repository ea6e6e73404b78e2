# Runs the folder `test` with the tools of an LLVM, as llvm/test's own configuration would: it can be copied to llvm/test/DebugInfo as it is.
# Parameters: bin, the directory of the LLVM to test; utilities, that of FileCheck, not, count and split-file.
import os
import re
import subprocess

import lit.formats

tools = lit_config.params["bin"]
config.name = "LLVM with layers"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll"]
config.excludes = ["irlayers"]  # the other form of layers: to be named
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["output"]
config.environment["PATH"] = os.pathsep.join([tools, lit_config.params["utilities"], os.environ["PATH"]])
config.environment["LC_ALL"] = "C"
if "DLOC_FAULT" in os.environ:
    config.environment["DLOC_FAULT"] = os.environ["DLOC_FAULT"]
targets = subprocess.run([os.path.join(tools, "llc"), "--version"], stdout=subprocess.PIPE, text=True, check=False).stdout
for target, name in (("x86", "x86"), ("nvptx", "nvptx"), ("aarch64", "aarch64")):
    if re.search(r"^ +%s +- " % target, targets, re.M):
        config.available_features.add(name + "-registered-target")
