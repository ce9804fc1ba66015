package devrt

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// maxMathArgs bounds a function's values and its array's elements together.
const maxMathArgs = 16

// Math runs a device math function lane by lane. It returns false after a
// fault: a pointer argument that does not point to memory.
func (b *Block) Math(w Warp, regs *vec.Registers, c *program.Math, m uint32) bool {
	x := mathCall{warp: w, regs: regs, fn: c}
	for ; m != 0; m &= m - 1 {
		x.lane = vec.Lowest(m)
		n, ok := x.arguments()
		if !ok {
			return false
		}
		r, outs := c.Fn.Fn(x.args[:n])
		if len(c.Rets) > 0 && c.Fn.Ret != alu.None {
			regs.SetWords(c.Rets[0], x.lane, r)
		}
		if !x.store(outs) {
			return false
		}
	}
	return true
}

// mathCall is a call of a device math function by one lane.
type mathCall struct {
	warp Warp
	regs *vec.Registers
	fn   *program.Math
	lane int
	args [maxMathArgs]uint64
}

// arguments reads the values, then the elements of an array.
func (x *mathCall) arguments() (n int, ok bool) {
	c, args := x.fn, &x.args
	for i, p := range c.Fn.Params {
		if p.Role == alu.Value && i < len(c.Args) && n < maxMathArgs {
			args[n] = x.regs.ParamWords(c.Args[i], x.lane)
			n++
		}
	}
	for i, p := range c.Fn.Params {
		if p.Role != alu.Array || i >= len(c.Args) {
			continue
		}
		at, size := x.regs.ParamWords(c.Args[i], x.lane), p.Width.Bytes()
		count := uint64(uint32(args[0]))
		for k := 0; uint64(k) < count && n < maxMathArgs; k++ {
			v, ok := x.warp.Peek(at+uint64(k*size), x.lane, size)
			if !ok {
				return n, x.badPointer(at)
			}
			args[n] = v
			n++
		}
	}
	return n, true
}

// store stores results through pointers.
func (x *mathCall) store(outs [2]uint64) bool {
	c := x.fn
	k := 0
	for i, p := range c.Fn.Params {
		if p.Role != alu.Out || i >= len(c.Args) || k == len(outs) {
			continue
		}
		at := x.regs.ParamWords(c.Args[i], x.lane)
		if !x.warp.Poke(at, x.lane, p.Width.Bytes(), outs[k]) {
			return x.badPointer(at)
		}
		k++
	}
	return true
}

// badPointer records that a pointer argument does not point to memory.
func (x *mathCall) badPointer(at uint64) bool {
	f := x.warp.Fault(trace.FaultOutOfBounds, trace.CauseOutside, x.fn.Site, 1<<x.lane, "%s: pointer %#x does not point to memory", x.fn.Fn.Name, at)
	f.Addr, f.Lane, f.Space = at, x.lane, trace.SpaceGlobal
	return false
}
