package judge

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/warpgrind/warpgrind/internal/nvrtc"
	"github.com/warpgrind/warpgrind/internal/sandbox"
)

// A reference in C++ becomes a program: it reads the bytes of all arguments, calls the function,
// and writes the bytes of the outputs. Narrow floating-point types are float there.

// failure is a reason, with a message, as an error.
type failure struct {
	reason  Reason
	message string
	compile *Compile
}

func (f *failure) Error() string { return f.message }

func fail(r Reason, format string, args ...any) error {
	return &failure{reason: r, message: fmt.Sprintf(format, args...)}
}

// referenceProgram is the text of the program.
func referenceProgram(j *Job) string {
	var b strings.Builder
	b.WriteString("#include <cstdint>\n#include <cstddef>\n#include <cstdio>\n#include <cstdlib>\n#include <cmath>\n#include <algorithm>\n#include <vector>\n#include <unistd.h>\nusing std::min; using std::max;\n#line 1 \"reference.cpp\"\n")
	b.WriteString(j.Reference.Source)
	b.WriteString("\n#line 1 \"reference (main)\"\n")
	b.WriteString(`namespace { void warpgrind_read(void *p, size_t n) { char *c = (char *)p; while (n) { ssize_t k = read(0, c, n); if (k <= 0) _exit(3); c += k; n -= k; } }
void warpgrind_write(int fd, const void *p, size_t n) { const char *c = (const char *)p; while (n) { ssize_t k = write(fd, c, n); if (k <= 0) _exit(3); c += k; n -= k; } } }
int main() {
  int warpgrind_out = dup(1); dup2(2, 1);
`)
	var names []string
	for i := range j.Arguments {
		a, t := &j.Arguments[i], types[j.Arguments[i].Type].cpp
		name := fmt.Sprintf("warpgrind_%d", i)
		names = append(names, name)
		if a.Role == Scalar {
			fmt.Fprintf(&b, "  %s %s; warpgrind_read(&%s, sizeof %s);\n", t, name, name, name)
			continue
		}
		fmt.Fprintf(&b, "  uint64_t %sn; warpgrind_read(&%sn, 8); %s *%s = (%s *)calloc(%sn + 1, sizeof(%s)); if (!%s) _exit(4);\n", name, name, t, name, t, name, t, name)
		if a.Role == Input || a.Role == InOut {
			fmt.Fprintf(&b, "  warpgrind_read(%s, %sn * sizeof(%s));\n", name, name, t)
		}
	}
	fmt.Fprintf(&b, "  %s(%s);\n", j.Reference.Function, strings.Join(names, ", "))
	for i := range j.Arguments {
		if a := &j.Arguments[i]; a.isOutput() {
			fmt.Fprintf(&b, "  warpgrind_write(warpgrind_out, %s, %sn * sizeof(%s));\n", names[i], names[i], types[a.Type].cpp)
		}
	}
	b.WriteString("  _exit(0);\n}\n")
	return b.String()
}

// referenceInput is what the program reads for a call.
func (p *plan) referenceInput(c int) []byte {
	var b []byte
	for i := range p.job.Arguments {
		a := &p.job.Arguments[i]
		if a.Role == Scalar {
			b = append(b, toCPP(a.Type, p.scalars[i])...)
			continue
		}
		b = binary.LittleEndian.AppendUint64(b, uint64(p.counts[i]))
		if d := p.contents[c][i]; d != nil {
			b = append(b, toCPP(a.Type, d)...)
		}
	}
	return b
}

// toCPP converts elements to the type that a reference has for them.
func toCPP(t Type, b []byte) []byte {
	if t != F16 && t != BF16 {
		return b
	}
	out := make([]byte, 0, 2*len(b))
	for ; len(b) > 0; b = b[2:] {
		out = F32.put(out, t.get(b))
	}
	return out
}

// expected are the expected outputs of all calls: by call and argument, as numbers of the type
// that a reference has.
type expected struct {
	wide bool // narrow floating-point types are float
	data [][][]byte
}

// expect finds out what is expected.
func (j *Judge) expect(ctx context.Context, p *plan, s *Seconds) (*expected, error) {
	began := time.Now()
	defer func() { s.Reference = time.Since(began).Seconds() }()
	switch r := &p.job.Reference; {
	case r.Expected != nil:
		var list [][]byte
		for i := range p.job.Arguments {
			a := &p.job.Arguments[i]
			var b []byte
			if a.isOutput() {
				var err error
				if b, err = r.Expected[a.Name].bytes(a.Type, p.counts[i], a.Name, p.job.Seed, 0); err != nil {
					return nil, fail(InvalidJob, "reference: %s: %v", a.Name, err)
				}
			}
			list = append(list, b)
		}
		return &expected{data: [][][]byte{list}}, nil
	case r.Kernel != nil:
		return j.expectKernel(ctx, p, r.Kernel)
	}
	return j.expectProgram(ctx, p)
}

// expectKernel runs a reference kernel.
func (j *Judge) expectKernel(ctx context.Context, p *plan, k *ReferenceKernel) (*expected, error) {
	ptx, _, err := j.compile(ctx, p.job, &k.Code, p.reference)
	if err != nil {
		return nil, asReference(err)
	}
	e := &expected{}
	for c := range p.calls {
		r, _, err := j.run(ctx, p, runnable{ptx: ptx}, "memory", schedule{name: "default"}, []int{c}, p.reference)
		if err != nil {
			return nil, asReference(err)
		}
		if r.Refusal != "" {
			return nil, fail(ReferenceFailed, "%s", r.Message)
		}
		for _, f := range r.Findings {
			if f.Level == "error" {
				return nil, fail(ReferenceFailed, "the reference kernel is wrong: %s: %s", f.Rule, f.Message)
			}
		}
		var list [][]byte
		for i := range p.job.Arguments {
			var b []byte
			if n := p.buffer(i); n >= 0 {
				if b = r.Calls[0].Contents[n]; p.job.Arguments[i].isOutput() && r.Calls[0].Unwritten[n] > 0 {
					return nil, fail(ReferenceFailed, "the reference kernel does not write all of %s", p.job.Arguments[i].Name)
				}
			}
			list = append(list, b)
		}
		e.data = append(e.data, list)
	}
	return e, nil
}

// asReference is an error of the reference's.
func asReference(err error) error {
	var f *failure
	if errors.As(err, &f) && f.reason != JudgeFailed {
		return fail(ReferenceFailed, "the reference: %s", f.message)
	}
	return err
}

// expectProgram compiles and runs a reference in C++.
func (j *Judge) expectProgram(ctx context.Context, p *plan) (*expected, error) {
	exe, done, err := j.referenceExe(ctx, p.job)
	if err != nil {
		return nil, err
	}
	defer done()
	e := &expected{wide: true}
	for c := range p.calls {
		out, err := j.runReference(ctx, p, exe, c)
		if err != nil {
			return nil, err
		}
		var list [][]byte
		for i := range p.job.Arguments {
			a := &p.job.Arguments[i]
			var b []byte
			if a.isOutput() {
				n := p.counts[i] * types[a.Type].cppSize
				if n > len(out) {
					return nil, fail(ReferenceFailed, "the reference ended early")
				}
				b, out = out[:n], out[n:]
			}
			list = append(list, b)
		}
		if len(out) > 0 {
			return nil, fail(ReferenceFailed, "the reference wrote more than its outputs")
		}
		e.data = append(e.data, list)
	}
	return e, nil
}

// referenceExe is the path of the compiled reference, and what is called once it has run.
func (j *Judge) referenceExe(ctx context.Context, job *Job) (string, func(), error) {
	code := nvrtc.Code{Name: "reference.cpp", Text: referenceProgram(job), Std: job.Reference.Std}
	if code.Std == "" {
		code.Std = "c++17"
	}
	c, err := j.compileCode(ctx, code, hostReference, &job.Limits)
	if err != nil {
		return "", nil, asReference(err)
	}
	if c.Exe == nil {
		message := "the reference does not compile"
		if len(c.Errors) > 0 {
			message += ": " + c.Errors[0].Message
		}
		return "", nil, fail(ReferenceFailed, "%s", message)
	}
	return j.executable(c.Exe)
}

// executable makes a file of a program, until remove is called.
func (j *Judge) executable(text []byte) (exe string, remove func(), err error) {
	dir, err := os.MkdirTemp(j.dir, "program-")
	if err != nil {
		return "", nil, err
	}
	exe = filepath.Join(dir, "program")
	// A process that is started meanwhile would hold the file open, and it could not be run.
	syscall.ForkLock.RLock()
	err = os.WriteFile(exe, text, 0o700)
	syscall.ForkLock.RUnlock()
	return exe, func() { os.RemoveAll(dir) }, err
}

// bounded keeps at most so many bytes. stop, if set, is called when there are more. The buffer is not
// embedded: io.Copy would read into it and not come by Write.
type bounded struct {
	kept  bytes.Buffer
	limit int
	over  atomic.Bool
	stop  func()
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > b.limit {
		if b.over.Store(true); b.stop != nil {
			b.stop()
		}
		return 0, errFlood
	}
	return b.kept.Write(p)
}

// runReference runs the program for a call.
func (j *Judge) runReference(ctx context.Context, p *plan, exe string, c int) ([]byte, error) {
	limits := &p.job.Limits
	size := 0
	for i := range p.job.Arguments {
		if a := &p.job.Arguments[i]; a.isOutput() {
			size += p.counts[i] * types[a.Type].cppSize
		}
	}
	out, errs := &bounded{limit: size + 1}, &tail{}
	seconds := time.Duration(limits.ReferenceSeconds * float64(time.Second))
	s := sandbox.Spec{Path: exe, Args: []string{"reference"}, Read: append([]string{exe}, libraries...), Alone: true,
		Limits: sandbox.Limits{Memory: limits.Memory, CPU: seconds + time.Second, Files: 1 << 20, Processes: mostThreadsOfHost}}
	proc, err := j.pool.box.Start(s, bytes.NewReader(p.referenceInput(c)), out, errs)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(ctx, seconds)
	defer stop()
	switch err := proc.Wait(ctx, limits.Memory); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fail(ReferenceFailed, "the reference took more than %v seconds", limits.ReferenceSeconds)
	case errors.Is(err, sandbox.ErrMemory):
		return nil, fail(ReferenceFailed, "the reference took more than %d bytes of memory", limits.Memory)
	case errors.Is(err, sandbox.ErrThreads):
		return nil, fail(ReferenceFailed, "the reference has more than %d threads", mostThreadsOfHost)
	case out.over.Load():
		return nil, fail(ReferenceFailed, "the reference wrote more than its outputs")
	case sandbox.Signal(err) != 0:
		return nil, fail(ReferenceFailed, "the reference was ended by a signal: %v", sandbox.Signal(err))
	case err != nil:
		return nil, fail(ReferenceFailed, "the reference failed: %v", err)
	}
	return out.kept.Bytes(), nil
}
