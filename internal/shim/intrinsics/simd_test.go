package intrinsics

import (
	"math"
	"strings"
)

// simdModels are the functions on packed bytes and halves ("CUDA Math API",
// "SIMD Intrinsics") and the dynamic programming ones.
func simdModels() []model {
	return []model{
		rule("__v(absdiff|abs|add|avg|hadd|max|min|sad|sub|neg)(ss|us|s|u)?([24])", packed),
		rule("__v(cmp|set)(eq|ne|ge|gt|le|lt)([su]?)([24])", packedCompare),
		rule("__vi(add)?(max|min)(3?)_(s32|u32|s16x2|u16x2)(_relu)?", dpx),
	}
}

// lanesOf splits a word into bytes or halves.
func lanesOf(word uint64, n int, signed bool) []int64 {
	var out []int64
	width := 32 / n
	for i := range n {
		v := int64(word >> (width * i) & (1<<width - 1))
		if signed {
			v = v << (64 - width) >> (64 - width)
		}
		out = append(out, v)
	}
	return out
}

func pack(v []int64) uint64 {
	width, word := 32/len(v), uint64(0)
	for i, x := range v {
		word |= uint64(x) & (1<<width - 1) << (width * i)
	}
	return word
}

func clamp(v int64, width int, mode string) int64 {
	switch mode {
	case "ss":
		return max(min(v, 1<<(width-1)-1), -1<<(width-1))
	case "us":
		return max(min(v, 1<<width-1), 0)
	}
	return v
}

func packed(c *call) []want {
	op, mode := c.m[1], c.m[2]
	n := int(c.m[3][0] - '0')
	signed := mode == "s" || mode == "ss" || op == "abs"
	a, b, sum := lanesOf(c.args[0].bits[0], n, signed), make([]int64, n), int64(0)
	if len(c.args) > 1 {
		b = lanesOf(c.args[1].bits[0], n, signed)
	}
	for i := range a {
		v := packedOp(op, a[i], b[i])
		sum += v
		a[i] = clamp(v, 32/n, mode)
	}
	if op == "sad" {
		return one(uint64(sum))
	}
	return one(pack(a))
}

func packedOp(op string, a, b int64) int64 {
	switch op {
	case "abs":
		return max(a, -a)
	case "absdiff", "sad":
		return max(a-b, b-a)
	case "add":
		return a + b
	case "sub":
		return a - b
	case "neg":
		return -a
	case "avg": // PTX ISA, "vavrg2": one more if the sum is not negative
		if a+b >= 0 {
			return (a + b + 1) >> 1
		}
		return (a + b) >> 1
	case "hadd":
		return (a + b) >> 1
	case "max":
		return max(a, b)
	}
	return min(a, b)
}

func compare[T int64 | float64](op string, a, b T) bool {
	switch op {
	case "eq":
		return a == b
	case "ne":
		return a != b
	case "ge":
		return a >= b
	case "gt":
		return a > b
	case "le":
		return a <= b
	}
	return a < b
}

func packedCompare(c *call) []want {
	n := int(c.m[4][0] - '0')
	a, b := lanesOf(c.args[0].bits[0], n, c.m[3] == "s"), lanesOf(c.args[1].bits[0], n, c.m[3] == "s")
	for i := range a {
		holds := compare(c.m[2], a[i], b[i])
		a[i] = 0
		if holds && c.m[1] == "cmp" {
			a[i] = -1
		} else if holds {
			a[i] = 1
		}
	}
	return one(pack(a))
}

// dpx is the larger or smaller of two, of three, or of a sum and a third, and
// with _relu not below zero.
func dpx(c *call) []want {
	n := 1
	if strings.HasSuffix(c.m[4], "x2") {
		n = 2
	}
	signed := c.m[4][0] == 's'
	var a [][]int64
	for _, v := range c.args {
		a = append(a, lanesOf(v.bits[0], n, signed))
	}
	out := make([]int64, n)
	for i := range out {
		out[i] = dpxLane(c.m, a, i, n, signed)
	}
	return one(pack(out) & math.MaxUint32)
}

func dpxLane(m []string, a [][]int64, i, n int, signed bool) int64 {
	rest := a[1:]
	v := a[0][i]
	if m[1] == "add" {
		v = lanesOf(uint64(a[0][i]+a[1][i])&(1<<(32/n)-1), n, signed)[0]
		rest = a[2:]
	}
	for _, b := range rest {
		if m[2] == "max" {
			v = max(v, b[i])
		} else {
			v = min(v, b[i])
		}
	}
	if m[5] != "" {
		v = max(v, 0)
	}
	return v
}
