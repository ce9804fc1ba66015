package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
)

// prunings are the numbers of the race rule about what it did not watch.
type prunings struct {
	GlobalSites    uint64 `json:"global_sites_pruned"`
	GlobalWatched  uint64 `json:"global_accesses_watched"`
	GlobalPruned   uint64 `json:"global_accesses_pruned"`
	SharedSites    uint64 `json:"shared_sites_pruned"`
	SharedWatched  uint64 `json:"shared_accesses_watched"`
	SharedAccesses uint64 `json:"shared_accesses_pruned"`
	canceled       bool
}

// reportOf runs a program and returns its findings and the bank rule's numbers as
// JSON, and the numbers of what was not watched. Where not all is watched, twins
// sees the launches too.
func reportOf(t *testing.T, exe, source string, all bool, limit time.Duration, tw *twins) (findings []byte, n prunings) {
	t.Helper()
	s, err := NewSession(Config{Config: build.Config{Inputs: []string{source}}, RunConfig: RunConfig{Stdout: io.Discard, Stderr: io.Discard, Timeout: limit, MaxSteps: 1 << 20}, CheckConfig: CheckConfig{WatchAll: all, Tools: "all"}})
	if err != nil {
		t.Fatal(err)
	}
	s.proofs.From = 0
	if !all {
		tw.prove = s.proofs.Equivalent
		s.checkers = append(s.checkers, tw)
	}
	r, err := s.Run(context.Background(), exe)
	if err != nil {
		t.Fatal(err)
	}
	if findings, err = json.MarshalIndent([]any{r.Findings, r.Stats["bank"]}, "", " "); err != nil {
		t.Fatal(err)
	}
	stats, _ := json.Marshal(r.Stats["race"])
	if err := json.Unmarshal(stats, &n); err != nil {
		t.Fatal(err)
	}
	n.canceled = s.Exit.Canceled
	return findings, n
}

// prunedPrograms are the programs of all suites, and the examples.
var prunedPrograms = []string{
	"examples/*/*.cu", "testdata/*/*.cu", "internal/check/*/testdata/*/*.cu", "internal/check/*/*/testdata/*.cu",
	"internal/analysis/equivalent/testdata/*.cu",
}

// TestPruning runs programs with and without watching what is proved safe: the
// findings are the same, the accesses are as many, and blocks that are said to do
// the same in shared memory do it. WARPGRIND_PRUNE names other programs, by
// patterns; otherwise one program in 16 is taken, all with
// WARPGRIND_LONG_TESTS.
func TestPruning(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	patterns := strings.Fields(os.Getenv("WARPGRIND_PRUNE"))
	every := 1
	if len(patterns) == 0 {
		patterns = prunedPrograms
		if os.Getenv("WARPGRIND_LONG_TESTS") == "" {
			every = 16
		}
	}
	var global, shared, equivalent atomic.Uint64
	t.Run("programs", func(t *testing.T) {
		for _, p := range patterns {
			files, err := filepath.Glob(p)
			if err != nil || len(files) == 0 {
				t.Fatal("no files", p, err)
			}
			for i, f := range files {
				if i%every != 0 {
					continue
				}
				t.Run(f, func(t *testing.T) {
					t.Parallel()
					tw := comparePruning(t, f, &global, &shared)
					equivalent.Add(tw.launches)
				})
			}
		}
	})
	t.Logf("%d accesses to global memory and %d to shared memory not watched, %d launches with blocks equivalent", global.Load(), shared.Load(), equivalent.Load())
	if global.Load() == 0 || shared.Load() == 0 {
		t.Error("nothing was proved in any program")
	}
}

// oneArena is held by who runs a program: device memory is at one place in the
// process.
var oneArena sync.Mutex

// reportBoth runs a program with all watched, and with what is proved safe left out.
func reportBoth(t *testing.T, exe, file string, limit time.Duration) (want []byte, a prunings, got []byte, b prunings, tw *twins) {
	t.Helper()
	want, a = reportOf(t, exe, file, true, limit, nil)
	tw = &twins{}
	got, b = reportOf(t, exe, file, false, limit, tw)
	return want, a, got, b, tw
}

func comparePruning(t *testing.T, file string, global, shared *atomic.Uint64) *twins {
	s, err := NewSession(Config{Config: build.Config{Inputs: []string{file}}, RunConfig: RunConfig{Stdout: io.Discard, Stderr: io.Discard}})
	if err != nil {
		t.Fatal(err)
	}
	exe, remove, err := s.Executable(context.Background())
	if err != nil {
		reason, _, _ := strings.Cut(err.Error(), "\n")
		t.Skip("it does not build by itself: " + reason)
	}
	defer remove()
	oneArena.Lock()
	defer oneArena.Unlock()
	want, a, got, b, tw := reportBoth(t, exe, file, time.Minute)
	if (a.canceled || b.canceled) && !bytes.Equal(got, want) { // a busy machine, or one that compiles kernels slowly
		want, a, got, b, tw = reportBoth(t, exe, file, 10*time.Minute)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("with %+v:\n%s\nwatching all:\n%s", b, got, want)
	}
	if bytes.Contains(want, []byte(`"rule": "hang"`)) { // who did how much by then is a matter of time
		a, b = prunings{}, prunings{}
	}
	if x, y := a.GlobalWatched+a.GlobalPruned, b.GlobalWatched+b.GlobalPruned; x != y {
		t.Errorf("%d accesses to global memory, watching all %d", y, x)
	}
	if x, y := a.SharedWatched+a.SharedAccesses, b.SharedWatched+b.SharedAccesses; x != y {
		t.Errorf("%d accesses to shared memory, watching all %d", y, x)
	}
	for _, m := range tw.different {
		t.Error(m)
	}
	global.Add(b.GlobalPruned)
	shared.Add(b.SharedAccesses)
	t.Log(fmt.Sprintf("%+v", b), "findings of", len(want), "bytes")
	return tw
}
