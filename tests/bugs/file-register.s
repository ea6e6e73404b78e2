# A table of version 5. The file register starts as 1 (DWARF 5, table 6.4): the row is of one.x.
	.include "unit.inc"
	unit 5
	.byte 1, 1, 1, -5, 14, 13
	lengths
	.byte 1; .uleb128 1, 0x08, 1; .asciz "/folder"	# DW_LNCT_path, DW_FORM_string
	.byte 2; .uleb128 1, 0x08, 2, 0x0b, 2; .asciz "zero.x"; .byte 0; .asciz "one.x"; .byte 0
	start
	set_address code
	.byte copy
	advance_pc 1
	end_sequence
	finish
