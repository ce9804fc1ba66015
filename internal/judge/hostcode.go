package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/kernels"
	"github.com/warpgrind/warpgrind/internal/nvrtc"
	"github.com/warpgrind/warpgrind/internal/sandbox"
)

// A candidate with host code becomes a program that calls the host function when it is told to. It runs in a
// sandbox of its own, and its CUDA calls are served by an engine in another one, which also makes the buffers and
// reads the outputs: the program can do with its memory what it likes, and its word is not asked.

// runnable is a candidate that is compiled: PTX, and the path of a program if it has host code.
type runnable struct {
	ptx []byte
	exe string
}

// hostArguments are the names of what the host function takes, and of the outputs that are made of what it returns.
func (j *Job) hostArguments() (taken, returned []string) {
	h := j.Host
	taken = h.Arguments
	for i := range j.Arguments {
		a := &j.Arguments[i]
		switch {
		case h.Arguments == nil && (a.Role != Output || !h.Tensors):
			taken = append(taken, a.Name)
		case h.Tensors && a.isOutput() && !slices.Contains(h.Arguments, a.Name):
			returned = append(returned, a.Name)
		}
	}
	return taken, returned
}

// candidateFile is what messages call the source.
const candidateFile = "candidate.cu"

// doneFile is the descriptor on which the program reports that a call has returned.
const doneFile = sandbox.FirstFile

// slack is what a program's own code and libraries may take besides the memory that a job allows.
const slack = 64 << 20

// aborted is the exit code of a program that has called abort, as of a shell.
const aborted = 128 + int(unix.SIGABRT)

// hostThreads is how many of the program's threads can call CUDA: it cannot open connections. mostThreadsOfHost is how many there can be.
const (
	hostThreads       = 8
	mostThreadsOfHost = 64
)

// hostClock is a clock that is the same in each run: a program that measures its kernels, and takes the fastest, chooses alike in all of them. It
// takes a step with each look, is behind the machine's, so that waits end, and advances by sleeping, too. It comes before the candidate, whose macros
// it does not know.
const hostClock = `namespace warpgrind_judge {
long steps;
timespec now(long by) {
  long ns = __atomic_add_fetch(&steps, by, __ATOMIC_RELAXED);
  return {1 + ns / 1000000000, ns % 1000000000};
}
int sleeps(const timespec *t, timespec *left) { now(t->tv_sec * 1000000000 + t->tv_nsec); return (int)syscall(SYS_nanosleep, t, left); }
constexpr long kStep = 1000000;
int clockOf(clockid_t, timespec *t) noexcept asm("clock_gettime");
int clockOf(clockid_t, timespec *t) noexcept { *t = now(kStep); return 0; }
int dayOf(timeval *t, void *) noexcept asm("gettimeofday");
int dayOf(timeval *t, void *) noexcept { timespec s = now(kStep); *t = {s.tv_sec, s.tv_nsec / 1000}; return 0; }
time_t timeOf(time_t *t) noexcept asm("time");
time_t timeOf(time_t *t) noexcept { time_t s = now(kStep).tv_sec; if (t) *t = s; return s; }
clock_t used() noexcept asm("clock");
clock_t used() noexcept { timespec s = now(kStep); return s.tv_sec * CLOCKS_PER_SEC + s.tv_nsec / (1000000000 / CLOCKS_PER_SEC); }
int nanosleeps(const timespec *t, timespec *left) asm("nanosleep");
int nanosleeps(const timespec *t, timespec *left) { return sleeps(t, left); }
int usleeps(useconds_t us) asm("usleep");
int usleeps(useconds_t us) { timespec t = {us / 1000000, us % 1000000 * 1000}; return sleeps(&t, nullptr); }
}
`

// hostProgramText is the candidate with a main. A main of its own gets another name.
func hostProgramText(p *plan) string {
	j := p.job
	var b strings.Builder
	b.WriteString("#include <unistd.h>\n#include <sys/syscall.h>\n#include <sys/time.h>\n#include <csignal>\n#include <ctime>\n#include <cstdint>\n#include <cstdio>\n#include <exception>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n" + hostClock + "#define main candidate_main\n#line 1 \"" + candidateFile + "\"\n" + defines(j.Defines) + j.Source)
	fmt.Fprintf(&b, "\n#undef main\n#line 1 \"judge\"\n"+`namespace warpgrind_judge {
struct Pointer { void *p; template <class T> operator T *() const { return (T *)p; } };
[[noreturn]] void absent(const char *name) {
  char said[256] = {%[2]d};
  size_t n = 0;
  while (name[n] && n < sizeof said - 2) said[n + 2] = name[n], n++;
  said[1] = char(n);
  if (write(%[1]d, said, n + 2) < 0) _exit(2);
  _exit(1);
}
inline bool get(void *to, size_t n) { for (char *c = (char *)to; n;) { ssize_t k = read(0, c, n); if (k <= 0) return false; c += k; n -= k; } return true; }
}
int main() {
  signal(SIGABRT, [](int) { _exit(%[3]d); }); // which has no default for the first process of a namespace
  char ready = %[4]d;
  if (write(%[1]d, &ready, 1) != 1) return 1;
  for (;;) {
`, doneFile, kernels.CallsAbsent, aborted, kernels.Ready)
	taken, returned := j.hostArguments()
	variable := map[string]string{}
	for _, name := range slices.Concat(taken, returned) {
		i := j.argument(name)
		a, v := &j.Arguments[i], fmt.Sprintf("a%d", i)
		variable[name] = v
		switch {
		case a.Role == Scalar:
			fmt.Fprintf(&b, "    %s %s; if (!warpgrind_judge::get(&%s, sizeof %s)) return 0;\n", cudaTypes[a.Type], v, v, v)
		case j.Host.Tensors:
			fmt.Fprintf(&b, "    void *p%d; if (!warpgrind_judge::get(&p%d, 8)) return 0;\n    torch::Tensor %s = torch::from_blob(p%d, {%s}, torch::TensorOptions(c10::TypeOf<%s>::value).device(torch::kCUDA));\n",
				i, i, v, i, join(p.shapes[i]), cudaTypes[a.Type])
		default:
			fmt.Fprintf(&b, "    warpgrind_judge::Pointer %s; if (!warpgrind_judge::get(&%s, 8)) return 0;\n", v, v)
		}
	}
	b.WriteString("    try {\n")
	call := j.Host.Function + "(" + variables(variable, taken) + ")"
	if j.Host.Tensors {
		call = "warpgrind_judge::keep({" + variables(variable, returned) + "}, [&] { return " + call + "; })"
	}
	fmt.Fprintf(&b, "      %s;\n    } catch (const std::exception &e) { fprintf(stderr, \"%%s\\n\", e.what()); _exit(1); }\n", call)
	fmt.Fprintf(&b, `    char failed = cudaStreamSynchronize(0) != cudaSuccess || cudaGetLastError() != cudaSuccess;
    if (write(%d, &failed, 1) != 1) return 1;
  }
}
`, doneFile)
	return b.String()
}

// cudaTypes are the types of elements in device memory, and of scalars.
var cudaTypes = map[Type]string{F16: "__half", BF16: "__nv_bfloat16", F32: "float", F64: "double", I8: "int8_t", I16: "int16_t", I32: "int32_t", I64: "int64_t",
	U8: "uint8_t", U16: "uint16_t", U32: "uint32_t", U64: "uint64_t"}

func variables(of map[string]string, names []string) string {
	var out []string
	for _, n := range names {
		out = append(out, of[n])
	}
	return strings.Join(out, ", ")
}

func join(list []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ", ")
}

// compileHost compiles a candidate with host code. remove removes the program.
func (t *trial) compileHost(ctx context.Context) (out runnable, held *sandbox.Report, remove func(), err error) {
	remove = func() {}
	j := t.job
	code := nvrtc.Code{Name: candidateFile, Text: hostProgramText(t.plan), Headers: j.Headers, Std: j.Std, Arch: j.Arch, Optimized: j.Build == "optimized",
		Includes: []string{t.pool.includes()}}
	if j.Host.Tensors {
		code.Text = "#include <" + tensorHeader + ">\n" + code.Text
	}
	c, err := t.compileCode(ctx, code, hostProgram, &j.Limits)
	if err != nil {
		return out, nil, remove, err
	}
	if c.Exe == nil {
		if what := absentTorch(&c.Compiled, j.Source); what != "" {
			return out, &c.held, remove, &failure{reason: Unsupported, message: "the judge's PyTorch headers have no " + what, compile: &Compile{Errors: c.Errors}}
		}
		return out, &c.held, remove, c.failed()
	}
	out.ptx = c.PTX
	out.exe, remove, err = t.executable(c.Exe)
	return out, &c.held, remove, err
}

// askWithProgram is ask for a request that a program has a part in, each with a new worker.
func (p *pool) askWithProgram(ctx context.Context, exe string, q *request, l *Limits, limit int) (*reply, *sandbox.Report, error) {
	var workers, programs []*os.File // ends of commands, done and the connections
	closeEnds := func() {
		for _, f := range slices.Concat(workers, programs) {
			f.Close()
		}
		workers, programs = nil, nil
	}
	defer func() { closeEnds() }()
	from, to, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	workers, programs = append(workers, to), append(programs, from)
	if from, to, err = os.Pipe(); err != nil {
		return nil, nil, err
	}
	workers, programs = append(workers, from), append(programs, to)
	holder, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, err
	}
	hold := os.NewFile(uintptr(holder[0]), "holder")
	defer hold.Close()
	workers = append(workers, os.NewFile(uintptr(holder[1]), "holder"))
	for range hostThreads {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return nil, nil, err
		}
		workers, programs = append(workers, os.NewFile(uintptr(pair[0]), "connection")), append(programs, os.NewFile(uintptr(pair[1]), "connection"))
	}
	ctx, flooded := context.WithCancel(ctx)
	defer flooded()
	said, errs := &bounded{limit: int(min(l.Output, 1<<30)), stop: flooded}, &tail{}
	program, err := p.box.Start(sandbox.Spec{Path: exe, Args: []string{"candidate"}, Env: []string{kernels.ConnectedBy(doneFile+1, hostThreads)},
		Read: append([]string{exe}, libraries...), Inherited: programs[1:], Alone: true, FixedAddresses: true,
		Limits: sandbox.Limits{Data: l.Memory, CPU: time.Duration(l.Seconds+2) * time.Second, Files: 1 << 20, Processes: mostThreadsOfHost}}, programs[0], said, errs)
	if err != nil {
		return nil, nil, err
	}
	defer program.Kill()
	go holds(hold, program)
	ended := make(chan error, 1) // limits on resources do not count what the program maps as shared
	go func() { ended <- program.Until(ctx, program.Done(), l.Memory+slack) }()
	s := p.spec(running, l.Memory)
	s.Read, s.Inherited = append(s.Read, exe), workers
	w, err := p.startIn(s, l.Memory)
	if err != nil {
		return nil, nil, err
	}
	defer w.end()
	closeEnds()
	ctx, stop := context.WithTimeout(ctx, time.Duration(q.Seconds*float64(time.Second))+grace)
	defer stop()
	r, err := w.ask(ctx, q, l.Memory, limit)
	if said.over.Load() {
		return nil, &program.Held, fail(OutputLimit, "the host code prints more than %d bytes", l.Output)
	}
	if err == nil && r.Ran != nil && r.Ran.Crashed {
		_ = program.Wait(ctx, 0)
		switch err := <-ended; {
		case errors.Is(err, sandbox.ErrMemory):
			return nil, &program.Held, fail(MemoryLimit, "the host code holds more than %d bytes of memory", l.Memory)
		case errors.Is(err, sandbox.ErrThreads):
			return nil, &program.Held, fail(HostFailed, "the host code has more than %d threads", mostThreadsOfHost)
		}
		how := ""
		if text, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n"); text != "" {
			how = ": " + text
		}
		ending := program.Ending()
		if program.ExitCode() == aborted {
			ending = "it called abort()"
		}
		r.Ran.Message = ending + how
	}
	return r, &program.Held, err
}

// holds stops a program and lets it continue as a worker asks for.
func holds(worker io.ReadWriter, p *sandbox.Process) {
	for b := []byte{0}; ; {
		if _, err := io.ReadFull(worker, b); err != nil {
			return
		}
		if b[0] == kernels.HoldStop {
			p.Stop()
		} else {
			p.Continue()
		}
		if _, err := worker.Write(b); err != nil {
			return
		}
	}
}
