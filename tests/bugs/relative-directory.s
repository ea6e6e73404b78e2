# A table of version 5. Directory 1 is relative: to directory 0, that of the compilation (DWARF 5, 6.2.4). The row is of /folder/below/one.x.
	.include "unit.inc"
	unit 5
	.byte 1, 1, 1, -5, 14, 13
	lengths
	.byte 1; .uleb128 1, 0x08, 2; .asciz "/folder", "below"
	.byte 2; .uleb128 1, 0x08, 2, 0x0b, 2; .asciz "zero.x"; .byte 0; .asciz "one.x"; .byte 1
	start
	set_address code
	.byte copy
	advance_pc 1
	end_sequence
	finish
