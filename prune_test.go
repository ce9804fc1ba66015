package warpgrind

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// reportOf runs a program and returns its findings as JSON, and how many sites
// the race rule did not watch because they were proved safe.
func reportOf(t *testing.T, exe, source string, all bool) (findings []byte, proved int) {
	t.Helper()
	s, err := newSession(Config{
		Inputs: []string{source}, Stdout: io.Discard, Stderr: io.Discard, Timeout: time.Minute, MaxSteps: 1 << 20, WatchAll: all,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.forms.from = 0
	r, err := s.run(context.Background(), exe)
	if err != nil {
		t.Fatal(err)
	}
	if findings, err = json.MarshalIndent(r.Findings, "", " "); err != nil {
		t.Fatal(err)
	}
	stats, _ := json.Marshal(r.Stats["race"])
	var n struct {
		Proved int `json:"sites_proved_safe"`
	}
	if err := json.Unmarshal(stats, &n); err != nil {
		t.Fatal(err)
	}
	return findings, n.Proved
}

// TestPruning runs programs with and without watching what is proved safe: the
// findings are the same, and something is proved. WARPGRIND_PRUNE names more
// programs, by patterns.
func TestPruning(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	patterns := strings.Fields(os.Getenv("WARPGRIND_PRUNE"))
	if len(patterns) == 0 {
		patterns = []string{"examples/basic/[mrstv]*.cu", "internal/check/race/testdata/global/*.cu"}
	}
	total := 0
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil || len(files) == 0 {
			t.Fatal("no files", p, err)
		}
		for _, f := range files {
			t.Run(filepath.Base(f), func(t *testing.T) {
				s, err := newSession(Config{Inputs: []string{f}, Stdout: io.Discard, Stderr: io.Discard})
				if err != nil {
					t.Fatal(err)
				}
				exe, err := s.build(context.Background(), t.TempDir())
				if err != nil {
					t.Skip(err)
				}
				want, _ := reportOf(t, exe, f, true)
				got, proved := reportOf(t, exe, f, false)
				if !bytes.Equal(got, want) {
					t.Errorf("with %d sites not watched:\n%s\nwatching all:\n%s", proved, got, want)
				}
				t.Logf("%d sites proved safe, findings of %d bytes", proved, len(want))
				total += proved
			})
		}
	}
	if total == 0 {
		t.Error("nothing was proved in any program")
	}
}
