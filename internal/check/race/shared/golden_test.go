package shared

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with testdata/name.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (run with -update to accept):\n%s", name, got)
	}
}

func figure1(t *testing.T, model check.RaceModel) *player {
	p := newPlayer(t, model, 64, 2)
	for i, s := range p.launch.Sites {
		s.Loc.File = "testdata/fig1.cu"
		if i == rd {
			s.Loc.Col = 15
		}
	}
	for b := range 2 {
		p.begin(uint64(1 - b))
		for w := range 2 {
			p.access(wr, w, ^uint32(0), own(w), nil)
			p.access(rd, w, ^uint32(0), next(w, 64), nil)
		}
		p.barrier()
		p.access(wr2, 0, 0xf, fixed(8), nil)
		p.access(wr2, 1, 1, fixed(4), value(7))
		p.access(wr2, 0, 1, fixed(4), value(7))
	}
	return p
}

func TestGolden(t *testing.T) {
	for _, model := range []check.RaceModel{check.ITS, check.Lockstep, check.Threads} {
		p := figure1(t, model)
		r := &report.Report{Findings: p.end(), Arch: "sm_80", RaceModel: model.String(), Tools: []string{"race"},
			Summary: report.Summary{Launches: 1, Instructions: 3136, Accesses: 128}}
		r.CountLevels()
		var text, js bytes.Buffer
		if err := report.Text(&text, r, report.Options{Files: &source.Files{}}); err != nil {
			t.Fatal(err)
		}
		golden(t, "fig1."+model.String()+".txt", text.Bytes())
		if err := report.JSON(&js, r, ""); err != nil {
			t.Fatal(err)
		}
		golden(t, "fig1."+model.String()+".json", js.Bytes())
	}
}
