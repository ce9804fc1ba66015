package trial

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/session"
)

// TestReduce compares with what has to be kept: random sets of which all elements are needed.
func TestReduce(t *testing.T) {
	never := func() bool { return false }
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var list, needed []int
		for i := range rng.IntN(60) {
			list = append(list, i)
			if rng.IntN(8) == 0 {
				needed = append(needed, i)
			}
		}
		got := reduce(list, never, func(part []int) bool {
			return !slices.ContainsFunc(needed, func(n int) bool { return !slices.Contains(part, n) })
		})
		if !slices.Equal(got, needed) {
			t.Fatalf("seed %d: of %v kept %v, needed %v", seed, list, got, needed)
		}
	}
	asked := 0
	got := reduce([]int{1, 2, 3, 4}, func() bool { return asked == 1 }, func([]int) bool { asked++; return false })
	if asked != 1 || len(got) != 4 {
		t.Errorf("asked %d times after the end, kept %v", asked, got)
	}
}

// TestMinimize makes a capsule smaller and replays what is left.
func TestMinimize(t *testing.T) {
	file := hostileCapsule(t, t.TempDir())
	dir := t.TempDir()
	m, err := Minimize(context.Background(), file, dir, session.Config{RunConfig: session.RunConfig{Workers: 1, MaxSteps: 10_000, Timeout: time.Minute}, CheckConfig: session.CheckConfig{Tools: "init"}})
	if err != nil {
		t.Fatal(err)
	}
	if m.Blocks != [2]uint64{2, 1} || m.Bytes[1] != 0 || len(m.Findings) == 0 || m.Cut {
		t.Errorf("made %+v", m)
	}
	if exit, err := replayed(t, m.File, 5*time.Second); err != nil || exit != session.ExitFindings {
		t.Errorf("the smaller capsule: exit code %d, %v", exit, err)
	}
	if _, err := Minimize(context.Background(), file, dir, session.Config{CheckConfig: session.CheckConfig{Tools: "sync"}}); err == nil {
		t.Error("a capsule without findings was made smaller")
	}
	c, err := capsule.Open(filepath.Join(dir, "launch.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if c.Blocks() != 1 || c.Launch.Grid.X != 2 {
		t.Errorf("%d blocks of %d", c.Blocks(), c.Launch.Grid.X)
	}
}
