# A row that begins an epilogue, made by a special opcode, and another one. The sequence ends behind both.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 13
	lengths
	files
	start
	set_address code
	.byte copy, epilogue_begin, 13 + 5 + 14 + 1, 13 + 5 + 14 + 1
	advance_pc 1
	end_sequence
	finish
