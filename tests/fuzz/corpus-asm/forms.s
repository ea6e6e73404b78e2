	.file	0 "/src" "k.py" md5 0x00112233445566778899aabbccddeeff
	.section	.text.f,"axG",@progbits,f,comdat
f: .loc 0 5 1 prologue_end discriminator 1 # k.py:5:1
	.p2align 4; nop; .pushsection .note,"",%progbits; .byte 1; .popsection
	#APP
	.rept 2 /* twice
	*/ nop
	.endr
	.macro m
	.loc 1 2 3
	.endm
	.loc 0 1073741823 1 basic_block is_stmt 0 isa 1 view 2 discriminator 2
1:	jmp 1b
	.previous
x = 5
	.byte	1 # DW_AT_GNU_discriminator
	.section .debug_info,"",@progbits
	.long 10
	.short 5
	.byte 1
	.byte 8
	.byte 2 # DW_AT_GNU_discriminator
	.long 1073741823 # DW_AT_call_line
