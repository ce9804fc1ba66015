package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

// leastFound is the share of mutants with an effect that has to be found.
const leastFound = 0.95

// TestPipelines runs asynchronous pipelines, which are clean, and mutants of them: one in 96, in the
// long tests all. Each is found, or scripts/mutants/notes.txt tells why not.
func TestPipelines(t *testing.T) {
	root, err := tooltest.Root()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(root, "testdata", "pipelines")
	o := options{tool: tooltest.Tool(t), async: true, timeout: time.Minute, jobs: 1}
	jobs, err := collect(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	notes, err := readNotes(filepath.Join(root, "scripts", "mutants", "notes.txt"))
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorker(o, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(w.dir) })
	n := map[outcome]int{}
	for i, j := range jobs {
		if !tooltest.Sampled(i, 96) {
			continue
		}
		if err := w.do(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		judge([]*job{j}, notes)
		n[j.outcome]++
		if j.outcome == Unchecked || j.outcome == Missed && notes[j.key()] == "" {
			t.Errorf("%s:%d: %s: %s: %s", j.program.path, j.mutant.Line, j.mutant.Kind, j.what(), j.outcome)
		}
	}
	found := n[Found] + n[FoundBy]
	if float64(found) < leastFound*float64(found+n[Missed]) {
		t.Errorf("%d of %d mutants are found", found, found+n[Missed])
	}
}
