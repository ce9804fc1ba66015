package ownership_test

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis/ownership"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// kernel is a kernel of testdata/kernels.cu with what its comments say.
type kernel struct {
	name     string
	launches []string
	// want has by line the letters, by launch, of each array that is accessed.
	want map[int]string
}

var (
	launchLine = regexp.MustCompile(`^// launch: (.*)$`)
	kernelLine = regexp.MustCompile(`^__global__ void (\w+)\(`)
	wantLine   = regexp.MustCompile(`// ([sw ]+)$`)
)

func readKernels(t *testing.T) (list []*kernel) {
	text, err := os.ReadFile("testdata/kernels.cu")
	if err != nil {
		t.Fatal(err)
	}
	var launches []string
	for i, line := range strings.Split(string(text), "\n") {
		if m := launchLine.FindStringSubmatch(line); m != nil {
			launches = append(launches, m[1])
		} else if m := kernelLine.FindStringSubmatch(line); m != nil {
			list = append(list, &kernel{m[1], launches, map[int]string{}})
			launches = nil
		} else if m := wantLine.FindStringSubmatch(line); m != nil && len(list) > 0 {
			list[len(list)-1].want[i+1] = m[1]
		}
	}
	return list
}

var sizes = regexp.MustCompile(`\d+`)

// parseLaunch reads "<<<(2, 3), 64>>> A:1024+16 {B:8 7} 256".
func parseLaunch(t *testing.T, text string) ownership.Launch {
	shape, args, _ := strings.Cut(text, ">>>")
	var l ownership.Launch
	for i, part := range strings.Split(strings.ReplaceAll(shape[3:], "), (", ";"), map[bool]string{true: ";", false: ","}[strings.Contains(shape, "(")]) {
		dims := [3]uint32{1, 1, 1}
		for k, n := range sizes.FindAllString(part, -1) {
			x, _ := strconv.Atoi(n)
			dims[k] = uint32(x)
		}
		if i == 0 {
			l.Grid = dims
		} else {
			l.Block = dims
		}
	}
	mems := map[string]ownership.Memory{}
	for _, a := range strings.Fields(strings.NewReplacer("{", "", "}", "").Replace(args)) {
		name, rest, pointer := strings.Cut(a, ":")
		if !pointer {
			x, err := strconv.Atoi(a)
			if err != nil {
				t.Fatal(err)
			}
			l.Params = binary.LittleEndian.AppendUint32(l.Params, uint32(x))
			continue
		}
		size, off, _ := strings.Cut(rest, "+")
		n, _ := strconv.ParseUint(size, 10, 64)
		o, _ := strconv.ParseUint("0"+off, 10, 64)
		id := int(name[0])
		mems[name] = ownership.Memory{ID: id, Base: uint64(id) << 20, Size: n}
		l.Params = binary.LittleEndian.AppendUint64(l.Params, uint64(id)<<20+o)
	}
	symbols := map[string]uint64{"table": 2 << 20, "hits": 3 << 20}
	mems["table"], mems["hits"] = ownership.Memory{ID: 2, Base: 2 << 20, Size: 1024}, ownership.Memory{ID: 3, Base: 3 << 20, Size: 4}
	l.Symbol = func(name string) (uint64, bool) {
		a, ok := symbols[name]
		return a, ok
	}
	l.Memory = func(addr uint64) (ownership.Memory, bool) {
		for _, m := range mems {
			if addr >= m.Base && addr < m.Base+m.Size {
				return m, true
			}
		}
		return ownership.Memory{}, false
	}
	return l
}

// TestProve compares what is proved with what the lines of the kernels say.
func TestProve(t *testing.T) {
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
		if f, ok := it.(*ptx.Func); ok && f.Entry {
			g, err := ssa.Build(m, f, ssa.Options{Verify: true})
			if err != nil {
				t.Fatal(err)
			}
			forms[regexp.MustCompile(`^_Z\d+([a-zA-Z]+)`).FindStringSubmatch(f.Name)[1]] = g
		}
	}
	for _, k := range readKernels(t) {
		f := forms[k.name]
		for name, g := range forms { // the mangled name runs on into the types
			if strings.HasPrefix(name, k.name) && strings.HasPrefix(g.Name, fmt.Sprintf("_Z%d%s", len(k.name), k.name)) {
				f = g
			}
		}
		if f == nil || len(k.launches) == 0 {
			t.Errorf("%s: no such kernel, or no launch", k.name)
			continue
		}
		for i, launch := range k.launches {
			shape, meets := strings.CutSuffix(launch, " meets")
			p := ownership.Prove(f, parseLaunch(t, shape))
			check(t, k, f, i, p)
			if p.Meets != meets {
				t.Errorf("%s, launch %s: blocks meet: %v", k.name, launch, p.Meets)
			}
		}
	}
}

// check compares a proof: each line's sites have one of its letters, and each
// letter a site.
func check(t *testing.T, k *kernel, f *ssa.Func, launch int, p *ownership.Proof) {
	t.Helper()
	got := map[int][]string{}
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if v.Mem == nil || v.Mem.Space != ptx.Global && v.Mem.Space != ptx.NoSpace {
				continue
			}
			letter := "w"
			if p.Safe[ownership.Site{Func: f.Name, Line: v.Instr.Pos.Line}] {
				letter = "s"
			}
			if line := v.Loc.Line; !slices.Contains(got[line], letter) {
				got[line] = append(got[line], letter)
			}
		}
	}
	for line, words := range k.want {
		var want []string
		for _, w := range strings.Fields(words) {
			if x := w[launch : launch+1]; !slices.Contains(want, x) {
				want = append(want, x)
			}
		}
		slices.Sort(want)
		slices.Sort(got[line])
		if !slices.Equal(want, got[line]) {
			t.Errorf("%s, launch %s, line %d: %v, want %v", k.name, k.launches[launch], line, got[line], want)
		}
	}
}
