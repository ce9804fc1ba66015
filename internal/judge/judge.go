package judge

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/internal/kernels"
	"github.com/warpgrind/warpgrind/internal/nvrtc"
	"github.com/warpgrind/warpgrind/internal/sandbox"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// Config is how jobs are judged.
type Config struct {
	// Workers is how many jobs are judged at once; 0 means one for each core.
	Workers int
	// Clang is the compiler, "" for the newest that is installed.
	Clang string
	// AllowWeakSandbox judges also where files or the network stay open to candidates.
	AllowWeakSandbox bool
	// NoSeconds leaves the field seconds out of verdicts.
	NoSeconds bool
	// Messages gets a line where jobs take longer than they could; it may be nil.
	Messages io.Writer
}

// Judge judges jobs, any number at once.
type Judge struct {
	cfg    Config
	pool   *pool
	dir    string
	remove func()
	code   codeCache
	// slots bound the jobs that are judged at once.
	slots chan struct{}
}

// New makes a judge. Close ends it.
func New(cfg Config) (*Judge, error) {
	if cfg.Workers <= 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	j := &Judge{cfg: cfg, dir: dir, remove: remove, slots: make(chan struct{}, cfg.Workers)}
	if j.pool, err = newPool(dir, cfg.Clang, cfg.AllowWeakSandbox); err != nil {
		remove()
		return nil, err
	}
	if cfg.Messages != nil {
		j.pool.messages = cfg.Messages
	}
	return j, nil
}

// Close ends all that the judge has started.
func (j *Judge) Close() {
	j.pool.close()
	j.remove()
}

// Judge judges one job, the n-th of its input. The error is that of ctx; all else is in the verdict.
func (j *Judge) Judge(ctx context.Context, n int, job *Job) (*Verdict, error) {
	began := time.Now()
	v := newVerdict(n, job.ID)
	t := &trial{Judge: j, job: job, v: v, seconds: &Seconds{}}
	err := t.judge(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var f *failure
	switch {
	case errors.As(err, &f):
		v.because(f.reason, f.message)
		if f.compile != nil {
			v.Compile = f.compile
		}
	case err != nil:
		v.because(JudgeFailed, err.Error())
	}
	v.conclude()
	if t.seconds.Total = time.Since(began).Seconds(); !j.cfg.NoSeconds {
		v.Seconds = t.seconds
	}
	return v, nil
}

// Invalid is the verdict on a job that cannot be judged.
func Invalid(n int, id string, err error) *Verdict {
	v := newVerdict(n, id)
	v.because(InvalidJob, err.Error())
	v.conclude()
	return v
}

func newVerdict(n int, id string) *Verdict {
	return &Verdict{Version: Version, Job: n, ID: id, Reasons: []Why{}, Findings: []Finding{}, NotChecked: []string{}}
}

// conclude names the verdict.
func (v *Verdict) conclude() {
	slices.SortStableFunc(v.Reasons, func(a, b Why) int { return slices.Index(order, a.Reason) - slices.Index(order, b.Reason) })
	v.Verdict, v.Correct = Correct, len(v.Reasons) == 0
	if !v.Correct {
		v.Verdict = v.Reasons[0].Reason
	}
}

// trial is one job being judged.
type trial struct {
	*Judge
	job     *Job
	v       *Verdict
	seconds *Seconds
	plan    *plan
	code    runnable
	want    *expected
	runs    []*oneRun
	// unnoted is why the runs do not note what the host gives the device, "" if they do.
	unnoted string
}

// schedule is an order of blocks, warps and lanes.
type schedule struct {
	name string
	seed uint64
}

func (s schedule) String() string {
	if s.name == "random" {
		return fmt.Sprintf("random-%d", s.seed)
	}
	return s.name
}

// schedules are the first n: as the engine likes, reversed, then random ones.
func schedules(n int) []schedule {
	list := []schedule{{name: "default"}, {name: "reverse"}}
	for i := 2; i < n; i++ {
		list = append(list, schedule{"random", uint64(i - 1)})
	}
	return list[:n]
}

// oneRun is what a run from a fresh module gave, for the calls in the order in which they were made.
type oneRun struct {
	schedule
	calls []int
	*ran
}

func (t *trial) judge(ctx context.Context) (err error) {
	if t.plan, err = newPlan(t.job); err != nil {
		return fail(InvalidJob, "%v", err)
	}
	began := time.Now()
	var held *sandbox.Report
	if t.job.Host != nil {
		var remove func()
		t.code, held, remove, err = t.compileHost(ctx)
		defer remove()
	} else {
		t.code.ptx, held, err = t.compile(ctx, t.job, &t.job.Code, t.plan.launches)
	}
	t.seconds.Compile = time.Since(began).Seconds()
	if held != nil {
		t.v.Sandbox = held
	}
	if err != nil {
		return err
	}
	if t.job.PTX == "" {
		t.v.Compile = &Compile{OK: true}
	}
	if t.want, err = t.expect(ctx, t.plan, t.seconds); err != nil {
		return err
	}
	began = time.Now()
	defer func() { t.seconds.Run = time.Since(began).Seconds() }()
	if err := t.runAll(ctx); err != nil {
		return err
	}
	return t.decide(ctx)
}

// costTools are the rules that count what a candidate costs.
const costTools = "bank,coalesce,divergence"

// runAll runs the calls under each schedule. Odd ones make them in reverse order, so that each
// input is also the first that a fresh module gets. What host code gives the device is noted, to be compared with the runs that follow it.
// Where that exceeds a limit the runs are made without, and t.unnoted is why.
func (t *trial) runAll(ctx context.Context) error {
	noted := *t.plan
	noted.note = t.job.Host != nil
	err := t.runSchedules(ctx, &noted)
	var f *failure
	if !noted.note || !errors.As(err, &f) || f.reason != Timeout && f.reason != MemoryLimit {
		return err
	}
	t.unnoted, t.runs = f.message, nil
	return t.runSchedules(ctx, t.plan)
}

func (t *trial) runSchedules(ctx context.Context, p *plan) error {
	n := t.job.Schedules
	if n == 0 {
		n = DefaultSchedules
	}
	for i, s := range schedules(max(n, 1)) {
		calls := make([]int, p.calls)
		for c := range calls {
			calls[c] = c
		}
		if i%2 == 1 {
			slices.Reverse(calls)
		}
		tools := t.job.Tools
		if tools == "" {
			tools = "default"
		}
		if i == 0 {
			tools += "," + costTools
		}
		r, held, err := t.run(ctx, p, t.code, tools, s, calls, p.launches)
		if held != nil {
			t.v.Sandbox = held
		}
		if err != nil {
			return t.hangOr(ctx, s, calls, r, err)
		}
		if r.Refusal != "" {
			return t.refused(r)
		}
		t.runs = append(t.runs, &oneRun{s, calls, r})
		if i == 0 && t.isHopeless() {
			break
		}
	}
	return nil
}

// refused is the failure of a run that cannot be made.
func (t *trial) refused(r *ran) error {
	if r.Refusal == kernels.OutOfMemory {
		return fail(MemoryLimit, "%s: the limit is %d bytes", r.Message, t.job.Limits.Memory)
	}
	return fail(refusals[r.Refusal], "%s", r.Message)
}

// isHopeless reports whether t is a candidate that other schedules say nothing more about: it hangs.
func (t *trial) isHopeless() bool {
	return slices.ContainsFunc(t.runs[0].Findings, func(f Finding) bool { return f.Rule == "hang" }) || slices.Contains(t.runs[0].Waits, true)
}

// refusals are the reasons for which kernels cannot be called.
var refusals = map[kernels.Refusal]Reason{kernels.InvalidPTX: CompileError, kernels.NoKernel: InvalidLaunch, kernels.WrongArguments: InvalidLaunch,
	kernels.InvalidLaunch: InvalidLaunch, kernels.OutOfMemory: MemoryLimit, kernels.UnsupportedInput: Unsupported}

// run runs calls of the plan from a fresh module.
func (j *Judge) run(ctx context.Context, p *plan, code runnable, tools string, s schedule, calls []int, launches []kernels.KernelLaunch) (*ran, *sandbox.Report, error) {
	l := &p.job.Limits
	q := &runRequest{Arch: p.job.Arch, Tools: tools, Schedule: s.name, Seed: s.seed, Instructions: l.Instructions,
		Kernels: kernels.Kernels{Name: "candidate", PTX: code.ptx, Memory: l.Memory, Note: p.note, Follow: p.follow}}
	size := 0
	for _, c := range calls {
		call := p.call(c, launches)
		for _, b := range call.Buffers {
			size += int(b.Size)
		}
		q.Calls = append(q.Calls, call)
	}
	var r *reply
	var held *sandbox.Report
	var err error
	if code.exe != "" {
		q.Host, q.PTX = true, nil
		if p.note || p.follow {
			size += len(calls) * maxReply
		}
		r, held, err = j.pool.askWithProgram(ctx, code.exe, &request{Run: q, Seconds: l.Seconds}, l, 2*size+maxReply)
	} else {
		r, held, err = j.pool.ask(ctx, running, &request{Run: q, Seconds: l.Seconds}, l.Memory, 2*size+maxReply)
	}
	if err == nil && r.TimedOut {
		err = errTimeout
	}
	switch {
	case errors.Is(err, errTimeout):
		var hung *ran
		if r != nil {
			hung = r.Ran
		}
		return hung, held, fail(Timeout, "the kernels took more than %v seconds", l.Seconds)
	case errors.Is(err, sandbox.ErrMemory):
		return nil, held, fail(MemoryLimit, "the kernels and their check took more than %d bytes of memory", l.Memory)
	case errors.Is(err, errFlood):
		return nil, held, fail(OutputLimit, "the findings take more than %d bytes", maxReply)
	case err != nil:
		return nil, held, err
	case r.Error != "" || r.Ran == nil:
		return nil, held, fail(JudgeFailed, "%s", r.Error)
	case r.Ran.Crashed:
		return nil, held, fail(HostFailed, "the host code ended in a call: %s", r.Ran.Message)
	}
	if r.Ran.Refusal == "" && !r.Ran.isComplete(q.Calls) {
		return nil, held, fail(JudgeFailed, "the engine's reply is not one to the request")
	}
	return r.Ran, held, nil
}

// maxReply is the room in a reply besides contents.
const maxReply = 16 << 20

// isComplete reports whether a reply has what was asked for: it may come from a process that a
// candidate has taken over.
func (r *ran) isComplete(calls []kernels.Call) bool {
	if len(r.Calls) != len(calls) || len(r.Waits) != len(r.Findings) {
		return false
	}
	for i, c := range calls {
		got := &r.Calls[i]
		if len(got.Contents) != len(c.Buffers) || len(got.Unwritten) != len(c.Buffers) || len(got.Gap) != len(c.Buffers) {
			return false
		}
		for k, b := range c.Buffers {
			if uint64(len(got.Contents[k])) != max(b.Size, 1) || got.Unwritten[k] > b.Size || got.Gap[k] > b.Size {
				return false
			}
		}
	}
	return true
}

// compile makes PTX of a candidate, and gives its launches the names that kernels have there.
func (j *Judge) compile(ctx context.Context, job *Job, c *Code, launches []kernels.KernelLaunch) ([]byte, *sandbox.Report, error) {
	if c.PTX != "" {
		return []byte(c.PTX), nil, nil
	}
	code := nvrtc.Code{Name: candidateFile, Text: defines(c.Defines) + c.Source, Headers: c.Headers, Std: c.Std, Arch: job.Arch, Optimized: job.Build == "optimized",
		Names: instances(launches)}
	out, err := j.compileCode(ctx, code, deviceCode, &job.Limits)
	if err != nil {
		return nil, nil, err
	}
	if out.PTX == nil {
		return nil, &out.held, out.failed()
	}
	for i := range launches {
		if k := slices.Index(code.Names, launches[i].Kernel); k >= 0 && k < len(out.Lowered) && out.Lowered[k] != "" {
			launches[i].Kernel = out.Lowered[k]
		}
	}
	return out.PTX, &out.held, nil
}

// failed is the failure of a source that does not compile.
func (c *compiledCode) failed() error {
	f := &failure{reason: CompileError, message: "the source does not compile", compile: &Compile{Errors: c.Errors}}
	if len(c.Errors) > 0 {
		f.message = c.Errors[0].Message
	}
	return f
}

// instances are the kernels of launches that are instances of templates, or in a namespace.
func instances(launches []kernels.KernelLaunch) (names []string) {
	for _, l := range launches {
		if strings.ContainsAny(l.Kernel, "<:") && !slices.Contains(names, l.Kernel) {
			names = append(names, l.Kernel)
		}
	}
	return names
}

// defines are macros as text: so they are not among the compiler's options, on which the
// precompiled headers depend.
func defines(list map[string]string) string {
	var names []string
	for n := range list {
		names = append(names, n)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "#define %s %s\n", n, list[n])
	}
	if len(names) > 0 {
		b.WriteString("#line 1\n")
	}
	return b.String()
}

// compiledCode is a result of the compiler with what held it.
type compiledCode struct {
	nvrtc.Compiled
	held sandbox.Report
}

// compileCode compiles, or finds what an equal source gave before.
func (j *Judge) compileCode(ctx context.Context, code nvrtc.Code, f form, l *Limits) (*compiledCode, error) {
	text, err := json.Marshal(code)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256(append(text, f...))
	if c := j.code.get(key); c != nil {
		return c, nil
	}
	if f != hostReference {
		j.pool.prepare(ctx, code, f)
	}
	q := &request{Compile: &compileRequest{Code: code, Compiler: j.pool.compiler, Form: f}, Seconds: l.CompileSeconds}
	memory := max(l.Memory, leastCompilerMemory)
	r, held, err := j.pool.ask(ctx, compiling, q, memory, maxCompiled)
	if err == nil && r.TimedOut {
		err = errTimeout
	}
	switch {
	case errors.Is(err, errTimeout):
		return nil, fail(Timeout, "compiling took more than %v seconds", l.CompileSeconds)
	case errors.Is(err, sandbox.ErrMemory):
		return nil, fail(MemoryLimit, "compiling took more than %d bytes of memory", memory)
	case errors.Is(err, sandbox.ErrThreads):
		return nil, fail(CompileError, "compiling took more than %d processes and threads", mostThreads)
	case errors.Is(err, errFlood):
		return nil, fail(OutputLimit, "the compiled code has more than %d bytes", maxCompiled)
	case err != nil:
		return nil, err
	case r.Error != "" || r.Compiled == nil:
		return nil, fail(JudgeFailed, "%s", r.Error)
	}
	c := &compiledCode{*r.Compiled, *held}
	j.code.put(key, c)
	return c, nil
}

// The memory that a compiler needs for the least source, and the most bytes that it may return.
const (
	leastCompilerMemory = 2 << 30
	maxCompiled         = 64 << 20
)

// codeCache keeps results of the compiler by the hash of all that they depend on.
type codeCache struct {
	mu    sync.Mutex
	items map[[32]byte]*compiledCode
	order [][32]byte // oldest first
	bytes int
}

// maxCode bounds the cache in bytes.
const maxCode = 64 << 20

func (c *codeCache) get(key [32]byte) *compiledCode {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.items[key]
}

func (c *compiledCode) size() int { return len(c.PTX) + len(c.Exe) + len(c.Log) + 1000 }

func (c *codeCache) put(key [32]byte, code *compiledCode) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.items == nil {
		c.items = map[[32]byte]*compiledCode{}
	}
	if c.items[key] != nil || code.size() > maxCode/4 {
		return
	}
	for c.bytes+code.size() > maxCode {
		c.bytes -= c.items[c.order[0]].size()
		delete(c.items, c.order[0])
		c.order = c.order[1:]
	}
	c.items[key], c.order, c.bytes = code, append(c.order, key), c.bytes+code.size()
}
