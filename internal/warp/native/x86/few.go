package x86

import (
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// fewLanes is up to how many lanes are loaded one by one. A gather takes as long for a lane as for all.
const fewLanes = 4

// singly is a load that does lane by lane where few lanes run.
type singly struct{ *access }

// unlessFew goes off the way where few lanes run: these load from RAX and the place of each, one after the other.
// places are rows of 4 bytes (width 4) or 8 for a lane, which count so many bytes. It returns the label for after that.
func (a singly) unlessFew(places []jit.Vec, width, scale uint8) (done jit.Label) {
	g, few := a.g, a.g.NewLabel()
	done = g.NewLabel()
	g.PopCount(jit.RDX, jit.R12)
	g.OpImm(jit.CMP, false, jit.RDX, fewLanes)
	g.JumpIf(jit.BE, few)
	b := singly{new(*a.access)}
	places = append([]jit.Vec(nil), places...)
	g.cold = append(g.cold, func() {
		g.Bind(few)
		b.park(native.CtxAt, places)
		b.oneByOne(width, scale)
		g.Jump(done)
	})
	return done
}

// oneByOne loads the elements of the lanes that run from RAX and their parked places. What a lane has goes to all
// that are left, of which the next ones get their own: the lowest lane of RBX, which k5 has, and RCX.
func (a singly) oneByOne(width, scale uint8) {
	g, next := a.g, a.g.NewLabel()
	g.Move32(jit.RBX, jit.R12)
	g.Bind(next)
	g.TrailingZeros(jit.RCX, jit.RBX)
	g.KFrom(5, jit.RBX)
	if width == 8 {
		g.Load(jit.RDX, laneOf(native.CtxAt, 8))
	} else {
		g.Load32(jit.RDX, laneOf(native.CtxAt, 4))
	}
	g.Lea(jit.RCX, jit.At(jit.RBX, -1))
	for i := range partsOf(a.Mem.Width) {
		k := jit.K(5)
		if i > 0 {
			k = 6
			g.KShiftR(k, 5, byte(i*32/partsOf(a.Mem.Width)))
		}
		for e := range a.Mem.Count {
			if len(a.values[e]) == 0 {
				continue
			}
			at := jit.Mem{Base: jit.RAX, Index: int8(jit.RDX), Scale: scale, Disp: int32(e * a.Mem.Elem)}
			in := jit.VPBROADCASTD
			if a.Mem.Width == alu.W64 {
				in = jit.VPBROADCASTQ
			}
			a.op3(in, a.values[e][i], 0, operand{m: &at}, 0, k)
		}
	}
	g.Op(jit.AND, false, jit.RBX, jit.RCX)
	g.JumpIf(jit.NE, next)
}
