	.file 1 "a.c"
	.text
	.loc 1 1
	nop
	lui a0, %hi(symbol)
	.zero 70000
	.loc 1 2
	lui a0, %hi(symbol)
	.zero 70000
	.loc 1 3
	nop
