# A cubin as nvlink makes it, but for its machine and type: two units of NVIDIA's extended line map, three kernels at address 0, PTX of each unit.
	.macro	call context, function	# DW_LNE_inlined_call
	.byte	0, 3, 0x90
	.uleb128 \context
	.uleb128 \function
	.endm
	.macro	at kernel		# DW_LNE_set_address
	.byte	0, 9, 2
	.quad	\kernel
	.endm
	.macro	row			# DW_LNS_copy
	.byte	1
	.endm
	.macro	line by
	.byte	3
	.sleb128 \by
	.endm
	.macro	code by
	.byte	2
	.uleb128 \by
	.endm
	.macro	end
	.byte	0, 1, 1
	.endm
	.macro	opcodes
	.byte	1, 1, -5, 14, 10
	.byte	0, 1, 1, 1, 1, 0, 0, 0, 1
	.endm
	.macro	unit name		# up to the tables of directories and files
	.long	\name\()_end - \name\()_start
\name\()_start:
	.short	2
	.long	\name\()_program - \name\()_tables
\name\()_tables:
	opcodes
	.endm
	.macro	file name
	.asciz	"\name"
	.byte	0, 0, 0
	.endm

	.section .text.first,"ax",@progbits
	.globl	first
first:	.zero	64
	.section .text.second,"ax",@progbits
	.globl	second
second:	.zero	96
	.section .text.third,"ax",@progbits
	.globl	third
third:	.zero	32

	.section .debug_str,"MS",@progbits,1
	.asciz	"inner"			# 0
	.asciz	"outer"			# 6
	.asciz	"other"			# 12: 0 of the second unit

	.section .debug_line,"",@progbits
	unit	one
	.byte	0
	file	one.cu
	.byte	0
	.long	0			# names begin at 0
one_program:
	at	first
	line	9			# row 1: one.cu:10
	row
	code	16
	line	1			# row 2: one.cu:11
	row
	call	2, 6			# row 3: outer at one.cu:30, from 11
	line	19
	row
	call	3, 0			# row 4: inner at one.cu:40, from 30
	line	10
	row
	call	0, 0			# row 5: one.cu:12
	line	-28
	code	32
	row
	code	16
	end
	at	second
	line	49			# row 1: one.cu:50
	row
	code	8
	row				# row 2
	call	1, 0			# row 3: inner at one.cu:41, from 50
	line	-9
	row
	code	40			# row 4: inner at one.cu:41, from the first row, once more
	row
	call	0, 0
	code	48
	end
one_end:
	unit	two
	.byte	0
	file	two.cu
	.byte	0
	.long	12
two_program:
	at	third
	line	4			# row 1: two.cu:5
	row
	call	1, 0			# row 2: other at two.cu:1, from 5
	line	-4
	row
	code	32
	end
two_end:

	.section .nv_debug_line_sass,"",@progbits
	unit	ptx
	.byte	0
	file	.nv_debug_ptx_txt.1
	file	.nv_debug_ptx_txt.2
	.byte	0
ptx_program:
	at	second			# in another order
	.byte	4, 1			# DW_LNS_set_file
	line	2
	row
	code	96
	end
	at	first
	.byte	4, 1
	line	1
	row
	code	16
	line	2
	row
	code	48
	end
	at	third
	.byte	4, 2
	row
	code	32
	end
ptx_end:

	.section .nv_debug_ptx_txt.1,"",@progbits
	.asciz	".entry first()"
	.asciz	"add.f32\t%f1, %f2, %f3;"
	.asciz	".entry second()"
	.asciz	""
	.section .nv_debug_ptx_txt.2,"",@progbits
	.asciz	".entry third()"
