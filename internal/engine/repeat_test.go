package engine_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// doubter asks for each launch again, and notes in both runs what is read.
type doubter struct {
	repeatable bool
	runs       [][]string
	again      int
}

func (d *doubter) observer() *trace.Observer {
	d.runs = [][]string{nil}
	return &trace.Observer{Launch: func(l *trace.Launch) []*trace.LaunchObserver {
		d.repeatable = l.Repeatable
		return []*trace.LaunchObserver{{
			Block: func() *trace.BlockObserver {
				return &trace.BlockObserver{Global: func(a *trace.Access) {
					if a.Site.Kind == trace.Read {
						b, _ := l.Peek(a.Addr[0], 4)
						d.runs[len(d.runs)-1] = append(d.runs[len(d.runs)-1], fmt.Sprint(a.Warp, a.Mask, b))
					}
				}}
			},
			Again: func(bool) bool {
				d.again++
				if !l.Repeatable || d.again > 1 {
					return false
				}
				d.runs = append(d.runs, nil)
				return true
			},
		}}
	}}
}

const increment = "ld.global.u32 %r1, [%o]; add.u32 %r1, %r1, 1; st.global.u32 [%o], %r1;"

// TestRepeat repeats a launch that changes what it reads: both runs read the same, and memory
// is as one has left it.
func TestRepeat(t *testing.T) {
	var d doubter
	counts := func(observers ...*trace.Observer) engine.Counts {
		out := newBuffer(t, 4*2*64)
		res := mustRun(t, launch{src: simple("", increment), grid: 2, block: 64, params: []any{out}, observers: observers})
		expect(t, out.u32(), func(uint32) uint32 { return 1 })
		return res.Counts
	}
	if got, want := counts(d.observer()), counts(); got.ThreadInstrs != want.ThreadInstrs {
		t.Errorf("%d thread instructions are counted with a repetition, %d without", got.ThreadInstrs, want.ThreadInstrs)
	}
	if len(d.runs) != 2 || len(d.runs[0]) != 4 || fmt.Sprint(d.runs[0]) != fmt.Sprint(d.runs[1]) {
		t.Errorf("the runs read %v", d.runs)
	}
}

// TestRepeatBeforeWaiting: a launch that waits for the host is repeated before that continues,
// and continues with the memory that it had.
func TestRepeatBeforeWaiting(t *testing.T) {
	var d doubter
	out := newBuffer(t, 4*2*32)
	src := simple("", `
	setp.ne.u32 %p1, %ct, 0;
	@%p1 bra OWN;
WAIT:
	ld.global.u32 %r1, [%base];
	setp.eq.u32 %p2, %r1, 0;
	@%p2 bra WAIT;
	bra DONE;
OWN:
`+increment)
	asked := 0
	await := func(bool) *trace.HostState {
		asked++
		got := out.u32()
		for i, v := range got[32:] {
			if v != 1 {
				t.Fatalf("element %d is %d when the launch waits, want 1", i, v)
			}
		}
		out.bytes()[0] = 7
		return nil
	}
	mustRun(t, launch{src: src, grid: 2, params: []any{out}, observers: []*trace.Observer{d.observer()}, await: await})
	if asked != 1 || len(d.runs) != 2 {
		t.Errorf("the host was asked %d times, the launch ran %d times", asked, len(d.runs))
	}
	expect(t, out.u32(), func(i uint32) uint32 { return [2]uint32{0, 1}[i/32] + 7*b2u(i == 0) })
}

func b2u(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// TestRepeatInGraceTime: a launch that the time limit ends is repeated for a short time.
func TestRepeatInGraceTime(t *testing.T) {
	var d doubter
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	src := simple("", increment+`
LOOP:
	add.u32 %r2, %r2, 1;
	st.global.u32 [%o], %r2;
	bra LOOP;`)
	began := time.Now()
	res, err := tryRun(t, launch{src: src, params: []any{newBuffer(t, 4*32)}, observers: []*trace.Observer{d.observer()}, ctx: ctx})
	if took := time.Since(began); err == nil || res.Fault == nil || res.Fault.Kind != trace.FaultBudget || took > 5*time.Second {
		t.Errorf("%v, fault %v after %v", err, res.Fault, took)
	}
	if len(d.runs) != 2 || len(d.runs[1]) != 1 {
		t.Errorf("the runs read %v", d.runs)
	}
}

// TestRepeatBeside repeats a launch whose pointer is to the place before an array, which is kept
// all the same.
func TestRepeatBeside(t *testing.T) {
	var d doubter
	out := newBuffer(t, 4*32)
	src := simple("", "add.s64 %o, %o, 4; "+increment)
	mustRun(t, launch{src: src, params: []any{out.Base - 4}, observers: []*trace.Observer{d.observer()}})
	expect(t, out.u32(), func(uint32) uint32 { return 1 })
	if len(d.runs) != 2 {
		t.Errorf("the launch ran %d times", len(d.runs))
	}
}

// TestRepeatable: launches cannot be repeated that write what the host sees, or much memory
// for their size, and those that allocate.
func TestRepeatable(t *testing.T) {
	for _, c := range []struct {
		name, decls, body string
		bytes             int
		want              bool
	}{
		{"device memory", "", increment, 1 << 10, true},
		{"much memory", "", increment, 1 << 20, false},
		{"read only", "", "ld.global.u32 %r1, [%o];", 1 << 20, true},
		{"unknown address", "", "ld.global.u64 %d1, [%base]; setp.eq.u64 %p1, %d1, 0; @%p1 bra DONE; st.global.u32 [%d1], %r1;", 1 << 10, true},
		{"malloc", ".extern .func (.param .b64 r) malloc (.param .b64 n);",
			"{ .param .b64 n; .param .b64 r; st.param.b64 [n], 8; call.uni (r), malloc, (n); ld.param.b64 %d1, [r]; }", 1 << 10, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var d doubter
			mustRun(t, launch{src: simple(c.decls, c.body), params: []any{newBuffer(t, c.bytes)}, observers: []*trace.Observer{d.observer()}})
			if d.repeatable != c.want {
				t.Errorf("repeatable: %v, want %v", d.repeatable, c.want)
			}
		})
	}
}

// TestRepeatableManaged: launches that write managed memory can be repeated where no thread of the host may see it meanwhile.
func TestRepeatableManaged(t *testing.T) {
	yes, no := func() bool { return true }, func() bool { return false }
	for _, c := range []struct {
		kind   mem.Kind
		unseen func() bool
		want   bool
	}{{mem.Managed, nil, false}, {mem.Managed, no, false}, {mem.Managed, yes, true}, {mem.Pinned, yes, false}, {mem.Device, nil, true}} {
		var d doubter
		mustRun(t, launch{src: simple("", increment), params: []any{newBufferOf(t, 1<<10, c.kind)}, observers: []*trace.Observer{d.observer()}, unseen: c.unseen})
		if d.repeatable != c.want {
			t.Errorf("%v memory: repeatable is %v, want %v", c.kind, d.repeatable, c.want)
		}
	}
}

// TestRepeatableOnceLong: a launch of few threads may write much memory where the one before it
// was long.
func TestRepeatableOnceLong(t *testing.T) {
	var d doubter
	a, _ := arch.Parse("sm_80")
	e := engine.New(engine.Config{Arena: arena, Arch: a, Observers: []*trace.Observer{d.observer()}})
	p := lowered(t, parse(t, simple("", "mov.u32 %r0, 0; L: add.u32 %r0, %r0, 1; setp.lt.u32 %p0, %r0, 20000; @%p0 bra L; "+increment)), "k", nil)
	for i, want := range []bool{false, true} {
		l := engine.Launch{ID: i, Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 32, Y: 1, Z: 1}, Params: layOut(t, p, []any{newBuffer(t, 1<<20)})}
		if _, err := e.Run(t.Context(), p, l); err != nil {
			t.Fatal(err)
		}
		if d.repeatable != want {
			t.Errorf("launch %d: repeatable: %v, want %v", i, d.repeatable, want)
		}
	}
}
