# A table of version 5 whose paths are in .debug_str: DW_FORM_strp.
	.include "unit.inc"
	.section .debug_str, "MS", @progbits, 1
s1:	.asciz "/folder"
s2:	.asciz "main.x"
	.section .debug_line, "", @progbits
	unit 5
	.byte 1, 1, 1, -5, 14, 13
	lengths
	.byte 1; .uleb128 1, 0x0e, 1; .long s1	# DW_LNCT_path, DW_FORM_strp
	.byte 2; .uleb128 1, 0x0e, 2, 0x0b, 2; .long s2; .byte 0; .long s2; .byte 0
	start
	set_address code
	.byte copy
	advance_pc 1
	end_sequence
	finish
