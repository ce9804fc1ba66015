package equivalent_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/equivalent"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// kernels builds the forms of testdata/kernels.ptx, by the names in the source.
func kernels(t testing.TB) map[string]*ssa.Func {
	text, err := os.ReadFile("testdata/kernels.ptx")
	if err != nil {
		t.Fatal(err)
	}
	m, err := ptx.Parse("kernels.ptx", text)
	if err != nil {
		t.Fatal(err)
	}
	forms := map[string]*ssa.Func{}
	for _, it := range m.Items {
		f, ok := it.(*ptx.Func)
		if !ok || !f.Entry {
			continue
		}
		g, err := ssa.Build(m, f, ssa.Options{Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		n := regexp.MustCompile(`^_Z(\d+)`).FindStringSubmatch(f.Name)
		size, _ := strconv.Atoi(n[1])
		forms[f.Name[len(n[0]):len(n[0])+size]] = g
	}
	return forms
}

// parseLaunch reads "<<<(2, 3), 64>>> P 250".
func parseLaunch(text string) (l equivalent.Launch) {
	shape, args, _ := strings.Cut(strings.TrimPrefix(text, "<<<"), ">>>")
	at := strings.LastIndex(shape, ", ")
	for i, part := range []string{shape[:at], shape[at:]} {
		dims := [3]uint32{1, 1, 1}
		for k, n := range regexp.MustCompile(`\d+`).FindAllString(part, -1) {
			x, _ := strconv.Atoi(n)
			dims[k] = uint32(x)
		}
		*[]*[3]uint32{&l.Grid, &l.Block}[i] = dims
	}
	for _, a := range strings.Fields(args) {
		if x, err := strconv.Atoi(a); err == nil {
			l.Params = binary.LittleEndian.AppendUint32(l.Params, uint32(x))
		} else {
			l.Params = binary.LittleEndian.AppendUint64(l.Params, 1<<32)
		}
	}
	return l
}

// words says what a proof says, in the words of the kernels' comments.
func words(p *equivalent.Proof, l equivalent.Launch) string {
	if p == nil {
		return "none"
	}
	s := "all"
	for i, n := range l.Grid {
		if p.Part.Last[i]+2 == n {
			s = "first"
		}
	}
	for i := range l.Grid {
		if p.Part.First[i] == 1 {
			s = "inner"
		}
	}
	if p.Straight {
		s += " straight"
	}
	if p.Reads {
		s += " reads"
	}
	return s
}

// TestProve compares what is proved with what the comments of the kernels say.
// That it is true is tested by running them: TestPruning of internal/session.
func TestProve(t *testing.T) {
	forms := kernels(t)
	text, err := os.ReadFile("testdata/kernels.cu")
	if err != nil {
		t.Fatal(err)
	}
	var launches []string
	for i, line := range strings.Split(string(text), "\n") {
		if launch, ok := strings.CutPrefix(line, "// launch: "); ok {
			launches = append(launches, launch)
			continue
		}
		m := regexp.MustCompile(`^__global__ void (\w+)\(`).FindStringSubmatch(line)
		if m == nil {
			continue
		}
		f := forms[m[1]]
		if f == nil || len(launches) == 0 {
			t.Fatalf("line %d: no form of %s, or no launch", i+1, m[1])
		}
		for _, x := range launches {
			launch, want, _ := strings.Cut(x, ": ")
			l := parseLaunch(launch)
			if got := words(equivalent.Prove(f, l), l); got != want {
				t.Errorf("%s %s: %s, want %s", m[1], launch, got, want)
			}
		}
		launches = nil
	}
}

// BenchmarkProve measures a proof, in time for each value of the kernel.
func BenchmarkProve(b *testing.B) {
	for name, f := range kernels(b) {
		b.Run(fmt.Sprint(name, f.NumValues), func(b *testing.B) {
			l := parseLaunch("<<<4, 64>>> P 250")
			for b.Loop() {
				equivalent.Prove(f, l)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(f.NumValues), "ns/value")
		})
	}
}
