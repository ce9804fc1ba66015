package x86

import (
	"math"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
)

// The tables of package shadow, as code of AVX-512 for the states of several lanes, and as code for the state of one.

// joining is an access that enters states by a table. kinds are its bits but for who and when, looks is set if it matters what was there. state is what
// states are, is what a first access makes of them, next what they become, t is scratch.
type joining struct {
	*access
	word               *shadow.Word
	kinds              uint64
	looks              bool
	state, is, next, t jit.Vec
}

// of is the instruction for states.
func (j *joining) of(d, q *jit.Inst) *jit.Inst { return pair{d, q}.of(j.word.Bits / 8) }

func (j *joining) constant(v uint64) operand { return j.g.constant(j.word.Bits/8, v) }

// leaveIf leaves the code unless a mask is empty.
func (j *joining) leaveIf(k jit.K) {
	j.g.KOrTest(k, k, 16)
	j.g.JumpIf(jit.NE, j.slow)
}

// gather loads what the lanes of a mask have at a place, 0 for all lanes.
func (j *joining) gather(d jit.Vec, place jit.Mem, mask jit.K) {
	if mask == 0 {
		j.g.KXnor(5, 5, 5, 16)
	} else {
		j.g.KCopy(5, mask)
	}
	j.op3(j.of(jit.VPXORD, jit.VPXORQ), d, d, vreg(d), 0, 0)
	j.op3(j.of(jit.VPGATHERDD, jit.VPGATHERQQ), d, 0, operand{m: &place}, 0, 5)
}

// scatter stores the lanes of a mask.
func (j *joining) scatter(v jit.Vec, place jit.Mem, mask jit.K) {
	j.g.KCopy(5, mask)
	j.op3(j.of(jit.VPSCATTERDD, jit.VPSCATTERQQ), v, 0, operand{m: &place}, 0, 5)
}

// join makes the next states of the lanes of a mask, 0 for all, and leaves the code where one of them asks the history. States less than first are
// unknown. k5 are the lanes of a row, k6 those of the rows that are left.
func (j *joining) join(first jit.Mem, mask jit.K) {
	first.Bcast = true
	test, none, or := j.of(jit.VPTESTMD, jit.VPTESTMQ), j.of(jit.VPTESTNMD, jit.VPTESTNMQ), j.of(jit.VPORD, jit.VPORQ)
	if j.looks && j.word.Written != 0 {
		j.op3(none, 6, j.state, j.constant(j.word.Written), 0, mask)
		j.leaveIf(6)
	}
	j.op2(j.of(jit.VMOVDQU32, jit.VMOVDQU64), j.next, vreg(j.is))
	j.op3(j.of(jit.VPXORD, jit.VPXORQ), j.t, j.state, vreg(j.is), 0, 0)
	j.op3(j.of(jit.VPCMPUD, jit.VPCMPUQ), 6, j.state, operand{m: &first}, 5, mask)
	n := len(j.word.Rows) - 1 // unknown, others, the same thread
	for i := 1; i < n; i++ {
		r := &j.word.Rows[i]
		j.op3(test, 5, j.t, j.constant(r.Differs), 0, 6)
		if i < n-1 {
			j.op3(none, 6, j.t, j.constant(r.Differs), 0, 6)
		} else { // the last one replaces those of its lanes
			j.op3(or, j.next, j.state, j.constant(j.word.Rows[n].Take&j.kinds), 0, 6)
		}
		switch others := r.Alike &^ j.kinds; {
		case r.Alike != 0 && others == 0:
			j.leaveIf(5)
			continue
		case r.Alike != 0:
			j.op3(test, 7, j.state, j.constant(others), 0, 5)
			j.leaveIf(7)
		}
		if r.Keep == math.MaxUint64 {
			j.op3(or, j.next, j.state, j.constant(r.Set|r.Take&j.kinds), 0, 5)
		} else {
			j.op3(j.of(jit.VPANDD, jit.VPANDQ), j.next, j.state, j.constant(r.Keep), 0, 5)
			j.op3(or, j.next, j.next, vreg(j.is), 0, 5)
		}
	}
}

// joinOne makes RDI the state after RAX by an access R13 of which the bits but for who and when are known, by a table of states of 64 bits. It continues at a
// label, or at another one where the history is asked. States less than first are unknown.
func (g *gen) joinOne(word *shadow.Word, first jit.Mem, kinds uint64, enter, fails jit.Label) {
	rows := word.Rows[1:]
	labels := make([]jit.Label, len(rows)-1)
	g.Lea(jit.RDI, jit.At(jit.R13, 0))
	g.OpMem(jit.CMP, true, jit.RAX, first)
	g.JumpIf(jit.B, enter)
	g.Op(jit.XOR, true, jit.RDI, jit.RAX)
	g.Move32(jit.RCX, jit.RDI)
	for i := range labels {
		labels[i] = g.NewLabel()
		if differs := rows[i].Differs; differs <= math.MaxInt32 {
			g.TestImm(jit.RCX, int32(differs))
		} else { // all bits from one on
			g.ShiftImm(jit.SHR, true, jit.RDI, byte(bits.TrailingZeros64(differs)))
		}
		g.JumpIf(jit.NE, labels[i])
	}
	for i := len(rows) - 1; i >= 0; i-- {
		if i < len(labels) {
			g.Bind(labels[i])
		}
		g.rowOne(&rows[i], kinds, fails)
		if i > 0 {
			g.Jump(enter)
		}
	}
}

// rowOne is a row of joinOne.
func (g *gen) rowOne(r *shadow.Row, kinds uint64, fails jit.Label) {
	switch {
	case r.Alike != 0 && r.Alike&^kinds == 0:
		g.Jump(fails)
		return
	case r.Alike != 0:
		g.TestImm(jit.RAX, int32(r.Alike&^kinds))
		g.JumpIf(jit.NE, fails)
	}
	if r.Keep != math.MaxUint64 {
		g.Move32(jit.RDI, jit.RAX)
		g.OpImm(jit.AND, false, jit.RDI, int32(r.Keep))
		g.Op(jit.OR, true, jit.RDI, jit.R13)
		return
	}
	g.MoveImm(jit.RDI, r.Set|r.Take&kinds)
	g.Op(jit.OR, true, jit.RDI, jit.RAX)
}
