package intrinsics

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }

// effects are functions that do more than compute a value of their arguments:
// they have tests of their own.
var effects = regexp.MustCompile(`^(__(wg|clang)_.*|__shfl.*|__match.*|__reduce_.*|__(all|any|ballot|activemask|uni)(_sync)?|__sync.*|__barrier.*|__threadfence.*|__brkpt|__trap|` +
	`__pm\d|__prof_trigger|clock|clock64|__clock.*|__globaltimer|__nanosleep|cuda[A-Z].*|__isGlobal|__isShared|__isConstant|__isLocal)$`)

// compared are the functions to compare: of values, to a value.
func compared(fs []function) []function {
	var out []function
	for _, f := range fs {
		pointer := strings.ContainsAny(f.result+strings.Join(f.params, ""), "*&")
		if !effects.MatchString(f.name) && !pointer && f.device && len(f.params) > 0 {
			out = append(out, f)
		}
	}
	return out
}

// TestIntrinsics compares the numeric functions of the headers with their models, on the
// device and on the host: one in four, in the long tests each. One without a model fails.
func TestIntrinsics(t *testing.T) {
	bin := tooltest.Tool(t)
	dir := t.TempDir()
	file := filepath.Join(dir, "all.cu")
	var text strings.Builder
	for _, h := range includes {
		fmt.Fprintf(&text, "#include <%s>\n", h)
	}
	write(t, file, []byte(text.String()))
	pre, err := exec.Command(bin, "cc", "-E", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	fs := compared(declarations(string(pre) + "\n# 1 \"/cuda_fp16.h\"\n" + wrappers()))
	if len(fs) < 900 {
		t.Fatalf("only %d functions found", len(fs))
	}
	jobs := plan(t, fs)
	const parts = 4
	var wait sync.WaitGroup
	slots := make(chan struct{}, 2)
	for p := range parts {
		wait.Add(1)
		go func() {
			defer wait.Done()
			slots <- struct{}{}
			defer func() { <-slots }()
			part := jobs[p*len(jobs)/parts : (p+1)*len(jobs)/parts]
			results, err := carryOut(bin, filepath.Join(dir, fmt.Sprint(p)), part)
			if err != nil {
				t.Error(err)
				return
			}
			compareAll(t, part, results)
		}()
	}
	wait.Wait()
}

// plan gives each function a table.
func plan(t *testing.T, fs []function) []job {
	tables := map[string]*table{}
	r := rand.New(rand.NewPCG(1, 2))
	var jobs []job
	for i, f := range fs {
		m, _ := modelOf(f)
		result, known := cTypes[spelling(f.result)]
		if m == nil || !known {
			t.Errorf("no model of %s %s", f.result, f.signature())
			continue
		}
		var params []cType
		for _, p := range f.params {
			pt, known := cTypes[p]
			if !known {
				t.Errorf("unknown type %q in %s", p, f.signature())
				return nil
			}
			params = append(params, pt)
		}
		// The conversions of classes share their code with the functions.
		sampled := m.moderate || strings.HasPrefix(f.name, "cast_")
		key := fmt.Sprintf("%v %v %q", m.moderate, sampled, f.params)
		if isSmall(result) && len(params) == 1 && isFloating(params[0]) {
			key += f.result
		}
		if tables[key] == nil {
			tables[key] = arguments(r, params, result, m.moderate, sampled)
		}
		if tooltest.Sampled(i, 4) {
			jobs = append(jobs, job{function: f, table: tables[key]})
		}
	}
	return jobs
}

// arguments are all patterns of one argument of 16 bits and fewer; the points
// where the rounding to a small format changes, and their neighbors; else samples.
func arguments(r *rand.Rand, params []cType, result cType, moderate, sampled bool) *table {
	first := params[0]
	switch {
	case sampled && first.size > 1:
	case len(params) == 1 && first.lanes == 1 && first.size <= 2:
		t := newTable(params, 1<<(8*first.size))
		for i := range t.n {
			v := value{t: first, bits: []uint64{uint64(i)}}
			if first.kind == small {
				v.bits[0] &= 1<<first.form.bits - 1
			}
			t.set(0, i, v)
		}
		return t
	case len(params) == 1 && first.lanes == 1 && isFloating(first) && isSmall(result):
		return ties(first, result.form)
	}
	t := newTable(params, 500)
	for i := range t.n {
		for k, p := range params {
			t.set(k, i, p.sample(r, moderate))
		}
	}
	return t
}

// carryOut compiles and runs a program with the jobs and returns its output.
func carryOut(bin, dir string, jobs []job) ([]byte, error) {
	source, input := program(jobs)
	if err := os.Mkdir(dir, 0o777); err != nil {
		return nil, err
	}
	file, in, out := filepath.Join(dir, "p.cu"), filepath.Join(dir, "in"), filepath.Join(dir, "out")
	for name, text := range map[string][]byte{file: []byte(source), in: input} {
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return nil, err
		}
	}
	if msg, err := exec.Command(bin, "run", "--tool", "launch", "--arch", "sm_90", file, "--", in, out).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, msg[:min(len(msg), 4000)])
	}
	return os.ReadFile(out)
}

// compareAll compares the results with the models; of each function the first
// difference is shown.
func compareAll(t *testing.T, jobs []job, results []byte) {
	for _, j := range jobs {
		sides := []string{"device"}
		if j.host {
			sides = append(sides, "host")
		}
		for _, side := range sides {
			size := j.table.n * slot
			if bad, first := differences(j, results[:size]); bad > 0 {
				t.Errorf("%s, %s: %d of %d differ, first %s", j.signature(), side, bad, j.table.n, first)
			}
			results = results[size:]
		}
	}
}

func differences(j job, results []byte) (bad int, first string) {
	m, groups := modelOf(j.function)
	result := cTypes[spelling(j.result)]
	for i := range j.table.n {
		c := &call{function: j.function, m: groups, result: result}
		for k := range j.params {
			c.args = append(c.args, j.table.at(k, i))
		}
		got := result.read(results[i*slot:])
		for k, w := range m.apply(c) {
			if w.accepts(result, got.bits[k]) {
				continue
			}
			if bad++; bad == 1 {
				first = fmt.Sprintf("%x: %#x, want %s", argumentBits(c.args), got.bits[k], w)
			}
			break
		}
	}
	return bad, first
}

func argumentBits(args []value) [][]uint64 {
	var out [][]uint64
	for _, a := range args {
		out = append(out, a.bits)
	}
	return out
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o666); err != nil {
		t.Fatal(err)
	}
}
