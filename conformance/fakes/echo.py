"""Says everything back that it is told. With `operand`: gives each merge's first operand back as its result."""
import json
import sys

from fake import first_operand, serve

serve(first_operand if "operand" in sys.argv else lambda message: json.dumps(message))
