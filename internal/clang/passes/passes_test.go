package passes

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

var update = flag.Bool("update", false, "write the golden files")

// after is IR after one pass.
func after(run func(*irtext.Module, *State), ir string) string {
	m := irtext.Parse([]byte(ir))
	run(m, &State{Major: 19, SM: 80, KeepSource: true, Assumptions: true})
	return string(m.Bytes())
}

// TestPasses runs each pass on testdata/NAME.ll, which is what small CUDA programs are
// at that place of the list, and compares with NAME.golden: the IR, or what was read.
func TestPasses(t *testing.T) {
	for _, p := range List {
		t.Run(p.Name, func(t *testing.T) {
			path := filepath.Join("testdata", p.Name)
			ir, err := os.ReadFile(path + ".ll")
			if err != nil {
				t.Fatal(err)
			}
			m, s := irtext.Parse(ir), &State{Major: 19, SM: 80, KeepSource: true, Assumptions: true}
			s.gridConstants = map[string][]int{"reads": {0}, "writes": {0, 1}}
			p.run(m, s)
			got := m.Bytes()
			switch {
			case p.Stage == Read && !bytes.Equal(got, ir):
				t.Error("a pass that reads has changed the module")
			case p.Stage == Read:
				got = s.Annotate([]byte(".visible .entry k()\n"))
			case bytes.Equal(got, ir):
				t.Error("the pass does nothing to its example")
			}
			if *update {
				if err := os.WriteFile(path+".golden", got, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path + ".golden")
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("-update writes it if it is right: %v\n%s", err, got)
			}
		})
	}
}
