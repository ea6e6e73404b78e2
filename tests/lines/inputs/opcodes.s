# Every opcode of DWARF 4, and some that it leaves to others.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -3, 12, 15
	lengths
	.byte 2, 0	# of opcodes 13 and 14
	files
	start
	set_column 3
	set_address code
	.byte copy
	discriminator 5
	.byte 15 + 3, 15 + 12 + 4	# line 1; address 1, line 2
	.byte basic_block, copy, prologue_end, copy, epilogue_begin, copy
	.byte negate_stmt, basic_block, prologue_end, epilogue_begin, 15 + 4, negate_stmt
	set_file 2
	advance_line 40
	advance_pc 17
	.byte copy, const_add_pc, copy, fixed_advance_pc
	.short 0x0123
	.byte copy, set_isa
	.uleb128 200
	.byte copy
	.byte 13; .uleb128 300, 5	# not known: two operands
	.byte 14, copy
	.byte 0, 4, 0x85, 1, 2, 3, copy	# not known, extended
	.byte 0; .uleb128 2f - 1f	# DW_LNE_define_file
1:	.byte 3; .asciz "three.x"; .uleb128 1, 0, 0
2:	set_file 3
	advance_line -30
	.byte copy, 255
	discriminator 300
	advance_pc 4
	end_sequence
	.byte copy	# the registers are those of the start
	advance_pc 1
	end_sequence
	finish
