# A standard opcode that no DWARF defines, with one operand: the header says so, and readers skip it. Then a row at line 6.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 14
	lengths
	.byte 1	# operands of opcode 13
	files
	start
	set_address code
	.byte 13, 42
	advance_line 5
	.byte copy
	advance_pc 1
	end_sequence
	finish
