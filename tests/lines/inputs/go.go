package main

import "os"

func double(x int) int { return x + x }

func main() {
	sum := 0
	for i := range os.Args {
		defer func() { sum++ }()
		sum += double(i)
	}
	println(sum)
}
