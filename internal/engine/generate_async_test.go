package engine_test

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// withCopies makes the generator write asynchronous copies as well. It is off
// otherwise, so that seeds keep their programs.
var withCopies bool

// copies writes copies into the thread's own slots, waits for some of them and
// reads what is there in between. At the end all have landed, since other
// threads read the slots after the next barrier.
func (g *generator) copies() {
	for i := range 1 + g.rnd.Intn(3) {
		size := 4 << g.rnd.Intn(3)
		line := fmt.Sprintf("%scp.async.ca.shared.global [%%sown+%d], [%%tab+%d], %d", g.guard(), g.rnd.Intn(16/size)*size, g.rnd.Intn(16)*16, size)
		if g.chance(30) {
			line += fmt.Sprintf(", %d", g.rnd.Intn(size+1))
		}
		g.line("%s;", line)
		if g.chance(60) {
			g.line("%scp.async.commit_group;", g.guard())
		}
		if i > 0 && g.chance(50) {
			g.line("%scp.async.wait_group %d;", g.guard(), g.rnd.Intn(3))
		}
		g.line("ld.shared.u32 %s, [%%sown+%d];", g.reg('r'), 4*g.rnd.Intn(4))
	}
	g.line("%scp.async.wait_group %d;", g.guard(), g.rnd.Intn(2))
	g.line("ld.shared.u64 %s, [%%sown+%d];", g.reg('d'), 8*g.rnd.Intn(2))
	g.line("cp.async.wait_all;")
	g.line("ld.shared.v2.u32 {%%r0, %%r1}, [%%sown+%d];", 8*g.rnd.Intn(2))
}

// refCopy is a copy of a reference thread that has not landed.
type refCopy struct {
	dst, src []byte
	group    int // -1 before it is committed
}

// copyAsync executes cp.async and what belongs to it for one thread.
func (t *refThread) copyAsync(in *ptx.Instr) {
	switch {
	case in.Has("commit_group"):
		for i := range t.copies {
			if t.copies[i].group < 0 {
				t.copies[i].group = t.groups
			}
		}
		t.groups++
	case in.Has("wait_all"):
		t.land(func(refCopy) bool { return true })
	case in.Has("wait_group"):
		n := int(t.value(in.Args[0], 32))
		t.land(func(c refCopy) bool { return c.group >= 0 && c.group+n < t.groups })
	default:
		size := t.value(in.Args[2], 32)
		n := size
		if len(in.Args) > 3 {
			n = t.value(in.Args[3], 32)
		}
		src := in.Args[1].(*ptx.Address)
		global := t.bytes(&ptx.Instr{}, t.value(src.Base, 64)+uint64(src.Offset), int(n))
		t.copies = append(t.copies, refCopy{t.at(in, in.Args[0], int(size))[:size], global[:n], -1})
	}
}

// land completes copies in the order of issue.
func (t *refThread) land(due func(refCopy) bool) {
	var rest []refCopy
	for _, c := range t.copies {
		if !due(c) {
			rest = append(rest, c)
			continue
		}
		clear(c.dst[copy(c.dst, c.src):])
	}
	t.copies = rest
}

// TestDifferentialCopies compares programs with asynchronous copies with the
// reference.
func TestDifferentialCopies(t *testing.T) {
	withCopies = true
	defer func() { withCopies = false }()
	for seed := range programs(60) {
		t.Run(strconv.FormatInt(seed, 10), func(t *testing.T) {
			if err := differ(t, seed, sizeOf(seed)); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestCopiesInterpreted checks the reference itself on one small sequence.
func TestCopiesInterpreted(t *testing.T) {
	mem := binary.LittleEndian.AppendUint64(nil, 0x1122334455667788)
	dst := make([]byte, 8)
	th := &refThread{copies: []refCopy{{dst[:4], mem[:2], 0}, {dst[4:], mem[4:], -1}}, groups: 1}
	th.copyAsync(&ptx.Instr{Op: "cp", Mods: []string{"async", "wait_group"}, Args: []ptx.Operand{&ptx.Imm{}}})
	if got := binary.LittleEndian.Uint64(dst); got != 0x7788 || len(th.copies) != 1 {
		t.Errorf("got %#x and %d copies left", got, len(th.copies))
	}
}
