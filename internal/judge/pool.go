package judge

import (
	"bufio"
	"bytes"
	"context"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/warpgrind/warpgrind/internal/nvrtc"
	"github.com/warpgrind/warpgrind/internal/sandbox"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// kind is what a worker is for. Each has its own sandbox.
type kind int

const (
	compiling kind = iota
	running
	kinds
)

// reuse is how many requests a worker answers. The compiler gets a new sandbox for each
// candidate, so that none can leave anything to the next one; the engine executes nothing
// natively that a job brings.
var reuse = [kinds]int{compiling: 1, running: 200}

// grace is what a worker has beyond its own limit of time, to say that it has reached it.
const grace = 3 * time.Second

// pool has the workers.
type pool struct {
	box      sandbox.Box
	exe      string // this executable
	cache    string // the compiler's directory: headers, precompiled headers
	compiler *nvrtc.Compiler
	needs    []string

	mu     sync.Mutex
	idle   [kinds][]*worker
	closed bool
	warm   map[string]*sync.Once

	messages io.Writer
	slower   sync.Once
}

// worker is a sandboxed process that answers requests. memory is its bound.
type worker struct {
	p      *sandbox.Process
	in     io.WriteCloser
	out    *bufio.Reader
	memory uint64
	used   int
	errs   *tail
}

// tail keeps the beginning of what a process writes to standard error.
type tail struct {
	mu   sync.Mutex
	kept bytes.Buffer // not embedded; see bounded
}

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if room := 4096 - t.kept.Len(); room > 0 {
		t.kept.Write(b[:min(room, len(b))])
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept.String()
}

// newPool prepares workers. dir is an empty directory of its own.
func newPool(dir, clang string, allowWeak bool) (*pool, error) {
	p := &pool{cache: filepath.Join(dir, "cache"), warm: map[string]*sync.Once{}, messages: io.Discard}
	p.box.Dir, p.box.AllowWeak = filepath.Join(dir, "root"), allowWeak
	for _, d := range []string{p.cache, p.box.Dir} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, err
		}
	}
	var err error
	if err := p.placeHeaders(); err != nil {
		return nil, err
	}
	if p.exe, err = os.Executable(); err != nil {
		return nil, err
	}
	if p.compiler, err = nvrtc.NewCompiler(clang); err != nil {
		return nil, err
	}
	p.needs, err = p.compiler.Needs()
	return p, err
}

// includes is the directory of the headers for tensors.
func (p *pool) includes() string { return filepath.Join(p.cache, "include") }

// placeHeaders writes the headers for tensors: most names stand for the same text.
func (p *pool) placeHeaders() error {
	for name, text := range tensorHeaders() {
		file := filepath.Join(p.includes(), name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			return err
		}
	}
	return nil
}

// close ends all idle workers, and those that come back later.
func (p *pool) close() {
	p.mu.Lock()
	p.closed = true
	idle := p.idle
	p.idle = [kinds][]*worker{}
	p.mu.Unlock()
	for _, list := range idle {
		for _, w := range list {
			w.end()
		}
	}
}

func (w *worker) end() {
	w.in.Close()
	w.p.Kill()
}

// libraries are the directories of shared libraries, where programs need them.
var libraries = []string{"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache"}

// systemDirs are what the compiler and the linker may see of the system.
var systemDirs = []string{"/usr", "/bin", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"}

// start makes a worker.
func (p *pool) start(k kind, memory uint64) (*worker, error) {
	return p.startIn(p.spec(k, memory), memory)
}

// mostThreads is how many processes and threads a worker can have.
const mostThreads = 256

// spec is the sandbox of a worker.
func (p *pool) spec(k kind, memory uint64) sandbox.Spec {
	s := sandbox.Spec{Args: []string{workerArgument0, p.exe}, Read: []string{p.exe}}
	s.Path = p.exe
	switch k {
	case compiling:
		s.Env = []string{"PATH=/usr/bin:/bin", "HOME=/", "WARPGRIND_CACHE_DIR=" + p.cache}
		s.Read = slices.Concat(s.Read, systemDirs, []string{p.cache, systemCache}, outsideOf(p.needs))
		s.Limits = sandbox.Limits{Data: memory, CPU: maxSeconds * time.Second, Files: 512 << 20, Processes: mostThreads}
	case running:
		s.Env = []string{"WARPGRIND_CACHE_DIR=off", "PATH=", runsKernels + "=1"}
		if isDynamic(p.exe) {
			s.Read = append(s.Read, libraries...)
		}
		s.Alone = true
		s.Limits = sandbox.Limits{Data: memory + memory/2, CPU: maxSeconds * time.Second, Files: 64 << 20, MemoryFile: arenaFor(memory), Processes: mostThreads}
	}
	return s
}

// arenaFor is the size of a file for device memory of so many bytes: the device has half of it, and the largest power of two is
// taken that fits. Freed memory keeps its addresses for a while.
func arenaFor(memory uint64) uint64 { return max(1<<30, 16*min(memory, 1<<40)) }

// startIn makes a worker in a sandbox.
func (p *pool) startIn(s sandbox.Spec, memory uint64) (*worker, error) {
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer inR.Close()
	outR, outW, err := os.Pipe()
	if err != nil {
		inW.Close()
		return nil, err
	}
	defer outW.Close()
	w := &worker{in: inW, out: bufio.NewReaderSize(outR, 1<<16), memory: memory, errs: &tail{}}
	if w.p, err = p.box.Start(s, inR, outW, w.errs); err != nil {
		inW.Close()
		outR.Close()
		return nil, err
	}
	go func() { <-w.p.Done(); outR.SetReadDeadline(time.Now().Add(time.Second)) }()
	return w, nil
}

// systemCache is the directory that warpgrind setup --system makes.
const systemCache = "/var/lib/warpgrind"

// CompilerDirs are the directories that a compiler reads: those of the system, the one of warpgrind setup --system, and what belongs to
// the clang of a path ("" for the usual one).
func CompilerDirs(clang string) ([]string, error) {
	c, err := nvrtc.NewCompiler(clang)
	if err != nil {
		return nil, err
	}
	needs, err := c.Needs()
	return slices.Concat(systemDirs, []string{systemCache}, outsideOf(needs)), err
}

// outsideOf are the parts of the compiler that do not lie in the system's directories: of a program
// in a directory bin, all that is installed with it.
func outsideOf(needs []string) (list []string) {
	for _, n := range needs {
		if slices.ContainsFunc(systemDirs, func(d string) bool { return n == d || strings.HasPrefix(n, d+"/") }) {
			continue
		}
		if bin := filepath.Dir(n); filepath.Base(bin) == "bin" {
			n = filepath.Dir(bin)
		}
		list = append(list, n)
	}
	return list
}

var isDynamic = func(exe string) bool {
	f, err := elf.Open(exe)
	if err != nil {
		return true
	}
	defer f.Close()
	return slices.ContainsFunc(f.Progs, func(p *elf.Prog) bool { return p.Type == elf.PT_INTERP })
}

// The ways in which a worker can fail a request.
var (
	errTimeout = errors.New("timeout")
	errDied    = errors.New("the process died")
	errFlood   = errors.New("the reply is too long")
)

// death is the error of a worker that has died: sandbox.ErrMemory if it had no more memory, else errDied,
// with what it said.
func (w *worker) death() error {
	w.p.Kill()
	said, _, _ := strings.Cut(strings.TrimSpace(w.errs.String()), "\n")
	if how := w.p.Ending(); said == "" {
		said = how
	}
	// What the runtime of Go, and that of C++, write before they end the process.
	for _, short := range []string{"out of memory", "cannot allocate memory", "std::bad_alloc", "signal: killed"} {
		if strings.Contains(said, short) {
			return fmt.Errorf("%w: %.200s", sandbox.ErrMemory, said)
		}
	}
	return fmt.Errorf("%w: %.200s", errDied, said)
}

// ask gives a request to a worker and waits for its reply, of at most limit bytes. If the worker
// dies, or runs out of memory in a request that is not its first, a new one is asked once: an earlier
// request, or a machine that ran short, may be to blame, and a verdict must not depend on that.
func (p *pool) ask(ctx context.Context, k kind, q *request, memory uint64, limit int) (*reply, *sandbox.Report, error) {
	w, err := p.take(k, memory)
	if err != nil {
		return nil, nil, err
	}
	fresh := w.used == 0
	r, held, err := p.askOne(ctx, w, k, q, memory, limit)
	died := errors.Is(err, errDied) || errors.Is(err, sandbox.ErrMemory) && (!fresh || err != sandbox.ErrMemory)
	if !died || ctx.Err() != nil {
		return r, held, err
	}
	if w, err = p.start(k, memory); err != nil {
		return nil, nil, err
	}
	return p.askOne(ctx, w, k, q, memory, limit)
}

// askOne is ask with one worker.
func (p *pool) askOne(ctx context.Context, w *worker, k kind, q *request, memory uint64, limit int) (*reply, *sandbox.Report, error) {
	own := *q // another worker may be asked the same
	q = &own
	ctx, stop := q.within(ctx, w.p.Processor)
	r, err := w.ask(ctx, q, memory, limit)
	if exceeded := stop(); exceeded && errors.Is(err, context.Canceled) {
		err = errTimeout
	}
	held := w.p.Held
	if w.used++; err != nil || r.TimedOut || r.Error != "" || w.used >= reuse[k] {
		w.end()
	} else {
		p.give(k, w)
	}
	return r, &held, err
}

// farther is how many times the limit of a compilation, or of the search for a hang, may pass on a machine that does other work: it
// counts processor time.
const farther = 10

// within bounds the time of a request. A compilation, and the search for a hang, may use its time of the processor, whatever else the machine does
// meanwhile, and no less time than that. used is what the worker has used of it; stop ends the watch and reports whether that was
// too much.
func (q *request) within(ctx context.Context, used func() time.Duration) (_ context.Context, stop func() bool) {
	limit := time.Duration(q.Seconds * float64(time.Second))
	if q.Compile == nil && (q.Run == nil || q.Run.Tools != hangTools) {
		ctx, cancel := context.WithTimeout(ctx, limit+grace)
		return ctx, func() bool { cancel(); return false }
	}
	q.Seconds *= farther // for the worker itself
	ctx, cancel := context.WithTimeout(ctx, farther*limit+grace)
	before, over, exceeded := used(), make(chan struct{}), make(chan bool, 1)
	go func() {
		next := time.After(limit)
		for {
			select {
			case <-over:
				exceeded <- false
				return
			case <-next:
			}
			left := limit - (used() - before)
			if left <= 0 {
				exceeded <- true
				cancel()
				return
			}
			next = time.After(min(max(left/4, leastWatch), mostWatch))
		}
	}()
	return ctx, func() bool { close(over); cancel(); return <-exceeded }
}

// The times between two looks at the processor time of a compilation that has taken its limit.
const (
	leastWatch = 50 * time.Millisecond
	mostWatch  = time.Second
)

func (p *pool) take(k kind, memory uint64) (*worker, error) {
	p.mu.Lock()
	for i, w := range slices.Backward(p.idle[k]) {
		if w.memory == memory {
			p.idle[k] = slices.Delete(p.idle[k], i, i+1)
			p.mu.Unlock()
			return w, nil
		}
	}
	p.mu.Unlock()
	return p.start(k, memory)
}

// maxIdle bounds the workers that wait for requests: those that have waited longest end.
const maxIdle = 64

func (p *pool) give(k kind, w *worker) {
	p.mu.Lock()
	ends := w
	if !p.closed {
		ends, p.idle[k] = nil, append(p.idle[k], w)
		if len(p.idle[k]) > maxIdle {
			ends, p.idle[k] = p.idle[k][0], slices.Delete(p.idle[k], 0, 1)
		}
	}
	p.mu.Unlock()
	if ends != nil {
		ends.end()
	}
}

// ask sends one request to this worker.
func (w *worker) ask(ctx context.Context, q *request, memory uint64, limit int) (*reply, error) {
	var line []byte
	var err error
	got := make(chan struct{})
	go func() {
		defer close(got)
		if err = json.NewEncoder(w.in).Encode(q); err == nil {
			line, err = readLine(w.out, limit)
		}
	}()
	switch stopped := w.p.Until(ctx, got, memory); {
	case errors.Is(stopped, context.DeadlineExceeded):
		return nil, errTimeout
	case stopped != nil:
		return nil, stopped
	case errors.Is(err, errFlood):
		return nil, err
	case err != nil:
		return nil, w.death()
	}
	r := &reply{}
	if err := json.Unmarshal(line, r); err != nil {
		return nil, fmt.Errorf("the reply is damaged: %w", err)
	}
	return r, nil
}

// readLine reads a line of at most limit bytes.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > limit:
			return nil, errFlood
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// prepare has the prelude of CUDA sources precompiled for some options, outside of any sandbox: no
// job has a part in it.
func (p *pool) prepare(ctx context.Context, c nvrtc.Code, f form) {
	key := fmt.Sprint(c.Arch, " ", c.Std, " ", c.Optimized, " ", f)
	p.mu.Lock()
	once := p.warm[key]
	if once == nil {
		once = &sync.Once{}
		if len(p.warm) < maxPreludes {
			p.warm[key] = once
		}
	}
	p.mu.Unlock()
	once.Do(func() {
		err := error(nil)
		if f == hostProgram {
			p.prepare(ctx, c, deviceCode) // which makes the directory of the headers
			err = p.placeLibrary(ctx)
		}
		if err == nil {
			err = p.compileOutside(ctx, c, f)
		}
		if err != nil && ctx.Err() == nil {
			p.slower.Do(func() {
				_, _ = visible.Fprintf(p.messages, "warpgrind: each job compiles what is made once elsewhere, and takes longer: %v\n", err)
			})
		}
	})
}

// compileOutside compiles two small sources: the second time makes the precompiled header.
func (p *pool) compileOutside(ctx context.Context, c nvrtc.Code, f form) error {
	cmd := exec.CommandContext(ctx, p.exe)
	cmd.Args = []string{workerArgument0, p.exe}
	cmd.Env = append(os.Environ(), "WARPGRIND_CACHE_DIR="+p.cache)
	var in bytes.Buffer
	for i := range 2 {
		code := nvrtc.Code{Name: "warm.cu", Text: fmt.Sprintf("__global__ void k%d() {}\nint main() {}", i), Arch: c.Arch, Std: c.Std, Optimized: c.Optimized, Includes: c.Includes}
		if err := json.NewEncoder(&in).Encode(&request{Compile: &compileRequest{Code: code, Compiler: p.compiler, Form: f}, Seconds: 120 * farther}); err != nil {
			return err
		}
	}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() { _, _ = stdin.Write(in.Bytes()) }() // if it has ended, there is no reply either
	r := bufio.NewReader(stdout)
	for range 2 {
		var line []byte
		if line, err = readLine(r, maxCompiled); err == nil {
			err = failureIn(line)
		}
		if err != nil {
			break
		}
	}
	stdin.Close()
	_ = cmd.Wait() // it has said all
	return err
}

// failureIn is the failure in a reply, which is none of the source's.
func failureIn(line []byte) error {
	var r reply
	switch err := json.Unmarshal(line, &r); {
	case err != nil:
		return err
	case r.Error != "":
		return errors.New(r.Error)
	case r.TimedOut:
		return errTimeout
	case len(r.Replaced) > 0:
		return errors.New(r.Replaced[0])
	}
	return nil
}

// placeLibrary puts the runtime library, which takes long to compile, beside the headers that workers use.
func (p *pool) placeLibrary(ctx context.Context) error {
	lib, err := p.compiler.Library(ctx)
	if err != nil || strings.HasPrefix(lib, systemCache+"/") {
		return err
	}
	data, err := os.ReadFile(lib)
	if err != nil {
		return err
	}
	dir := filepath.Join(p.cache, filepath.Base(filepath.Dir(lib)))
	return os.WriteFile(filepath.Join(dir, filepath.Base(lib)), data, 0o600)
}

// maxPreludes bounds the precompiled headers, each of which is some megabytes.
const maxPreludes = 16
