package engine_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// watcher notes where undefined values matter: the bytes of results, and whether one
// decided what happens.
type watcher struct {
	decided bool
	stored  map[uint64]bool // bytes of global memory
	stores  []uint64        // addresses of the store at work, by lane
}

func (w *watcher) observer() *trace.Observer {
	return &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{MarksWritten: true, Block: w.block}}
	}}
}

func (w *watcher) block() *trace.BlockObserver {
	return &trace.BlockObserver{
		Begin: func(*trace.Block) {}, End: func() {},
		Global: func(a *trace.Access) { w.stores = append(w.stores[:0], a.Addr[:]...) },
		Unwritten: func(e *trace.Unwritten) {
			for m := e.Mask; m != 0; m &= m - 1 {
				e.Origin[bits.TrailingZeros32(m)] = 1
			}
		},
		Undefined: &trace.UndefinedObserver{
			Reread: func(*trace.Reread) {}, Mixed: func(uint32, uint32) {},
			Lasting: func(o uint32) uint32 { return o },
			Used: func(e *trace.Used) {
				if e.Purpose != trace.StoredInGlobal {
					w.decided = true
					return
				}
				for m := e.Mask; m != 0; m &= m - 1 {
					for i := range uint64(e.Site.Size) {
						w.stored[w.stores[bits.TrailingZeros32(m)]+i] = true
					}
				}
			},
		},
	}
}

// undefinedProgram is a random kernel k(tab, out, ctr): threads load words of the table,
// compute, exchange values through shared and local memory, choose, and store.
func undefinedProgram(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(header + `
.shared .align 4 .b8 s[256];
.visible .entry k(.param .u64 k_tab, .param .u64 k_out, .param .u64 k_ctr)
{
	.reg .pred %p<4>; .reg .b32 %r<12>; .reg .b32 %t, %c, %x; .reg .b64 %tab, %out, %d<4>;
	.local .align 4 .b8 l[64];
	ld.param.u64 %tab, [k_tab]; ld.param.u64 %out, [k_out];
	mov.u32 %t, %tid.x; mov.u32 %c, %ctaid.x; mad.lo.u32 %x, %c, %ntid.x, %t;
	mul.wide.u32 %d0, %x, 256; add.u64 %out, %out, %d0;
	mul.wide.u32 %d1, %t, 4; add.u64 %d2, %tab, %d1;
	mov.u64 %d3, s; add.u64 %d3, %d3, %d1;
`)
	reg := func() int { return r.Intn(8) }
	for i := range 8 {
		fmt.Fprintf(&b, "\tld.global.u32 %%r%d, [%%d2+%d];\n", i, 4*r.Intn(30))
	}
	ops := []string{"and.b32", "or.b32", "xor.b32", "add.u32", "sub.u32", "mul.lo.u32", "min.u32", "max.s32", "add.f32", "div.u32", "shl.b32", "shr.u32"}
	for range 4 + r.Intn(16) {
		d, x, y := reg(), reg(), reg()
		switch r.Intn(12) {
		case 0:
			fmt.Fprintf(&b, "\tst.shared.u32 [%%d3], %%r%d;\n\tbar.sync 0;\n\tld.shared.u32 %%r%d, [s+%d];\n\tbar.sync 0;\n", x, d, 4*r.Intn(32))
		case 1:
			fmt.Fprintf(&b, "\tst.local.u32 [l+%d], %%r%d;\n\tld.local.u16 %%r%d, [l+%d];\n", 4*(x%4), x, d, 4*(x%4)+2*r.Intn(2))
		case 2:
			fmt.Fprintf(&b, "\tsetp.lt.s32 %%p1, %%r%d, %%r%d;\n\tselp.b32 %%r%d, %%r%d, %%r%d, %%p1;\n", x, y, d, reg(), reg())
		case 3:
			fmt.Fprintf(&b, "\tsetp.eq.u32 %%p2, %%r%d, %%r%d;\n\t@%%p2 mov.b32 %%r%d, %%r%d;\n", x, y, d, reg())
		case 4:
			if r.Intn(3) == 0 {
				n := b.Len()
				fmt.Fprintf(&b, "\tsetp.gt.u32 %%p3, %%r%d, %d;\n\t@%%p3 bra L%d;\n\txor.b32 %%r%d, %%r%d, %%r%d;\nL%d:\n", x, r.Uint32(), n, d, d, y, n)
			}
		case 5:
			fmt.Fprintf(&b, "\tand.b32 %%r%d, %%r%d, %d;\n", d, x, []uint32{0xff, 0xffff, 0xff00, 1}[r.Intn(4)])
		case 6:
			fmt.Fprintf(&b, "\tshfl.sync.bfly.b32 %%r%d, %%r%d, %d, 31, -1;\n", d, x, r.Intn(32))
		default:
			fmt.Fprintf(&b, "\t%s %%r%d, %%r%d, %%r%d;\n", ops[r.Intn(len(ops))], d, x, y)
		}
	}
	for i := range 8 {
		fmt.Fprintf(&b, "\tst.global.u32 [%%out+%d], %%r%d;\n", 8*i, i)
	}
	b.WriteString("\tret;\n}\n")
	return b.String()
}

// undefinedCase is a random program and its memory, of which some bytes of the table at
// at are uninitialized.
type undefinedCase struct {
	mod           *ptx.Module
	tab, out, ctr *buffer
	params        []byte
	at, size      uint64
}

func newUndefinedCase(t *testing.T, r *rand.Rand) *undefinedCase {
	c := &undefinedCase{mod: parse(t, undefinedProgram(r)), tab: newBuffer(t, diffTable), out: newBuffer(t, diffGrid*32*256), ctr: newBuffer(t, 4)}
	r.Read(c.tab.bytes())
	c.at, c.size = uint64(r.Intn(250)), uint64(1+r.Intn(6))
	c.tab.Written.Mark(0, c.at)
	c.tab.Written.Mark(c.at+c.size, diffTable-c.at-c.size)
	c.out.Written.Mark(0, c.out.Size)
	for _, b := range []*buffer{c.tab, c.out, c.ctr} {
		c.params = binary.LittleEndian.AppendUint64(c.params, b.Base)
	}
	return c
}

// fills are the results that the reference has for several contents of the uninitialized bytes.
func (c *undefinedCase) fills(t *testing.T, r *rand.Rand) (results [][]byte) {
	for fill := range 5 {
		ref := newReference(c.mod)
		ref.params = c.params
		for _, b := range []*buffer{c.tab, c.out, c.ctr} {
			ref.global[b.Base] = bytes.Clone(b.bytes())
		}
		for i := range c.size {
			ref.global[c.tab.Base][c.at+i] = []byte{0, 0xff, 1, 0x80, byte(r.Intn(256))}[fill]
		}
		if !ref.run("k", diffGrid, 32) {
			t.Fatal("too long")
		}
		results = append(results, ref.global[c.out.Base])
	}
	return results
}

// watch runs the program on the engine.
func (c *undefinedCase) watch(t *testing.T) *watcher {
	w := &watcher{stored: map[uint64]bool{}}
	a, _ := arch.Parse("sm_80")
	e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1, Observers: []*trace.Observer{w.observer()}})
	res, err := e.Run(context.Background(), lowered(t, c.mod, "k", nil), engine.Launch{Grid: trace.Dim3{X: diffGrid, Y: 1, Z: 1},
		Block: trace.Dim3{X: 32, Y: 1, Z: 1}, Params: c.params})
	if err != nil || res.Fault != nil {
		t.Fatal(err, res.Fault)
	}
	return w
}

// TestUndefinedAgainstFills runs random programs of which a few bytes of the input are
// uninitialized. The reference interpreter runs each with several contents of these
// bytes. Where nothing undefined decides what happens, the results may differ only in
// bytes that are undefined.
func TestUndefinedAgainstFills(t *testing.T) {
	arena.TrackWrites()
	n := min(300, 5*programs(300))
	decided, vary := int64(0), int64(0)
	for seed := range n {
		r := rand.New(rand.NewSource(seed))
		c := newUndefinedCase(t, r)
		results, w := c.fills(t, r), c.watch(t)
		if w.decided {
			decided++
			continue
		}
		varies := false
		for i := range results[0] {
			if !slices.ContainsFunc(results[1:], func(x []byte) bool { return x[i] != results[0][i] }) {
				continue
			}
			varies = true
			if u, _ := c.out.Taint.At(uint64(i)); u == 0 && !w.stored[c.out.Base+uint64(i)] {
				t.Fatalf("seed %d: byte %d of the results depends on bytes %d to %d of the input, and is not undefined:\n%s",
					seed, i, c.at, c.at+c.size-1, undefinedProgram(rand.New(rand.NewSource(seed))))
			}
		}
		if varies {
			vary++
		}
	}
	if decided < n/20 || vary < n/5 {
		t.Errorf("%d programs decide by an undefined value, and %d have results that vary: one kind is hardly tested", decided, vary)
	}
}
