package engine_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

const (
	diffGrid  = 3
	diffTable = 512
	// diffCounters are a word to which threads add, and from 64, 192 and 320 on 32 words each for the greatest of
	// values, for bits and for the first of values.
	diffCounters = 448
)

// executors are the ways to execute a program: by the interpreter alone, and by native
// code from the first step on where the processor can. At a level of TestLevels without code
// it is the first alone: other levels have the second.
func executors() []string {
	defer useOwnExecutor()
	if ownExecutor() != "off" && warp.UseExecutor("always") == nil {
		return []string{"off", "always"}
	}
	return []string{"off"}
}

// ownExecutor is the executor of this process: most test programs never become hot.
func ownExecutor() string { return cmp.Or(os.Getenv("WARPGRIND_JIT"), "always") }

// useOwnExecutor undoes what a test chose. Where there is no such executor, the interpreter
// stays.
func useOwnExecutor() { _ = warp.UseExecutor(ownExecutor()) }

// differ runs a random program on the engine and on the reference. The error
// says where memory differs.
func differ(t testing.TB, seed int64, size int) error {
	return differOn(t, generate(seed, size), seed)
}

// differOn is differ for a program.
func differOn(t testing.TB, src string, seed int64) error {
	mod := parse(t, src)
	p := lowered(t, mod, "k", nil)
	block := []int{32, 64, 50, 17}[uint64(seed)%4]
	tab, out, ctr := newBuffer(t, diffTable), newBuffer(t, diffGrid*block*256), newBuffer(t, diffCounters)
	rand.New(rand.NewSource(seed)).Read(tab.bytes())

	ref := newReference(mod)
	for _, b := range []*buffer{tab, out, ctr} {
		ref.global[b.Base] = bytes.Clone(b.bytes())
		ref.params = binary.LittleEndian.AppendUint64(ref.params, b.Base)
	}
	if !ref.run("k", diffGrid, uint32(block)) {
		return nil // too long
	}
	if n := uint64(seed); n%3 == 0 { // another schedule must not matter
		defer engine.SetSchedule(int64(1+n%41), int(n%5))()
	}
	if uint64(seed)%4 != 0 { // blocks in one sweep
		defer engine.SetPortion(diffGrid)()
	}
	defer useOwnExecutor()
	first := engine.Counts{}
	fresh := bytes.Clone(tab.bytes())
	for i, mode := range executors() {
		warp.UseExecutor(mode)
		copy(tab.bytes(), fresh)
		clear(out.bytes())
		clear(ctr.bytes())
		c := record.begin(recorded{name: t.Name(), src: src, kernel: "k", grid: diffGrid, block: trace.Dim3{X: uint32(block), Y: 1, Z: 1}, params: ref.params, offsets: offsets(p)})
		counts, err := differRun(p, ref.params, seed, block)
		if i == 0 {
			record.end(c, engine.Result{}, err)
		}
		if err == nil {
			err = compareMemory(ref, block, out, ctr)
		}
		if i == 0 {
			first = counts
		}
		if err == nil && counts != first {
			err = fmt.Errorf("counted %+v, want %+v", counts, first)
		}
		if err != nil {
			return fmt.Errorf("executor %s: %w", mode, err)
		}
	}
	return nil
}

// differRun runs the program on the engine.
func differRun(p *program.Program, params []byte, seed int64, block int) (engine.Counts, error) {
	a, _ := arch.Parse("sm_80")
	order := engine.Schedule{Order: engine.Order(uint64(seed) / 2 % 3), Seed: uint64(seed)}
	e := engine.New(engine.Config{Arena: arena, Arch: a, Workers: 1 + int(uint64(seed)%2), Schedule: order})
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	res, err := e.Run(ctx, p, engine.Launch{
		Grid: trace.Dim3{X: diffGrid, Y: 1, Z: 1}, Block: trace.Dim3{X: uint32(block), Y: 1, Z: 1}, Params: params,
	})
	if err != nil {
		return e.Totals, fmt.Errorf("engine: %v", err)
	}
	if f := res.Fault; f != nil {
		return e.Totals, fmt.Errorf("engine: fault %d: %s %v", f.Kind, f.Message, f.Notes)
	}
	return e.Totals, nil
}

// compareMemory looks for what differs between the engine's memory and the
// reference's.
func compareMemory(ref *refMachine, block int, out, ctr *buffer) error {
	want, got := ref.global[out.Base], out.bytes()
	for i := 0; i < len(got); i += 4 {
		if !bytes.Equal(got[i:i+4], want[i:i+4]) {
			return fmt.Errorf("block %d thread %d offset %d: got %x, want %x", i/256/block, i/256%block, i%256, got[i:i+4], want[i:i+4])
		}
	}
	for i, g := range ctr.u32() {
		if w := binary.LittleEndian.Uint32(ref.global[ctr.Base][4*i:]); g != w {
			return fmt.Errorf("counter %d: got %d, want %d", i, g, w)
		}
	}
	return nil
}

// regressions are seeds and sizes that once failed.
var regressions = []struct {
	seed int64
	size int
}{{123, 1}, {180, 4}, {1247, 6}, {1004670, 3}, {4001727, 11}}

func TestDifferential(t *testing.T) {
	for _, r := range regressions {
		if err := differ(t, r.seed, r.size); err != nil {
			t.Errorf("seed %d size %d: %v", r.seed, r.size, err)
		}
	}
	eachSeed(t, differ)
}

// TestDifferentialLoops is the same for programs with many loops of one straight run.
func TestDifferentialLoops(t *testing.T) {
	eachSeed(t, func(t testing.TB, seed int64, size int) error {
		return differOn(t, generateWith(seed, size, true), seed)
	})
}

// eachSeed runs random programs.
func eachSeed(t *testing.T, differ func(t testing.TB, seed int64, size int) error) {
	first, n := int64(1), programs(200)
	if testing.Short() {
		n /= 2
	}
	if s := os.Getenv("WARPGRIND_SEEDS"); s != "" { // "first,count" for long runs
		fmt.Sscanf(s, "%d,%d", &first, &n)
	}
	failed := 0
	for seed := first; seed < first+n && failed < 10; seed++ {
		t.Run(strconv.FormatInt(seed, 10), func(t *testing.T) {
			if err := differ(t, seed, sizeOf(seed)); err != nil {
				failed++
				t.Error(err)
			}
		})
	}
}

// programs is how many of n random programs run: one in 16 where a compiler takes seconds for each.
func programs(n int64) int64 {
	if alu.ISA() != "avx512" && os.Getenv("WARPGRIND_LONG_TESTS") == "" {
		return (n + 15) / 16
	}
	return n
}

func sizeOf(seed int64) int { return 4 + int(seed*7%60) }

// TestOneDifferential prints a program: WARPGRIND_SEED=seed,size.
func TestOneDifferential(t *testing.T) {
	s := os.Getenv("WARPGRIND_SEED")
	if s == "" {
		t.Skip("no WARPGRIND_SEED")
	}
	var seed int64
	size := 0
	if n, _ := fmt.Sscanf(s, "%d,%d", &seed, &size); n < 2 {
		size = sizeOf(seed)
	}
	t.Log(numbered(generate(seed, size)))
	if err := differ(t, seed, size); err != nil {
		t.Error(err)
	}
}

// FuzzDifferential compares the engine with the reference on random programs.
func FuzzDifferential(f *testing.F) {
	f.Add(int64(1), uint8(20))
	f.Fuzz(func(t *testing.T, seed int64, size uint8) {
		if err := differ(t, seed, int(size)); err != nil {
			t.Error(err)
		}
	})
}
