package race_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"testing"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
)

var quickLooks = flag.Int("quick-looks", 2000, "how many random programs TestQuickLook runs")

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
				x.Again = func() bool {
					suspects := again()
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
	var n looks
	for _, model := range oracleModels {
		for seed := range programs / int64(len(oracleModels)) {
			p := newPlainProgram(seed)
			if seed%8 == 0 {
				p = newProgram(seed)
			}
			quick, slow := race.New(check.Config{RaceModel: model}), race.New(check.Config{RaceModel: model})
			p.launchTwice(t, seed, n.count(quick.Observer()), never(slow.Observer()))
			got, want := findingsText(t, quick), findingsText(t, slow)
			if got != want {
				t.Fatalf("seed %d, model %v: quick\n%s\nslow\n%s\n%s", seed, model, got, want, p.numbered())
			}
		}
	}
	t.Logf("%d quick looks, %d suspected", n.quick, n.suspected)
	if n.suspected*8 < n.quick || (n.quick-n.suspected)*8 < n.quick {
		t.Errorf("of %d quick looks %d suspected", n.quick, n.suspected)
	}
}

func findingsText(t *testing.T, c check.Checker) string {
	t.Helper()
	b, err := json.Marshal(c.Findings())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// launchTwice runs a program as two launches.
func (p *program) launchTwice(t *testing.T, seed int64, observers ...*trace.Observer) {
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
	for i := range 2 {
		res, err := e.Run(context.Background(), prog, engine.Launch{ID: i, Module: "k.ptx", Grid: trace.Dim3{X: uint32(p.blocks), Y: 1, Z: 1}, Block: trace.Dim3{X: uint32(p.threads), Y: 1, Z: 1},
			Params: binary.LittleEndian.AppendUint64(nil, al.Base)})
		fail(err)
		if f := res.Fault; f != nil {
			t.Fatalf("fault %d in block %d: %s %v\n%s", f.Kind, f.Block, f.Message, f.Notes, p.numbered())
		}
	}
}
