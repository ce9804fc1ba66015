package engine_test

import (
	"math"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// The reference interpreter's operations among threads.

// exchange completes warp operations for which all living lanes of the mask
// have come. It reports whether there were any.
func exchange(threads []*refThread) bool {
	any := false
	for w := 0; w < len(threads); w += 32 {
		lanes := threads[w:min(w+32, len(threads))]
		for l, t := range lanes {
			if t.warpOp == nil {
				continue
			}
			mask := t.memberMask()
			if !mask.complete(lanes, t.warpOp) {
				continue
			}
			finishWarpOp(lanes, uint32(mask), t.warpOp)
			any = any || lanes[l].warpOp == nil
		}
	}
	return any
}

type refMask uint32

// memberMask is the last operand of the operation that the thread waits at.
func (t *refThread) memberMask() refMask {
	args := t.warpOp.Args
	return refMask(t.value(args[len(args)-1], 32))
}

func (m refMask) complete(lanes []*refThread, in *ptx.Instr) bool {
	for l, t := range lanes {
		if m>>l&1 != 0 && !t.done && t.warpOp != in {
			return false
		}
	}
	return true
}

// finishWarpOp gives each lane its result.
func finishWarpOp(lanes []*refThread, mask uint32, in *ptx.Instr) {
	var values [32]uint64
	came := uint32(0)
	for l, t := range lanes {
		if mask>>l&1 != 0 && t.warpOp == in {
			came |= 1 << l
			if len(in.Args) > 1 {
				values[l] = t.value(in.Args[1], 32)
			}
		}
	}
	for l, t := range lanes {
		if came>>l&1 != 0 {
			t.warpResult(l, came, &values, in)
		}
	}
	for l, t := range lanes {
		if came>>l&1 != 0 {
			t.warpOp = nil
		}
	}
}

func (t *refThread) warpResult(l int, came uint32, values *[32]uint64, in *ptx.Instr) {
	switch in.Op {
	case "shfl":
		v, ok := t.shuffled(l, came, values, in)
		t.setPair(in.Args[0], v, b2i(ok))
	case "vote":
		t.set(in.Args[0], voted(came, values, in))
	case "match":
		same := uint32(0)
		for k := range 32 {
			if came>>k&1 != 0 && values[k] == values[l] {
				same |= 1 << k
			}
		}
		if in.Has("all") {
			all := same == came
			t.setPair(in.Args[0], uint64(same)*b2i(all), b2i(all))
			return
		}
		t.set(in.Args[0], uint64(same))
	case "redux":
		t.set(in.Args[0], reduced(came, values, in))
	}
}

// setPair sets d or d|p.
func (t *refThread) setPair(o ptx.Operand, d, p uint64) {
	if pair, ok := o.(*ptx.Pair); ok {
		t.set(pair.A, d)
		t.set(pair.B, p)
		return
	}
	t.set(o, d)
}

// shuffled follows the text of PTX ISA, "shfl.sync"; a source that did not
// come gives 0, as the engine has it.
func (t *refThread) shuffled(l int, came uint32, values *[32]uint64, in *ptx.Instr) (uint64, bool) {
	b, c := int(t.value(in.Args[2], 32)&31), int(t.value(in.Args[3], 32))
	clamp, seg := c&31, c>>8&31
	most, least := l&seg|clamp&^seg, l&seg
	j, ok := 0, false
	switch {
	case in.Has("up"):
		j = l - b
		ok = j >= most
	case in.Has("down"):
		j = l + b
		ok = j <= most
	case in.Has("bfly"):
		j = l ^ b
		ok = j <= most
	default:
		j = least | b&^seg
		ok = j <= most
	}
	if !ok {
		return values[l], false
	}
	if came>>j&1 == 0 {
		return 0, true
	}
	return values[j], true
}

func voted(came uint32, values *[32]uint64, in *ptx.Instr) uint64 {
	ballot := uint32(0)
	for k := range 32 {
		if came>>k&1 != 0 {
			ballot |= uint32(values[k]&1) << k
		}
	}
	switch {
	case in.Has("ballot"):
		return uint64(ballot)
	case in.Has("all"):
		return b2i(ballot == came)
	case in.Has("any"):
		return b2i(ballot != 0)
	}
	return b2i(ballot == came || ballot == 0)
}

func reduced(came uint32, values *[32]uint64, in *ptx.Instr) uint64 {
	if in.Has("f32") {
		return uint64(math.Float32bits(reducedFloat(came, values, in)))
	}
	first := true
	var v uint32
	for m := came; m != 0; m &= m - 1 {
		x := uint32(values[bits.TrailingZeros32(m)])
		switch {
		case first:
			v = x
		case in.Has("add"):
			v += x
		case in.Has("min"):
			v = uint32(min(int32(v), int32(x)))
		case in.Has("max"):
			v = max(v, x)
		case in.Has("and"):
			v &= x
		case in.Has("or"):
			v |= x
		case in.Has("xor"):
			v ^= x
		}
		first = false
	}
	return uint64(v)
}

// reducedFloat follows the text of PTX ISA, "redux.sync": NaNs count with .NaN only, +0 is
// more than -0, and a NaN is the canonical one.
func reducedFloat(came uint32, values *[32]uint64, in *ptx.Instr) float32 {
	nan := math.Float32frombits(0x7fffffff)
	v, some := nan, false
	for m := came; m != 0; m &= m - 1 {
		x := math.Float32frombits(uint32(values[bits.TrailingZeros32(m)]))
		if in.Has("abs") {
			x = float32(math.Abs(float64(x)))
		}
		switch {
		case x != x && in.Has("NaN"):
			return nan
		case x != x:
		case !some:
			v, some = x, true
		case in.Has("min"):
			v = min(v, x) // Go orders the zeros too
		default:
			v = max(v, x)
		}
	}
	return v
}

// barrier brings the thread to a barrier.
func (t *refThread) barrier(in *ptx.Instr) {
	args := in.Args
	if in.Has("red") {
		args = args[1:]
	}
	id := int(t.value(args[0], 32))
	if in.Has("arrive") {
		t.arrived = id + 1
		return
	}
	t.waits, t.barID, t.barOp = true, id, in
}

// releaseBarrier lets the threads continue that wait at a barrier to which all
// living threads have come.
func releaseBarrier(threads []*refThread) {
	for id := range 16 {
		waiting, all := []*refThread{}, true
		for _, t := range threads {
			switch {
			case t.waits && t.barID == id:
				waiting = append(waiting, t)
			case !t.done && t.arrived != id+1:
				all = false
			}
		}
		if all && len(waiting) > 0 {
			openBarrier(waiting)
			for _, t := range threads {
				if t.arrived == id+1 {
					t.arrived = 0
				}
			}
			return
		}
	}
}

func openBarrier(waiting []*refThread) {
	count, n := uint64(0), uint64(0)
	for _, t := range waiting {
		if t.barOp.Has("red") {
			n++
			count += t.value(t.barOp.Args[len(t.barOp.Args)-1], 1)
		}
	}
	for _, t := range waiting {
		switch in := t.barOp; {
		case in.Has("popc"):
			t.set(in.Args[0], count)
		case in.Has("and"):
			t.set(in.Args[0], b2i(count == n))
		case in.Has("or"):
			t.set(in.Args[0], b2i(count > 0))
		}
		t.waits = false
	}
}

// atomic does atom and red on 32 bits.
func (t *refThread) atomic(in *ptx.Instr) {
	args := in.Args
	if in.Op == "atom" {
		args = args[1:]
	}
	b := t.at(in, args[0], 4)
	old, v := uint32(readBytes(b, 4)), uint32(t.value(args[1], 32))
	var now uint32
	switch {
	case in.Has("add"):
		now = old + v
	case in.Has("exch"):
		now = v
	case in.Has("min"):
		now = uint32(min(int32(old), int32(v)))
	case in.Has("max"):
		now = max(old, v)
	case in.Has("and"):
		now = old & v
	case in.Has("or"):
		now = old | v
	case in.Has("xor"):
		now = old ^ v
	case in.Has("inc"):
		if old < v {
			now = old + 1
		}
	case in.Has("dec"):
		if now = old - 1; old == 0 || old > v {
			now = v
		}
	case in.Has("cas"):
		if now = old; old == v {
			now = uint32(t.value(args[2], 32))
		}
	}
	for k := range 4 {
		b[k] = byte(now >> (8 * k))
	}
	if in.Op == "atom" {
		t.set(in.Args[0], uint64(old))
	}
}
