package warp

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// maxMathArgs bounds a function's values and its array's elements together.
const maxMathArgs = 16

// math runs a device math function lane by lane. It returns false after a
// fault: a pointer argument that does not point to memory.
func (w deviceRuntime) math(c *program.Math, m uint32) bool {
	var args [maxMathArgs]uint64
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b)
		n, ok := w.mathArgs(c, l, &args)
		if !ok {
			return false
		}
		r, outs := c.Fn.Fn(args[:n])
		if len(c.Rets) > 0 && c.Fn.Ret != alu.None {
			w.SetWords(c.Rets[0], l, r)
		}
		if !w.mathOuts(c, l, outs) {
			return false
		}
	}
	return true
}

// mathArgs reads the values, then the elements of an array.
func (w deviceRuntime) mathArgs(c *program.Math, l int, args *[maxMathArgs]uint64) (n int, ok bool) {
	for i, p := range c.Fn.Params {
		if p.Role == alu.Value && i < len(c.Args) && n < maxMathArgs {
			args[n] = w.ParamWords(c.Args[i], l)
			n++
		}
	}
	for i, p := range c.Fn.Params {
		if p.Role != alu.Array || i >= len(c.Args) {
			continue
		}
		at, size := w.ParamWords(c.Args[i], l), p.Width.Bytes()
		count := uint64(uint32(args[0]))
		for k := 0; uint64(k) < count && n < maxMathArgs; k++ {
			v, ok := w.peek(at+uint64(k*size), l, size)
			if !ok {
				return n, w.badMathPointer(c, l, at)
			}
			args[n] = v
			n++
		}
	}
	return n, true
}

// mathOuts stores results through pointers.
func (w deviceRuntime) mathOuts(c *program.Math, l int, outs [2]uint64) bool {
	k := 0
	for i, p := range c.Fn.Params {
		if p.Role != alu.Out || i >= len(c.Args) || k == len(outs) {
			continue
		}
		at := w.ParamWords(c.Args[i], l)
		if !w.poke(at, l, p.Width.Bytes(), outs[k]) {
			return w.badMathPointer(c, l, at)
		}
		k++
	}
	return true
}

func (w deviceRuntime) badMathPointer(c *program.Math, l int, at uint64) bool {
	f := w.Fault(trace.FaultOutOfBounds, trace.CauseOutside, c.Site, 1<<l, "%s: pointer %#x does not point to memory", c.Fn.Name, at)
	f.Addr, f.Lane, f.Space = at, l, trace.SpaceGlobal
	return false
}
