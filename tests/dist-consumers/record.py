"""What RECORD of the installed wheel says of each file is true."""

import base64
import hashlib
from importlib.metadata import distribution

files = distribution("dloc-vectors").files
for file in files:
    if file.hash and file.name not in ("RECORD", "INSTALLER", "REQUESTED"):
        digest = hashlib.new(file.hash.mode, file.read_binary()).digest()
        assert base64.urlsafe_b64encode(digest).decode().rstrip("=") == file.hash.value, file
assert sum(file.hash is not None for file in files) > 10
