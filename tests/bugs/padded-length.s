# The length of an extended opcode is a ULEB128, here with more bytes than it needs: discriminator 9, and then a row at line 1.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 13
	lengths
	files
	start
	set_address code
	.byte 0, 0x82, 0x80, 0x00, 4, 9, copy
	advance_pc 1
	end_sequence
	finish
