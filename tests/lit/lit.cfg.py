# Tests over .ll files. Each starts with RUN: lines, which may use `dloc`, `FileCheck`, `not` and the tools of LLVM 22;
# %llvm-14, %llvm-15, %llvm-16, %llvm-19 and %llvm-22 are the folders of these versions' tools, %root is the repository,
# %dloc and %python are the programs, for tests that change PATH.
import os
import sys

import lit.formats

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
dloc = os.environ.get("DLOC", os.path.join(root, "build", "dloc"))

config.name = "dloc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".ll", ".test", ".yaml"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(os.path.dirname(dloc), "lit")
config.environment["PATH"] = os.pathsep.join(
    [os.path.dirname(dloc), "/usr/lib/llvm-22/bin", os.environ["PATH"]]
)
for variable in ("ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
for version in ("14", "15", "16", "19", "22"):
    config.substitutions.append(("%llvm-" + version, f"/usr/lib/llvm-{version}/bin"))
config.substitutions += [("%root", root), ("%dloc", dloc), ("%python", sys.executable)]

# The dloc that `make mutants` builds, if it was built.
mutants = os.path.join(root, "build", "mutants", "dloc")
if os.path.exists(mutants):
    config.available_features.add("mutants")
config.substitutions.append(("%mutants", mutants))

# The patched LLVMs, those that `make patched-llvm` built.
for name in ("patched-llvm", "patched-irlayers"):
    patched = os.path.join(root, "build", name, "bin")
    if os.path.exists(os.path.join(patched, "llc")):
        config.available_features.add(name)
    config.substitutions.append(("%" + name, patched))
