# Files that are not there, number 0 of version 4; an address that goes back within a sequence; a relative directory.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 13
	lengths
	.asciz "relative", "/absolute", ""
	.asciz "one.x"; .uleb128 1, 0, 0
	.asciz "two.x"; .uleb128 2, 0, 0
	.asciz "/three.x"; .uleb128 1, 0, 0
	.byte 0
	start
	set_address code
	.byte copy
	set_file 2
	.byte 20
	set_file 3
	.byte 20
	set_file 4
	.byte 20
	set_file 0
	.byte 20
	set_file 1
	set_address code
	.byte 20
	advance_pc 9
	end_sequence
	finish
