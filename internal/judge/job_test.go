package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestExpressions(t *testing.T) {
	shapes := map[string]int64{"n": 1000, "m_2": 7}
	for text, want := range map[string]int64{
		"3": 3, "n": 1000, "n + m_2 * 2": 1014, "(n + 255) / 256": 4, "ceil(n, 256)": 4, "ceil(n - 1000, 256)": 0, "-n / 3": -333, "n % m_2": 6,
		"min(n, m_2) + max(1, 2)": 9, "2 - 1 - 1": 0, "--3": 3, "ceil(-7, 2)": -3, "ceil(7, -2)": -3, "0 - 5 + 2": -3,
	} {
		e := Expr{text: text}
		if got, err := e.Eval(shapes); err != nil || got != want {
			t.Errorf("%s = %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "n +", "k", "n / 0", "n % (1 - 1)", "(n", "n)", "9223372036854775807 + 1", "9223372036854775807 * 2", "99999999999999999999", "min(n)", "f(1, 2)", "1 2",
		"0 - 9223372036854775807 - 2", strings.Repeat("(", 1000) + "1" + strings.Repeat(")", 1000), "n; n", "n\x00"} {
		e := Expr{text: text}
		if text == "" {
			continue // the zero value is 0
		}
		if got, err := e.Eval(shapes); err == nil {
			t.Errorf("%q = %d", text, got)
		}
	}
}

// TestNarrow compares conversions to narrow types with their definition: the nearest number, ties to
// the one with an even significand.
func TestNarrow(t *testing.T) {
	for _, f := range []struct {
		exponent, fraction int
	}{{5, 10}, {8, 7}} {
		n := uint64(1) << (f.exponent + f.fraction)
		infinity := (uint64(1)<<f.exponent - 1) << f.fraction
		for b := range n {
			v := widen(b, f.exponent, f.fraction)
			if got := narrow(v, f.exponent, f.fraction); got != b && !(v != v && got > infinity) {
				t.Fatalf("%v of bits %x becomes %x", v, b, got)
			}
			if b >= infinity-1 {
				continue
			}
			next := widen(b+1, f.exponent, f.fraction)
			middle := (v + next) / 2
			even := b + b&1
			for x, want := range map[float64]uint64{middle: even, math.Nextafter(middle, 0): b, math.Nextafter(middle, math.Inf(1)): b + 1} {
				if got := narrow(x, f.exponent, f.fraction); got != want && !(x == v) {
					t.Fatalf("%v becomes %x, want %x", x, got, want)
				}
			}
		}
		if narrow(1e300, f.exponent, f.fraction) != infinity || narrow(math.Inf(-1), f.exponent, f.fraction) != n|infinity {
			t.Error("infinities")
		}
	}
}

func TestData(t *testing.T) {
	number := func(s string) Number { return Number{s} }
	low, high := 5.0, 8.0
	for _, c := range []struct {
		d    *Data
		t    Type
		n    int
		want string
	}{
		{&Data{Values: []Number{number("1"), number("-1")}}, I16, 2, "\x01\x00\xff\xff"},
		{&Data{Values: []Number{number("18446744073709551615")}}, U64, 1, "\xff\xff\xff\xff\xff\xff\xff\xff"},
		{&Data{Values: []Number{number("nan")}}, F32, 1, "\x00\x00\xc0\x7f"},
		{&Data{Fill: &Number{"1.5"}}, F16, 2, "\x00\x3e\x00\x3e"},
		{&Data{Range: true}, U8, 3, "\x00\x01\x02"},
	} {
		if got, err := c.d.bytes(c.t, c.n, "x", 0, 0); err != nil || string(got) != c.want {
			t.Errorf("%+v: %q, %v", c.d, got, err)
		}
	}
	for _, c := range []struct {
		d *Data
		t Type
		n int
	}{{&Data{Values: []Number{number("300")}}, U8, 1}, {&Data{Values: []Number{number("1.5")}}, I32, 1}, {&Data{Range: true}, I8, 200}, {&Data{Values: []Number{number("1")}}, F32, 2},
		{&Data{Random: "normal"}, I32, 5}, {&Data{Values: []Number{number("-1")}}, U64, 1}} {
		if got, err := c.d.bytes(c.t, c.n, "x", 0, 0); err == nil {
			t.Errorf("%+v as %s gives %x", c.d, c.t, got)
		}
	}
	ints := &Data{Random: "integers", Low: &low, High: &high}
	a, _ := ints.bytes(I32, 1000, "x", 1, 0)
	b, _ := ints.bytes(I32, 1000, "x", 1, 1)
	again, _ := ints.bytes(I32, 1000, "x", 1, 0)
	if bytes.Equal(a, b) || !bytes.Equal(a, again) {
		t.Error("numbers depend on something else than seed and call")
	}
	seen := map[int64]int{}
	for i := range 1000 {
		seen[I32.getInt(a[4*i:])]++
	}
	if len(seen) != 4 || seen[5] == 0 || seen[8] == 0 {
		t.Errorf("integers from 5 to 8: %v", seen)
	}
}

// TestInvalidJobs has jobs that are refused, each with what the message says.
func TestInvalidJobs(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "k.cu")
	for _, f := range []string{outside, filepath.Join(dir, "k.cu"), filepath.Join(dir, "k.txt")} {
		if err := os.WriteFile(f, []byte(vaddKernel), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dir, "link.cu")); err != nil {
		t.Fatal(err)
	}
	file := `"file":`
	source := `"source":` + quoted(operators[0].source(operators[0].body, &stores[0]))
	good := operators[0].line("x", operators[0].source(operators[0].body, &stores[0]), "")
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown field":    {`"version":1`, `"version":1,"tolerence":{}`, "unknown field"},
		"twice":            {`"version":1`, `"version":1,"id":"y"`, "occurs twice"},
		"twice by case":    {`"version":1`, `"version":1,"Version":1`, "occurs twice"},
		"later version":    {`"version":1`, `"version":2`, "version 2"},
		"no version":       {`"version":1,`, ``, "version 0"},
		"type":             {`"f32"`, `"float"`, `unknown type "float"`},
		"role":             {`"output"`, `"result"`, `unknown role "result"`},
		"no output":        {`"output"`, `"input"`, "no argument is an output"},
		"same name":        {`"name":"b"`, `"name":"a"`, "two arguments are called a"},
		"no name":          {`"name":"b"`, `"name":"b c"`, "not an identifier"},
		"unknown shape":    {`"shape":["n"]`, `"shape":["N"]`, "no shape is called N"},
		"negative shape":   {`"shape":["n"]`, `"shape":["-n"]`, "extents"},
		"huge shape":       {`"shape":["n"]`, `"shape":["n * n * n * n"]`, "extents"},
		"overflow":         {`"shape":["n"]`, `"shape":[4294967296, 4294967296]`, "extents"},
		"no launch":        {operators[0].launches, `[]`, "0 launches"},
		"host and launch":  {`"version":1`, `"version":1,"host":{"function":"f"}`, "not both"},
		"host's name":      {`"launches":` + operators[0].launches, `"host":{"function":"f(); g"}`, "not the name of a function"},
		"host's argument":  {`"launches":` + operators[0].launches, `"host":{"function":"f","arguments":["z"]}`, `called "z"`},
		"four extents":     {`"block":[256]`, `"block":[1,1,1,1]`, "one to three"},
		"float extent":     {`"block":[256]`, `"block":[2.5]`, "neither an integer"},
		"no argument":      {`"block":[256]`, `"block":[256],"arguments":["z"]`, `called "z"`},
		"two codes":        {`"version":1`, `"version":1,"ptx":"x"`, "exactly one of source, ptx and file"},
		"no code":          {source + ",", ``, "exactly one of source, ptx and file"},
		"file outside":     {source, file + `"../k.cu"`, "escapes"},
		"absolute file":    {source, file + quoted(outside), "escapes"},
		"link outside":     {source, file + `"link.cu"`, "escapes"},
		"missing file":     {source, file + `"none.cu"`, "no such file"},
		"other file":       {source, file + `"k.txt"`, "ends in .cu or .ptx"},
		"no reference":     {`"reference":{`, `"reference":{"expected":{},`, "exactly one of source, file, expected and kernel"},
		"reference's name": {`"reference":{`, `"reference":{"function":"f(); system",`, "not the name of a function"},
		"standard":         {`"version":1`, `"version":1,"std":"c++17 -fplugin=x"`, "not a standard"},
		"define":           {`"version":1`, `"version":1,"defines":{"A\n#include":"1"}`, "identifier"},
		"header":           {`"version":1`, `"version":1,"headers":{"../a.h":""}`, "stays in its directory"},
		"tolerance":        {`"version":1`, `"version":1,"tolerance":{"abs":-1,"rel":0}`, "tolerance"},
		"limits":           {`"version":1`, `"version":1,"limits":{"seconds":1e9}`, "seconds"},
		"output limit":     {`"version":1`, `"version":1,"limits":{"output":100}`, "limit is 100"},
		"calls":            {`"version":1`, `"version":1,"calls":100}`, ""},
		"rest":             {`"version":1`, `"version":1}{`, "after the job's end"},
		"scalar":           {`"role":"scalar","value":"n"`, `"role":"scalar"`, "a scalar has a value"},
		"scalar's value":   {`"role":"scalar","value":"n"`, `"role":"scalar","value":1.5`, "not a value of type i32"},
		"data":             {`"name":"a",`, `"name":"a","data":{"fill":1,"range":true},`, "exactly one"},
		"data of output":   {`"name":"out",`, `"name":"out","data":{"fill":1},`, "begins uninitialized"},
		"number":           {`"name":"a",`, `"name":"a","data":{"values":["x"]},`, "not a number"},
		"values":           {`"name":"a",`, `"name":"a","data":{"values":[1,2]},`, "2 values for 1000 elements"},
		"generator":        {`"name":"a",`, `"name":"a","data":{"random":"gauss"},`, "unknown generator"},
	} {
		if !strings.Contains(good, c.old) {
			t.Errorf("%s: %q is not in the job", name, c.old)
			continue
		}
		job, err := Decode([]byte(strings.Replace(good, c.old, c.new, 1)), dir)
		if err == nil {
			_, err = newPlan(job)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if job, err := Decode([]byte(strings.Replace(good, source, file+`"k.cu"`, 1)), dir); err != nil || job.Source != vaddKernel {
		t.Errorf("a file in the folder: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(operators[0].line("x", vaddKernel, "")))
	f.Add([]byte(operators[2].line("x", vaddKernel, `"seed":5,"limits":{"seconds":3},"tolerance":{"abs":1e-3,"rel":1}`)))
	f.Fuzz(func(t *testing.T, line []byte) {
		job, err := Decode(line, "")
		if job == nil {
			t.Fatal("no job")
		}
		if err == nil && job.Shapes["n"] < 1<<12 {
			_, _ = newPlan(job)
		}
	})
}

// TestOrder has lines that are jobs and lines that are none: the verdicts come in their order.
func TestOrder(t *testing.T) {
	o := &operators[0]
	good := o.line("good", vaddKernel, "")
	verdicts := stream(t, newJudge(t), "", good, "{", good, `{"version":1,"id":"bad"}`, "[]", o.line("wrong", strings.Replace(vaddKernel, "+ b", "- b", 1), ""))
	var got []string
	for _, v := range verdicts {
		got = append(got, string(v.Verdict)+" "+v.ID)
	}
	if want := "correct good,invalid_job ,correct good,invalid_job bad,invalid_job ,wrong_output wrong"; strings.Join(got, ",") != want {
		t.Errorf("verdicts %v, want %s", got, want)
	}
}

// TestSame judges jobs twice: the verdicts have the same bytes.
func TestSame(t *testing.T) {
	tooltest.NeedsClang(t)
	var lines []string
	for i, c := range candidates() {
		if i%160 == 3 {
			lines = append(lines, c.line)
		}
	}
	var texts [2]bytes.Buffer
	for i := range texts {
		j, err := New(Config{Workers: 1 + i, NoSeconds: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := j.Stream(context.Background(), strings.NewReader(strings.Join(lines, "\n")), &texts[i], ""); err != nil {
			t.Error(err)
		}
		j.Close()
	}
	if texts[0].String() != texts[1].String() {
		t.Errorf("first:\n%s\nthen:\n%s", texts[0].String(), texts[1].String())
	}
}

// TestServe has two clients, one of which goes away.
func TestServe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(path); err != nil || st.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may connect: %v, %v", st.Mode(), err)
	}
	if _, err := Listen(path); err == nil {
		t.Error("two servers have one socket")
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	j := newJudge(t)
	go func() { done <- j.Serve(ctx, l, "") }()
	line := operators[0].line("served", vaddKernel, "") + "\n"
	gone, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Write([]byte(line + line)); err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for range 2 {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.Write([]byte(line + "none\n")); err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(c)
		for _, want := range []Reason{Correct, InvalidJob} {
			var v Verdict
			if err := d.Decode(&v); err != nil || v.Verdict != want {
				t.Errorf("%s, %v; want %s", v.Verdict, err, want)
			}
		}
		c.Close()
	}
	stop()
	if err := <-done; err == nil {
		t.Error("the server ended without a reason")
	}
	if l, err := Listen(path); err != nil {
		t.Errorf("a socket that is left is in the way: %v", err)
	} else {
		l.Close()
	}
}

// TestReferences has the other kinds of references.
func TestReferences(t *testing.T) {
	base := func(reference, more string) string {
		return `{"version":1,"source":` + quoted("__global__ void dbl(const float *x, float *y) { y[threadIdx.x] = 2 * x[threadIdx.x]; }") + `,"launches":[{"grid":[1],"block":[4]}],
			"arguments":[{"name":"x","type":"f32","role":"input","shape":[4],"data":{"values":[1,2,3,4]}},{"name":"y","type":"f32","role":"output","shape":[4]}],"reference":` + reference + more + `}`
	}
	kernel := func(s string) string { return `{"kernel":{"source":` + quoted(s) + `}}` }
	cases := []struct {
		reference string
		want      Reason
	}{
		{`{"expected":{"y":{"values":[2,4,6,8]}}}`, Correct},
		{`{"expected":{"y":{"values":[2,4,6,9]}}}`, WrongOutput},
		{kernel("__global__ void ref(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x]; }"), Correct},
		{kernel("__global__ void ref(const float *x, float *y) { y[threadIdx.x] = x[threadIdx.x]; }"), WrongOutput},
		{kernel("__global__ void ref(const float *x, float *y) { if (threadIdx.x) y[threadIdx.x] = x[threadIdx.x]; }"), ReferenceFailed},
		{kernel("__global__ void ref(const float *x, float *y) { y[threadIdx.x + 1] = x[threadIdx.x]; }"), ReferenceFailed},
		{kernel("nonsense"), ReferenceFailed},
	}
	var lines []string
	for _, c := range cases {
		lines = append(lines, flat(base(c.reference, "")))
	}
	for i, v := range stream(t, newJudge(t), "", lines...) {
		if v.Verdict != cases[i].want {
			t.Errorf("reference %s: %s, want %s: %+v", cases[i].reference, v.Verdict, cases[i].want, v.Reasons)
		}
	}
}

// TestBounded: what copies into them meets their bounds too; a buffer's own ReadFrom would not.
func TestBounded(t *testing.T) {
	stopped := false
	b, e := &bounded{limit: 100, stop: func() { stopped = true }}, &tail{}
	if _, err := io.Copy(b, io.LimitReader(zeros{}, 1<<20)); err == nil || !stopped || !b.over.Load() || b.kept.Len() > 100 {
		t.Errorf("%v, %d bytes kept", err, b.kept.Len())
	}
	if n, err := io.Copy(e, io.LimitReader(zeros{}, 1<<20)); err != nil || n != 1<<20 || len(e.String()) != 4096 {
		t.Errorf("%v, %d bytes read, %d kept", err, n, len(e.String()))
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }
