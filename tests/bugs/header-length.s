# header_length says where the program begins: behind four bytes that belong to nobody. Its only row is at line 1.
	.include "unit.inc"
	unit 4
	.byte 1, 1, 1, -5, 14, 13
	lengths
	files
	.byte 3, 100, 1, 1	# would be line 101, and two rows
	start
	set_address code
	.byte copy
	advance_pc 1
	end_sequence
	finish
