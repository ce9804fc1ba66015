package race_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"regexp"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

var quickLooks = flag.Int("quick-looks", 600, "how many random programs TestQuickLook runs")

// looks counts the launches of global memory that had a quick look, and those that it suspected.
type looks struct{ quick, suspected int }

// count counts what an observer of launches asks for.
func (n *looks) count(o *trace.Observer) *trace.Observer {
	launch := o.Launch
	o.Launch = func(l *trace.Launch) []*trace.LaunchObserver {
		list := launch(l)
		for _, x := range list {
			if again := x.Again; again != nil {
				n.quick++
				x.Again = func(waits bool) bool {
					suspects := again(waits)
					if suspects {
						n.suspected++
					}
					return suspects
				}
			}
		}
		return list
	}
	return o
}

// never makes an observer take launches for such that cannot be repeated.
func never(o *trace.Observer) *trace.Observer {
	launch := o.Launch
	o.Launch = func(l *trace.Launch) []*trace.LaunchObserver {
		once := *l
		once.Repeatable = false
		return launch(&once)
	}
	return o
}

// TestQuickLook runs random programs with a rule that looks quickly first and one that
// remembers all accesses: their findings are the same, whatever other launches have left.
func TestQuickLook(t *testing.T) {
	programs := int64(*quickLooks)
	if testing.Short() {
		programs = 300
	}
	var n, flags looks
	for _, model := range oracleModels {
		for seed := range programs / int64(len(oracleModels)) {
			p, n := newPlainProgram(seed), &n
			switch {
			case seed%8 == 0:
				p = newProgram(seed)
			case seed%2 == 0:
				p, n = newCarefulProgram(seed), &flags
			}
			quick, slow := race.New(check.Config{RaceModel: model}), race.New(check.Config{RaceModel: model})
			execute(t, "always", func() { p.launchTwice(t, seed, n.count(quick.Observer())) })
			execute(t, "off", func() { p.launchTwice(t, seed, never(slow.Observer())) })
			got, want := findingsText(t, quick), findingsText(t, slow)
			if got != want {
				t.Fatalf("seed %d, model %v: quick\n%s\nslow\n%s\n%s", seed, model, got, want, p.numbered())
			}
		}
	}
	for _, n := range []looks{n, flags} {
		t.Logf("%d quick looks, %d suspected", n.quick, n.suspected)
		if n.suspected*8 < n.quick || (n.quick-n.suspected)*8 < n.quick {
			t.Errorf("of %d quick looks %d suspected", n.quick, n.suspected)
		}
	}
}

// execute runs something by an executor, if that is possible here.
func execute(t *testing.T, executor string, do func()) {
	t.Helper()
	if err := warp.UseExecutor(executor); err != nil {
		t.Log(err)
	}
	defer func() { _ = warp.UseExecutor("hot") }()
	do()
}

func findingsText(t *testing.T, c check.Checker) string {
	t.Helper()
	b, err := json.Marshal(c.Findings())
	if err != nil {
		t.Fatal(err)
	}
	return ofAllocation.ReplaceAllString(string(b), "")
}

// ofAllocation is where an allocation is, and its number, which differ from run to run.
var ofAllocation = regexp.MustCompile(`"(id|address)":\d+,`)

// TestQuickLookContinues waits for the host in a launch that is clean until then: races that come
// behind the wait, with accesses before it and after it, are those of a launch that cannot be
// repeated.
func TestQuickLookContinues(t *testing.T) {
	p := &program{blocks: 3, threads: 64, text: programHeader + `
	mad.lo.u32 %r1, %b, 256, 64;
	mad.lo.u32 %r1, %t, 4, %r1;
	cvt.u64.u32 %d1, %r1;
	add.u64 %a, %g, %d1;
	st.global.u32 [%a], %t;
	fence.acq_rel.gpu;
WAIT:
	ld.relaxed.gpu.global.u32 %r2, [%g];
	setp.eq.u32 %p1, %r2, 0;
	@%p1 bra WAIT;
	fence.acq_rel.gpu;
	bar.sync 0;
	ld.global.u32 %r2, [%g+320];
	st.global.u32 [%g+1024], %t;
	atom.relaxed.gpu.global.add.u32 %r3, [%g+8], 1;
	ret;
}
`}
	var n looks
	quick, slow := race.New(check.Config{}), race.New(check.Config{})
	host := func(g []byte) { g[0] = 1 }
	p.launch(t, 1, 0, host, n.count(quick.Observer()), never(slow.Observer()))
	got, want := findingsText(t, quick), findingsText(t, slow)
	if got != want || strings.Count(want, `"thread pair"`) < 2 {
		t.Errorf("quick\n%s\nslow\n%s", got, want)
	}
	if n.quick != 1 || n.suspected != 1 {
		t.Errorf("%+v", n)
	}
}

// TestQuickLookContinuesInShared is the same for shared memory: a pair that only a flag in global
// memory orders is not a race, and one behind the wait with an access before it is.
func TestQuickLookContinuesInShared(t *testing.T) {
	p := &program{blocks: 3, threads: 64, text: strings.Replace(programHeader, "{\n", "{\n	.shared .align 4 .b8 x[1024];\n	.reg .b32 %q<9>; .reg .pred %z<3>;\n", 1) + `
	shl.b32 %q1, %t, 2;
	mov.u32 %q2, x;
	add.u32 %q2, %q2, %q1;
	st.shared.u32 [%q2], %t;
	st.shared.u32 [%q2+256], %t;
	bar.sync 0;
	st.shared.u32 [%q2+512], %t;
WAIT:
	ld.relaxed.gpu.global.u32 %r2, [%g];
	setp.eq.u32 %p1, %r2, 0;
	@%p1 bra WAIT;
	fence.acq_rel.gpu;
	ld.shared.u32 %q3, [x+640];
	bar.sync 0;
	setp.lt.u32 %z1, %t, 32;
	@%z1 bra FIRST;
	ld.acquire.gpu.global.u32 %r2, [%g+512];
	setp.eq.u32 %p1, %r2, 0;
	@%p1 bra END;
	ld.shared.u32 %q3, [x];
	bra END;
FIRST:
	st.shared.u32 [x], %t;
	fence.acq_rel.gpu;
	atom.relaxed.gpu.global.add.u32 %r3, [%g+512], 1;
END:
	ret;
}
`}
	for _, waits := range []bool{true, false} {
		var n looks
		quick, slow := race.New(check.Config{}), race.New(check.Config{})
		var host func([]byte)
		if waits {
			host = func(g []byte) { g[0] = 1 }
		} else {
			p.text = strings.Replace(p.text, "@%p1 bra WAIT;", "", 1)
		}
		p.launch(t, 1, 0, host, n.count(quick.Observer()), never(slow.Observer()))
		got, want := findingsText(t, quick), findingsText(t, slow)
		if got != want || strings.Count(want, `"thread pair"`) < 2 {
			t.Errorf("waits %v: quick\n%s\nslow\n%s", waits, got, want)
		}
		if n.quick != 2 || n.suspected == 0 {
			t.Errorf("waits %v: %+v", waits, n)
		}
	}
}

// launchTwice runs a program as two launches.
func (p *program) launchTwice(t *testing.T, seed int64, observers ...*trace.Observer) {
	t.Helper()
	p.launch(t, 2, seed, nil, observers...)
}

// launch runs a program as so many launches; host, if it is not nil, is what the host does to the
// memory that a launch waits for.
func (p *program) launch(t *testing.T, launches int, seed int64, host func(memory []byte), observers ...*trace.Observer) {
	t.Helper()
	fail := func(err error) {
		if err != nil {
			t.Fatalf("%v\n%s", err, p.numbered())
		}
	}
	m, err := ptx.Parse("k.ptx", []byte(p.text))
	fail(err)
	prog, err := lower.Kernel(m, "k", nil)
	fail(err)
	arena, err := oracleArena()
	fail(err)
	al, err := arena.Alloc(2048, 256, mem.Device, "")
	fail(err)
	defer arena.Free(al.Base)
	clear(arena.Bytes(al.Base, al.Size))
	a, err := arch.Parse("sm_90")
	fail(err)
	e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1 + int(seed%3), Observers: observers})
	var await func(bool) *trace.HostState
	if host != nil {
		await = func(bool) *trace.HostState {
			host(arena.Bytes(al.Base, al.Size))
			return nil
		}
	}
	for i := range launches {
		res, err := e.Run(context.Background(), prog, engine.Launch{ID: i, Await: await, Module: "k.ptx", Grid: trace.Dim3{X: uint32(p.blocks), Y: 1, Z: 1}, Block: trace.Dim3{X: uint32(p.threads), Y: 1, Z: 1},
			Params: binary.LittleEndian.AppendUint64(nil, al.Base)})
		fail(err)
		if f := res.Fault; f != nil {
			t.Fatalf("fault %d in block %d: %s %v\n%s", f.Kind, f.Block, f.Message, f.Notes, p.numbered())
		}
	}
}
