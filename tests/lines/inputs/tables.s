# Tables of version 5: strings of every section, MD5, sources, times, blocks, contents of a vendor; 32 and 64 bits.
	.include "unit.inc"
	.section .debug_line_str, "MS", @progbits, 1
	.asciz "/folder"
ls1:	.asciz "main.x"
ls2:	.asciz "text of main.x"
	.section .debug_str, "MS", @progbits, 1
	.asciz "not used"
s1:	.asciz "/folder/second"
s2:	.asciz "two.x"
.macro tables number, offset
	unit 5, \number
	.byte 1, 1, 1, -5, 14, 13
	lengths
	.byte 1; .uleb128 1, 0x0e	# DW_LNCT_path, DW_FORM_strp
	.uleb128 3
	.\offset .debug_str, s1, s1
	.byte 7; .uleb128 1, 0x1f, 2, 0x0b, 3, 0x0f, 4, 0x06, 5, 0x1e, 0x2001, 0x1f, 0x2abc, 0x0a
	.uleb128 3
	.\offset ls1; .byte 0; .uleb128 1000; .long 70000; .octa 0x0123456789abcdef0011223344556677; .\offset ls2; .byte 2, 8, 9
	.\offset ls1; .byte 0; .uleb128 1000; .long 70000; .octa 0x0123456789abcdef0011223344556677; .\offset ls2; .byte 0
	.\offset ls1; .byte 2; .uleb128 0; .long 0; .octa 0; .\offset ls2; .byte 1, 0
	start
	set_address code+0x100*\number
	.byte copy
	set_file 2
	.byte 20
	set_file 0
	.byte 21
	advance_pc 4
	end_sequence
	finish
.endm
	tables 0, long
	tables 1, quad
