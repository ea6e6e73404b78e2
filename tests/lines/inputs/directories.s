# A directory that is not there.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 13
	lengths
	.asciz "/first", ""
	.asciz "one.x"; .uleb128 1, 0, 0
	.asciz "two.x"; .uleb128 2, 0, 0
	.byte 0
	start
	set_address code
	.byte copy
	set_file 2
	.byte 20
	advance_pc 1
	end_sequence
	finish
