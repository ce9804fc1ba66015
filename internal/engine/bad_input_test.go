package engine_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

const callees = `
.func (.reg .b32 r) one (.reg .b32 a) { add.u32 r, a, 1; ret; }
.func (.reg .b32 r) two (.reg .b32 a, .reg .b32 b) { add.u32 r, a, b; ret; }
.func (.reg .b64 r) wide (.reg .b32 a) { cvt.u64.u32 r, a; ret; }
.func none (.reg .b32 a) { ret; }
`

// TestWrongCalls calls through pointers that are none, or of another type.
func TestWrongCalls(t *testing.T) {
	const call = "P: .callprototype (.reg .b32 _) _ (.reg .b32 _); mov.u32 %%r1, 7; call (%%r0), %%d0, (%%r1), P; st.global.u32 [%%o], %%r0;"
	for _, c := range []struct{ name, pointer, want string }{
		{"right", "mov.u64 %d0, one;", ""},
		{"null", "mov.u64 %d0, 0;", "call through 0x0, which is not the address of a function\nthe address is a null pointer"},
		{"wild", "mov.u64 %d0, 0x123456789;", "not the address of a function\nthe address is not a device address"},
		{"data", "mov.u64 %d0, %o;", "not the address of a function\nthe address is a data address"},
		{"in some lanes", "mov.u64 %d0, one; setp.gt.u32 %p0, %t, 29; @%p0 mov.u64 %d0, 16;", "call through 0x10"},
		{"too few arguments", "mov.u64 %d0, two;", "another type: 1 arguments for 2 parameters"},
		{"another result", "mov.u64 %d0, wide;", "another type: a result of 4 bytes is expected"},
		{"no result", "mov.u64 %d0, none;", "another type: a result of 4 bytes is expected"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := newBuffer(t, 128)
			l := launch{src: simple(callees, c.pointer+"\n"+strings.ReplaceAll(call, "%%", "%")), params: []any{out}}
			if c.want == "" {
				mustRun(t, l)
				expect(t, out.u32(), func(uint32) uint32 { return 8 })
				return
			}
			f := mustFault(t, l, trace.FaultOutOfBounds)
			if text := f.Message + "\n" + strings.Join(f.Notes, "\n"); !strings.Contains(text, c.want) {
				t.Errorf("got %q, want %q", text, c.want)
			}
		})
	}
}

func TestTableIndex(t *testing.T) {
	out := newBuffer(t, 128)
	body := "T: .branchtargets A, B; brx.idx %t, T; A: mov.u32 %r0, 1; B: st.global.u32 [%o], %r0;"
	f := mustFault(t, launch{src: simple("", body), params: []any{out}}, trace.FaultTrap)
	if !strings.Contains(f.Message, "brx.idx with index 2, but the table has 2 targets") {
		t.Error(f.Message)
	}
}

// TestStackLimit has calls nested more deeply than the program allows.
func TestStackLimit(t *testing.T) {
	src := simple(`.func (.reg .b32 r) down (.reg .b32 n) {
		.reg .pred %p; .reg .b32 %m; mov.u32 r, 0; setp.eq.u32 %p, n, 0; @%p ret;
		sub.u32 %m, n, 1; call (r), down, (%m); add.u32 r, r, 1; ret; }`,
		"mov.u32 %r0, 100; call (%r1), down, (%r0); st.global.u32 [%o], %r1;")
	out := newBuffer(t, 128)
	mustRun(t, launch{src: src, params: []any{out}, stack: 64 << 10})
	expect(t, out.u32(), func(uint32) uint32 { return 100 })
	f := mustFault(t, launch{src: src, params: []any{out}, stack: 1024}, trace.FaultStack)
	if !strings.Contains(f.Message, "1024 bytes of stack that the program set") {
		t.Error(f.Message)
	}
}

// TestLargeKernels runs code that is larger than any that a person writes.
func TestLargeKernels(t *testing.T) {
	for _, c := range []struct {
		name string
		body func(b *strings.Builder)
		want uint32
	}{
		{"100000 instructions in a line", func(b *strings.Builder) {
			for i := range 100000 {
				fmt.Fprintf(b, "add.u32 %%r0, %%r0, %d;\n", i&1)
			}
		}, 50000},
		{"100000 blocks", func(b *strings.Builder) {
			for i := range 50000 {
				fmt.Fprintf(b, "setp.eq.u32 %%p0, %%t, %d; @%%p0 bra L%d; add.u32 %%r1, %%r1, 1; L%d: add.u32 %%r0, %%r0, 1;\n", 100+i%7, i, i)
			}
		}, 50000},
		{"2000 branches inside each other", func(b *strings.Builder) {
			for i := range 2000 {
				fmt.Fprintf(b, "setp.eq.u32 %%p0, %%lane, %d; @%%p0 bra L%d;\n", 31-i%32, i)
			}
			for i := range 2000 {
				fmt.Fprintf(b, "L%d: mov.u32 %%r0, 3;\n", i)
			}
		}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString("mov.u32 %r0, 0; mov.u32 %r1, 0;\n")
			c.body(&b)
			b.WriteString("st.global.u32 [%o], %r0;\n")
			expect(t, outs(t, launch{unchecked: true}, "", b.String()), func(uint32) uint32 { return c.want })
		})
	}
}

// TestManyWait has more blocks wait for each other than a worker keeps by
// itself: as many as the device does.
func TestManyWait(t *testing.T) {
	const grid = 400
	body := fmt.Sprintf(`atom.global.add.u32 %%r0, [%%base], 1;
	L:	ld.volatile.global.u32 %%r0, [%%base]; setp.lt.u32 %%p0, %%r0, %d; @%%p0 bra L;
		atom.global.add.u32 %%r0, [%%base+4], 1;`, grid)
	for _, workers := range []int{1, 3} {
		out := newBuffer(t, 8)
		mustRun(t, launch{src: simple("", body), grid: grid, block: 1, workers: workers, params: []any{out}, resident: grid})
		if got := out.u32()[1]; got != grid {
			t.Errorf("%d workers: %d blocks met, want %d", workers, got, grid)
		}
	}
}

// TestCutShortInSearch: a loop that reads one element after the other waits for none of them.
func TestCutShortInSearch(t *testing.T) {
	a, err := arch.Parse("sm_80")
	if err != nil {
		t.Fatal(err)
	}
	for body, want := range map[string]int{
		"L: mad.lo.u32 %r1, %r1, 1664525, 1013904223; and.b32 %r0, %r1, 60; cvt.u64.u32 %d0, %r0; add.u64 %d0, %d0, %base; ld.global.u32 %r0, [%d0]; setp.ne.u32 %p0, %r0, 7; @%p0 bra L;": 0,
		"L: mad.lo.u32 %r1, %r1, 1664525, 1013904223; ld.global.u32 %r0, [%base]; setp.ne.u32 %p0, %r0, 7; @%p0 bra L;":                                                                    1,
	} {
		out := newBuffer(t, 64)
		p := lowered(t, parse(t, simple("", "mov.u32 %r1, 0;"+body)), "k", nil)
		l := engine.Launch{Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 32, Y: 1, Z: 1}, Params: binary.LittleEndian.AppendUint64(nil, out.Base)}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		res, err := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1}).Run(ctx, p, l)
		cancel()
		if res.Fault == nil || len(res.Fault.Waits) != want {
			t.Errorf("%s: %v, %+v, want %d words that it waits for", body, err, res.Fault, want)
		}
	}
}

// TestCutShort ends launches from outside: too long is a fault, an interrupt
// is not, and Progress can be asked meanwhile.
func TestCutShort(t *testing.T) {
	defer useOwnExecutor()
	warp.UseExecutor("off") // a compiler may take longer than the launches have
	a, err := arch.Parse("sm_80")
	if err != nil {
		t.Fatal(err)
	}
	src := simple("", "mov.u32 %r0, 1; L: add.u32 %r0, %r0, 1; setp.ne.u32 %p0, %r0, 0; @%p0 bra L;")
	p := lowered(t, parse(t, src), "k", nil)
	grid := trace.Dim3{X: 1<<31 - 1, Y: 1, Z: 1}
	l := engine.Launch{Grid: grid, Block: trace.Dim3{X: 32, Y: 1, Z: 1}, Params: make([]byte, 8)}

	e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1})
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	seen := make(chan engine.Progress, 1)
	time.AfterFunc(200*time.Millisecond, func() { p, _ := e.Progress(); seen <- p })
	res, err := e.Run(ctx, p, l)
	if err == nil || res.Fault == nil || res.Fault.Kind != trace.FaultBudget || !strings.Contains(strings.Join(res.Fault.Notes, "\n"), "of 2147483647 blocks had ended") {
		t.Errorf("after the time limit: %v, %+v", err, res.Fault)
	}
	if p := <-seen; p.Kernel != "k" || p.Blocks != grid.Size() || p.Instrs == 0 {
		t.Errorf("progress %+v", p)
	}
	if _, running := e.Progress(); running {
		t.Error("progress of a launch that has ended")
	}

	ctx, interrupt := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, interrupt)
	res, err = e.Run(ctx, p, l)
	if err == nil || res.Fault != nil || len(res.Where) == 0 || !strings.Contains(res.Where[0], "32 threads run in a loop") {
		t.Errorf("after an interrupt: %v, %+v, %q", err, res.Fault, res.Where)
	}
}

// TestWriterOfWait waits for a word that an atomic operation has written, after many on another buffer, of
// which no loop reads: the report names the former.
func TestWriterOfWait(t *testing.T) {
	defer useOwnExecutor()
	src := withParams(simple("", `
	ld.param.u64 %d1, [k_in]; mul.wide.u32 %d2, %t, 4; add.u64 %d2, %d1, %d2; mov.u32 %r1, 0;
M:	red.global.add.u32 [%d2], 1; add.u32 %r1, %r1, 1; setp.lt.u32 %p0, %r1, 50; @%p0 bra M;
	setp.ne.u32 %p0, %t, 3; @%p0 bra L;
	atom.global.add.u32 %r2, [%base], 5;
L:	ld.volatile.global.u32 %r0, [%base]; setp.ne.u32 %p0, %r0, 7; @%p0 bra L;`), ".param .u64 k_in")
	for _, mode := range executors() {
		warp.UseExecutor(mode)
		out, in := newBuffer(t, 64), newBuffer(t, 128)
		o := &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
			return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
				return &trace.BlockObserver{Global: func(*trace.Access) {}, Ignores: func(*trace.Site) bool { return true }, Defect: func(*trace.Defect) {}}
			}}}
		}}
		f := mustFault(t, launch{src: src, params: []any{out, in}, observers: []*trace.Observer{o}}, trace.FaultBudget)
		if len(f.Waits) != 1 || f.Waits[0].Writer == nil || f.Waits[0].Writer.Lane != 3 {
			t.Errorf("executor %s: waits for %+v", mode, f.Waits)
		}
		for i, n := range in.u32() {
			if n != 50 {
				t.Errorf("executor %s: element %d is %d", mode, i, n)
			}
		}
	}
}
