package race_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/check/race"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// recorder records a launch.
type recorder struct{ *recording }

func (r recorder) Launch(l *trace.Launch) []*trace.LaunchObserver {
	r.blocksWait = l.Ordered
	return []*trace.LaunchObserver{{Block: func() *trace.BlockObserver {
		b := &blockRecorder{recording: r.recording}
		return &trace.BlockObserver{Begin: b.Begin, Shared: b.Access, Global: b.Access, Barrier: b.Barrier, Arrived: b.Arrived, WarpSync: b.WarpSync, Fence: b.Fence}
	}}}
}

type blockRecorder struct {
	*recording
	block int
}

func (b *blockRecorder) Begin(k *trace.Block) { b.block = int(k.Index) }

func (b *blockRecorder) Access(a *trace.Access) {
	b.step++
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		o := op{thread: 32*a.Warp + l, block: b.block, site: a.Site, scope: a.Site.Scope, space: a.Space, addr: a.Addr[l], size: a.Site.Size}
		if a.Space == trace.SpaceShared {
			o.addr += uint64(b.block) << 32
		}
		if a.Site.Kind == trace.Write && a.Data != nil {
			o.value = binary.LittleEndian.AppendUint64(nil, a.Data.Value(l, 0))[:o.size]
		}
		b.access(o)
	}
}

func (b *blockRecorder) Fence(e *trace.Fence) {
	b.step++
	for m := e.Mask; m != 0; m &= m - 1 {
		b.add(op{thread: 32*e.Warp + bits.TrailingZeros32(m), block: b.block, fence: true, scope: e.Scope})
	}
}

func (b *blockRecorder) Arrived(e *trace.Arrival) {
	b.step++
	for m := e.Mask; m != 0; m &= m - 1 {
		t := 32*e.Warp + bits.TrailingZeros32(m)
		b.arrived[[3]int{b.block, e.ID, t}] = b.add(op{thread: t, block: b.block})
	}
}

// Barrier joins who came. Threads that have ended count as arrived at a barrier of all
// others.
func (b *blockRecorder) Barrier(e *trace.Barrier) {
	arrived := slices.Clone(e.Arrived)
	for w := range arrived {
		if e.Full {
			arrived[w] = ^uint32(0)
		}
	}
	b.meet(b.block, e.ID, arrived, e.Synced, false)
}

func (b *blockRecorder) WarpSync(e *trace.WarpSync) {
	masks := make([]uint32, e.Warp+1)
	masks[e.Warp] = e.Mask
	b.meet(b.block, 0, masks, masks, true)
}

// staticShare: one program in so many is also judged by the static rule.
const staticShare = 5

var oracleArena = sync.OnceValues(func() (*mem.Arena, error) { return mem.New(1 << 26) })

var oracleModels = []check.RaceModel{check.ITS, check.Lockstep, check.Threads}

// oracleRun is a program that has run.
type oracleRun struct {
	p        *program
	seed     int64
	f        *ssa.Func
	rec      *recording
	checkers []check.Checker // by model
}

// execute runs a program, recorded, and with the rule in each model.
func (p *program) execute(t testing.TB, seed int64) *oracleRun {
	t.Helper()
	fail := func(err error) {
		if err != nil {
			t.Fatalf("%v\n%s", err, p.numbered())
		}
	}
	m, err := ptx.Parse("k.ptx", []byte(p.text))
	fail(err)
	r := &oracleRun{p: p, seed: seed, rec: newRecording()}
	r.f, err = ssa.Build(m, m.Func("k"), ssa.Options{})
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
	observers := []*trace.Observer{{Launch: recorder{r.rec}.Launch}}
	for _, m := range oracleModels {
		c := race.New(check.Config{RaceModel: m})
		r.checkers = append(r.checkers, c)
		observers = append(observers, c.Observer())
	}
	e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1, Observers: observers,
		Schedule: engine.Schedule{Order: engine.Order(seed % 3), Seed: uint64(seed)}})
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	res, err := e.Run(ctx, prog, engine.Launch{Module: "k.ptx", Grid: trace.Dim3{X: uint32(p.blocks), Y: 1, Z: 1}, Block: trace.Dim3{X: uint32(p.threads), Y: 1, Z: 1},
		Params: binary.LittleEndian.AppendUint64(nil, al.Base)})
	fail(err)
	if f := res.Fault; f != nil {
		t.Fatalf("fault %d in block %d: %s %v\n%s", f.Kind, f.Block, f.Message, f.Notes, p.numbered())
	}
	return r
}

func (p *program) numbered() string {
	lines := strings.Split(p.text, "\n")
	for i, l := range lines {
		lines[i] = fmt.Sprintf("%4d  %s", i+1, l)
	}
	return fmt.Sprintf("%d blocks of %d threads\n%s", p.blocks, p.threads, strings.Join(lines, "\n"))
}

// found are the findings of a checker by the PTX lines of their places, each with its
// highest level.
func found(c check.Checker) map[[2]int]finding.Level {
	out := map[[2]int]finding.Level{}
	for _, f := range c.Findings() {
		a, b := f.Primary.PTXLine, f.Related[0].PTXLine
		k := [2]int{min(a, b), max(a, b)}
		if l, ok := out[k]; !ok || f.Level < l {
			out[k] = f.Level
		}
	}
	return out
}

// dynamic compares the rule with the oracle.
func (r *oracleRun) dynamic(i int, want map[[2]int]verdict) (wrong []string) {
	got := found(r.checkers[i])
	keys := maps.Clone(want)
	for k := range got {
		keys[k] = want[k]
	}
	for _, k := range slices.SortedFunc(maps.Keys(keys), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }) {
		level, reported := got[k]
		switch v := want[k]; {
		case !v.race && !v.volatile && reported:
			wrong = append(wrong, fmt.Sprintf("lines %d and %d: %v, and they do not race", k[0], k[1], level))
		case v.race && !reported && !v.seen && concerns(got, k):
		case v.race && !reported:
			wrong = append(wrong, fmt.Sprintf("lines %d and %d race, and nothing is reported", k[0], k[1]))
		case v.race && v.differ && level != finding.Error, v.race && v.same && !v.volatile && level != finding.Info:
			wrong = append(wrong, fmt.Sprintf("lines %d and %d: %v, values differ: %v", k[0], k[1], level, v.differ))
		}
	}
	return wrong
}

// concerns reports whether something is reported of one of two sites.
func concerns(got map[[2]int]finding.Level, k [2]int) bool {
	for o := range got {
		if o[0] == k[0] || o[1] == k[0] || o[0] == k[1] || o[1] == k[1] {
			return true
		}
	}
	return false
}

var staticModels = []static.Model{static.ITS, static.Lockstep, static.Threads}

// static compares the static rule, which may leave open what it cannot decide.
func (r *oracleRun) static(i int, u *static.Unit, want map[[2]int]verdict) (wrong []string) {
	races := u.Races(context.Background(), staticModels[i])
	verdicts := map[[2]int]static.Verdict{}
	for _, p := range races.Pairs {
		a, b := p.A.Value.Instr.Pos.Line, p.B.Value.Instr.Pos.Line
		verdicts[[2]int{min(a, b), max(a, b)}] = p.Verdict
		if v := want[[2]int{min(a, b), max(a, b)}]; p.Verdict == static.Proved && !v.race && !v.volatile {
			wrong = append(wrong, fmt.Sprintf("lines %d and %d: a race by static analysis only", a, b))
		}
	}
	for k, v := range want {
		if _, open := verdicts[k]; v.race && !open && races.Undecided == "" {
			wrong = append(wrong, fmt.Sprintf("lines %d and %d race, but are safe by static analysis", k[0], k[1]))
		}
	}
	return wrong
}

// compare returns how the rules differ from the oracle.
func (r *oracleRun) compare(s *solve.Solver) (wrong []string) {
	u := static.NewUnit(r.f, static.Launch{Block: [3]uint32{uint32(r.p.threads), 1, 1}, Grid: [3]uint32{uint32(r.p.blocks), 1, 1}, Shared: -1}, nil, s)
	for i, m := range oracleModels {
		want := newModel(r.rec, m, true).verdicts()
		for _, w := range r.dynamic(i, want) {
			wrong = append(wrong, fmt.Sprintf("%v: %s", m, w))
		}
		if s != nil && r.seed%staticShare == 0 {
			for _, w := range r.static(i, u, want) {
				wrong = append(wrong, fmt.Sprintf("%v: %s", m, w))
			}
		}
	}
	return wrong
}

// TestOracle compares the dynamic and the static rule with the oracle on random
// programs. WARPGRIND_ORACLE is how many, "first:number" to begin elsewhere.
func TestOracle(t *testing.T) {
	from, n := int64(1), int64(200)
	if testing.Short() {
		n = 150
	}
	if v := os.Getenv("WARPGRIND_ORACLE"); v != "" {
		if a, b, ok := strings.Cut(v, ":"); ok {
			from, _ = strconv.ParseInt(a, 10, 64)
			v = b
		}
		n, _ = strconv.ParseInt(v, 10, 64)
	}
	var s *solve.Solver
	if _, err := exec.LookPath("z3"); err == nil {
		s = solve.New(solve.Options{Steps: 20_000, Timeout: 2 * time.Second, Queries: 1 << 40})
		defer s.Close()
	}
	different := 0
	for seed := from; seed < from+n; seed++ {
		p := newProgram(seed)
		r := p.execute(t, seed)
		if wrong := r.compare(s); len(wrong) > 0 {
			if different++; different <= 20 {
				t.Errorf("seed %d (WARPGRIND_ORACLE=%d:1 shows it):\n%s", seed, seed, strings.Join(wrong, "\n"))
			}
			if n == 1 {
				t.Log(p.numbered())
			}
		}
	}
	t.Logf("%d programs, %d with differences", n, different)
}
