package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Version is that of the job's and the verdict's schema. A change of the meaning of a field makes
// it larger.
const Version = 1

// Job is a candidate and how it is judged.
type Job struct {
	Version int `json:"version"`
	// ID is the caller's name for it, repeated in the verdict.
	ID string `json:"id,omitempty"`
	Code
	// Arch is the architecture to imitate, "sm_80" by default; Build is "source" or "optimized".
	Arch  string `json:"arch,omitempty"`
	Build string `json:"build,omitempty"`
	// Shapes are integers that expressions in other fields can use.
	Shapes    map[string]int64 `json:"shapes,omitempty"`
	Arguments []Argument       `json:"arguments"`
	// Launches make a call; without them, a host function does.
	Launches  []Launch      `json:"launches,omitempty"`
	Host      *HostFunction `json:"host,omitempty"`
	Reference Reference     `json:"reference"`
	Tolerance *Tolerance    `json:"tolerance,omitempty"`
	Limits    Limits        `json:"limits,omitzero"`
	// Seed chooses the inputs that are generated. Calls is how many calls with different inputs
	// there are, Schedules under how many schedules each of them runs; 0 for the defaults.
	Seed      uint64 `json:"seed,omitempty"`
	Calls     int    `json:"calls,omitempty"`
	Schedules int    `json:"schedules,omitempty"`
	// Tools are the rules, as for --tool; findings of those that Ignore names fail no candidate.
	Tools  string   `json:"tools,omitempty"`
	Ignore []string `json:"ignore,omitempty"`
	// StrictPrecision fails candidates that compute in floating-point types narrower than those of
	// all arguments, also if the results are within the tolerance.
	StrictPrecision bool `json:"strict_precision,omitempty"`

	folder string
}

// Code is CUDA source or PTX: exactly one of the first three.
type Code struct {
	Source string `json:"source,omitempty"`
	PTX    string `json:"ptx,omitempty"`
	// File is a .cu or .ptx file in the job's folder.
	File string `json:"file,omitempty"`
	// Headers are files that the source may include, by name; HeaderFiles such files in the
	// job's folder. Defines are macros. Std is a standard such as "c++17".
	Headers     map[string]string `json:"headers,omitempty"`
	HeaderFiles []string          `json:"header_files,omitempty"`
	Defines     map[string]string `json:"defines,omitempty"`
	Std         string            `json:"std,omitempty"`
}

// Role says what a call does with an argument.
type Role string

// The roles.
const (
	Input   Role = "input"
	Output  Role = "output"
	InOut   Role = "inout"
	Scratch Role = "scratch"
	Scalar  Role = "scalar"
)

// Argument is an array, or a scalar, of a call.
type Argument struct {
	Name string `json:"name"`
	Type Type   `json:"type"`
	Role Role   `json:"role"`
	// Shape is an array's, Value a scalar's.
	Shape []Expr `json:"shape,omitempty"`
	Value *Value `json:"value,omitempty"`
	// Data is what an input holds; without it, numbers from a generator.
	Data *Data `json:"data,omitempty"`
	// Tolerance is an output's own.
	Tolerance *Tolerance `json:"tolerance,omitempty"`
}

// HostFunction is a host function of the source, which launches the kernels. It takes the arguments of that names,
// all in order if there are none: pointers to device memory, and scalars.
type HostFunction struct {
	Function  string   `json:"function"`
	Arguments []string `json:"arguments,omitempty"`
	// Tensors is set if arrays are torch::Tensor there. What such a function returns are the outputs that it
	// does not take.
	Tensors bool `json:"tensors,omitempty"`
}

// Launch is one launch of a call.
type Launch struct {
	// Kernel is the name as in the source, or mangled. It may be left out where there is one.
	Kernel  string `json:"kernel,omitempty"`
	Grid    []Expr `json:"grid"`
	Block   []Expr `json:"block"`
	Cluster []Expr `json:"cluster,omitempty"`
	// Shared is the bytes of dynamic shared memory.
	Shared      *Expr `json:"shared,omitempty"`
	Cooperative bool  `json:"cooperative,omitempty"`
	// Arguments are names of the job's; all in order if there are none.
	Arguments []string `json:"arguments,omitempty"`
}

// Reference is where the expected outputs come from: exactly one of Source, File, Expected and Kernel.
type Reference struct {
	// Source is C++, or File a file with it; Function, "reference" by default, takes the job's
	// arguments in order.
	Source   string `json:"source,omitempty"`
	File     string `json:"file,omitempty"`
	Function string `json:"function,omitempty"`
	Std      string `json:"std,omitempty"`
	// Expected are the outputs by name.
	Expected map[string]*Data `json:"expected,omitempty"`
	// Kernel is another candidate that is trusted.
	Kernel *ReferenceKernel `json:"kernel,omitempty"`
}

// ReferenceKernel is a kernel that computes the expected outputs. Without Launches, it is
// launched as the candidate is.
type ReferenceKernel struct {
	Code
	Launches []Launch `json:"launches,omitempty"`
}

// Tolerance is how far an element may be from the expected one: Abs + Rel * |expected|, with a
// fraction Mismatches of the elements farther away. NaN equals NaN.
type Tolerance struct {
	Abs        float64 `json:"abs"`
	Rel        float64 `json:"rel"`
	Mismatches float64 `json:"mismatches,omitempty"`
}

// Limits bound a job; 0 for the defaults.
type Limits struct {
	// CompileSeconds is processor time, ReferenceSeconds and Seconds are wall-clock time, for compiling, the
	// reference, and running the candidate.
	CompileSeconds   float64 `json:"compile_seconds,omitempty"`
	ReferenceSeconds float64 `json:"reference_seconds,omitempty"`
	Seconds          float64 `json:"seconds,omitempty"`
	// Memory is bytes of each process, Output bytes of all outputs together and of what kernels print.
	Memory uint64 `json:"memory,omitempty"`
	Output uint64 `json:"output,omitempty"`
	// Instructions is those of one warp: a bound that does not depend on the machine's speed.
	Instructions uint64 `json:"instructions,omitempty"`
}

// Defaults and bounds of what a job asks for.
const (
	DefaultCalls     = 2
	DefaultSchedules = 3
	maxCalls         = 8
	maxSchedules     = 16
	maxArguments     = 64
	maxLaunches      = 64
	maxLine          = 64 << 20
	maxSeconds       = 3600
)

var defaultLimits = Limits{CompileSeconds: 60, ReferenceSeconds: 10, Seconds: 20, Memory: 2 << 30, Output: 64 << 20, Instructions: 20_000_000}

// Decode reads a job. Fields that the schema does not have, or that occur twice, are errors.
// Files are looked for in the folder, and nowhere else.
func Decode(line []byte, folder string) (*Job, error) {
	j := &Job{folder: folder}
	if err := strict(line, j); err != nil {
		return j, err
	}
	return j, j.check()
}

// strict decodes one JSON value.
func strict(text []byte, to any) error {
	if err := noDuplicates(json.NewDecoder(bytes.NewReader(text))); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("text after the job's end")
	}
	return nil
}

// noDuplicates refuses objects with two fields of one name. encoding/json does not tell names apart by case.
func noDuplicates(d *json.Decoder) error {
	type level struct {
		object, value bool
		seen          map[string]bool
	}
	var stack []*level
	for {
		t, err := d.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		var top *level
		if len(stack) > 0 {
			top = stack[len(stack)-1]
		}
		if name, ok := t.(string); ok && top != nil && top.object && !top.value {
			if top.seen[strings.ToLower(name)] {
				return fmt.Errorf("field %q occurs twice", name)
			}
			top.seen[strings.ToLower(name)], top.value = true, true
			continue
		}
		if top != nil {
			top.value = false
		}
		switch t {
		case json.Delim('{'):
			stack = append(stack, &level{object: true, seen: map[string]bool{}})
		case json.Delim('['):
			stack = append(stack, &level{})
		case json.Delim('}'), json.Delim(']'):
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				return nil
			}
		}
		if len(stack) > 100 {
			return errors.New("nested too deeply")
		}
	}
}

// check checks what does not depend on the values of expressions.
func (j *Job) check() error {
	switch {
	case j.Version != Version:
		return fmt.Errorf("version %d of the schema: this warpgrind has version %d", j.Version, Version)
	case len(j.Arguments) > maxArguments:
		return fmt.Errorf("%d arguments, at most %d", len(j.Arguments), maxArguments)
	case j.Build != "" && j.Build != "source" && j.Build != "optimized":
		return fmt.Errorf("build %q: want source or optimized", j.Build)
	case j.Calls < 0 || j.Calls > maxCalls:
		return fmt.Errorf("%d calls, at most %d", j.Calls, maxCalls)
	case j.Schedules < 0 || j.Schedules > maxSchedules:
		return fmt.Errorf("%d schedules, at most %d", j.Schedules, maxSchedules)
	}
	if err := j.Code.load(j.folder); err != nil {
		return err
	}
	if err := j.checkArguments(); err != nil {
		return err
	}
	if err := j.checkHost(); err != nil {
		return err
	}
	if j.Host == nil {
		if err := j.checkLaunches(j.Launches); err != nil {
			return err
		}
	}
	if err := j.Tolerance.check(); err != nil {
		return err
	}
	if err := j.Limits.settle(); err != nil {
		return err
	}
	return j.checkReference()
}

func (j *Job) checkArguments() error {
	seen, outputs := map[string]bool{}, 0
	for i := range j.Arguments {
		a := &j.Arguments[i]
		switch {
		case !isName(a.Name):
			return fmt.Errorf("argument %d: the name %q is not an identifier", i+1, a.Name)
		case seen[a.Name]:
			return fmt.Errorf("two arguments are called %s", a.Name)
		case a.Role == Scalar && (a.Value == nil || a.Shape != nil || a.Data != nil):
			return fmt.Errorf("argument %s: a scalar has a value, and neither shape nor data", a.Name)
		case a.Role != Scalar && a.Value != nil:
			return fmt.Errorf("argument %s: only scalars have a value", a.Name)
		case (a.Role == Output || a.Role == Scratch) && a.Data != nil:
			return fmt.Errorf("argument %s: an argument of role %s begins uninitialized, without data", a.Name, a.Role)
		case a.Tolerance != nil && !a.isOutput():
			return fmt.Errorf("argument %s: only outputs have a tolerance", a.Name)
		}
		if err := errors.Join(a.Tolerance.check(), a.Data.check(j.folder)); err != nil {
			return fmt.Errorf("argument %s: %w", a.Name, err)
		}
		seen[a.Name] = true
		if a.isOutput() {
			outputs++
		}
	}
	if outputs == 0 {
		return errors.New("no argument is an output")
	}
	return nil
}

func (a *Argument) isOutput() bool { return a.Role == Output || a.Role == InOut }

// checkHost checks the host function, if there is one.
func (j *Job) checkHost() error {
	h := j.Host
	switch {
	case h == nil:
		return nil
	case len(j.Launches) > 0:
		return errors.New("give launches or a host function, not both")
	case j.PTX != "":
		return errors.New("a host function needs source")
	case !isQualified(h.Function):
		return fmt.Errorf("host: %q is not the name of a function", h.Function)
	case j.Reference.Kernel != nil && j.Reference.Kernel.Launches == nil:
		return errors.New("reference: the kernel needs launches, as the candidate has none")
	}
	for _, name := range h.Arguments {
		if j.argument(name) < 0 {
			return fmt.Errorf("host: no argument is called %q", name)
		}
	}
	return nil
}

func (j *Job) checkLaunches(list []Launch) error {
	if len(list) == 0 || len(list) > maxLaunches {
		return fmt.Errorf("%d launches: want 1 to %d", len(list), maxLaunches)
	}
	for i, l := range list {
		if len(l.Grid) == 0 || len(l.Grid) > 3 || len(l.Block) == 0 || len(l.Block) > 3 || len(l.Cluster) > 3 {
			return fmt.Errorf("launch %d: grid and block have one to three extents", i+1)
		}
		if strings.Trim(l.Kernel, kernelCharacters) != "" {
			return fmt.Errorf("launch %d: %q is not the name of a kernel", i+1, l.Kernel)
		}
		for _, name := range l.Arguments {
			if j.argument(name) < 0 {
				return fmt.Errorf("launch %d: no argument is called %q", i+1, name)
			}
		}
	}
	return nil
}

// kernelCharacters are those of names in C++ with template arguments, and of demangled ones.
const kernelCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$:<>,*&()[] -"

// argument finds an argument by its name, -1 for none.
func (j *Job) argument(name string) int {
	for i := range j.Arguments {
		if j.Arguments[i].Name == name {
			return i
		}
	}
	return -1
}

func (j *Job) checkReference() error {
	r := &j.Reference
	n := 0
	for _, given := range []bool{r.Source != "", r.File != "", r.Expected != nil, r.Kernel != nil} {
		if given {
			n++
		}
	}
	if n != 1 {
		return errors.New("reference: give exactly one of source, file, expected and kernel")
	}
	if r.Function == "" {
		r.Function = "reference"
	}
	if !isQualified(r.Function) {
		return fmt.Errorf("reference: %q is not the name of a function", r.Function)
	}
	if !isWord(r.Std) {
		return fmt.Errorf("reference: %q is not a standard", r.Std)
	}
	if r.File != "" {
		text, err := readFile(j.folder, r.File)
		if err != nil {
			return fmt.Errorf("reference: %w", err)
		}
		r.Source = string(text)
	}
	for i := range j.Arguments {
		if a := &j.Arguments[i]; r.Expected != nil && a.isOutput() && r.Expected[a.Name] == nil {
			return fmt.Errorf("reference: nothing is expected of output %s", a.Name)
		}
	}
	for name, d := range r.Expected {
		if i := j.argument(name); i < 0 || !j.Arguments[i].isOutput() {
			return fmt.Errorf("reference: no output is called %q", name)
		}
		if err := d.check(j.folder); err != nil {
			return fmt.Errorf("reference: %s: %w", name, err)
		}
	}
	if k := r.Kernel; k != nil {
		if err := k.Code.load(j.folder); err != nil {
			return fmt.Errorf("reference: %w", err)
		}
		if k.Launches != nil {
			return j.checkLaunches(k.Launches)
		}
	}
	return nil
}

// load reads the files of code.
func (c *Code) load(folder string) error {
	n := 0
	for _, given := range []string{c.Source, c.PTX, c.File} {
		if given != "" {
			n++
		}
	}
	if n != 1 {
		return errors.New("give exactly one of source, ptx and file")
	}
	if c.File != "" {
		text, err := readFile(folder, c.File)
		if err != nil {
			return err
		}
		switch filepath.Ext(c.File) {
		case ".cu", ".cuh":
			c.Source = string(text)
		case ".ptx":
			c.PTX = string(text)
		default:
			return fmt.Errorf("file %s: want a name that ends in .cu or .ptx", c.File)
		}
	}
	for name := range c.Headers {
		if !filepath.IsLocal(name) {
			return fmt.Errorf("header %q: want a path that stays in its directory", name)
		}
	}
	for _, name := range c.HeaderFiles {
		text, err := readFile(folder, name)
		if err != nil {
			return err
		}
		if c.Headers == nil {
			c.Headers = map[string]string{}
		}
		c.Headers[name] = string(text)
	}
	for name, value := range c.Defines {
		if !isName(name) || strings.ContainsAny(value, "\n\r\x00") {
			return fmt.Errorf("define %q: want an identifier and a value of one line", name)
		}
	}
	if !isWord(c.Std) {
		return fmt.Errorf("%q is not a standard", c.Std)
	}
	return nil
}

// maxFile bounds a file of a job in bytes.
const maxFile = 256 << 20

// readFile reads a file of a job's folder; a link that leads out of it is an error.
func readFile(folder, name string) ([]byte, error) {
	if folder == "" {
		return nil, fmt.Errorf("file %s: the job has no folder", name)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0) // to open a pipe does not block
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err == nil && (!st.Mode().IsRegular() || st.Size() > maxFile) {
		err = fmt.Errorf("file %s: want a regular file of at most %d bytes", name, maxFile)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, maxFile))
}

func (t *Tolerance) check() error {
	if t == nil {
		return nil
	}
	for _, v := range []float64{t.Abs, t.Rel, t.Mismatches} {
		if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return errors.New("a tolerance is a number from 0 on")
		}
	}
	if t.Mismatches >= 1 {
		return errors.New("mismatches is a fraction below 1")
	}
	return nil
}

// settle fills in defaults.
func (l *Limits) settle() error {
	for _, s := range []struct {
		now *float64
		def float64
	}{{&l.CompileSeconds, defaultLimits.CompileSeconds}, {&l.ReferenceSeconds, defaultLimits.ReferenceSeconds}, {&l.Seconds, defaultLimits.Seconds}} {
		if *s.now < 0 || *s.now > maxSeconds || math.IsNaN(*s.now) {
			return fmt.Errorf("a limit of %v seconds: want up to %d", *s.now, maxSeconds)
		}
		if *s.now == 0 {
			*s.now = s.def
		}
	}
	for _, s := range []struct {
		now *uint64
		def uint64
	}{{&l.Memory, defaultLimits.Memory}, {&l.Output, defaultLimits.Output}, {&l.Instructions, defaultLimits.Instructions}} {
		if *s.now == 0 {
			*s.now = s.def
		}
	}
	return nil
}

func isName(s string) bool {
	for i, r := range s {
		if r != '_' && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != "" && len(s) < 200
}

// isQualified reports whether s is a name that may have namespaces.
func isQualified(s string) bool {
	for _, part := range strings.Split(s, "::") {
		if !isName(part) {
			return false
		}
	}
	return true
}

// isWord reports what can be the value of -std.
func isWord(s string) bool { return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz+0123456789") == "" }
