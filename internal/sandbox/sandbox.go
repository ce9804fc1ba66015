package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Spec is a program and what it may do.
type Spec struct {
	// Path is the program's absolute path, Args its arguments from the zeroth on, which may be
	// empty; Env is its whole environment, to which TMPDIR is added.
	Path      string
	Args, Env []string
	// Read are files and directories that it may read and execute, at their own paths.
	Read []string
	// Inherited are open files that it gets, as descriptors from FirstFile on.
	Inherited []*os.File `json:"-"`
	// Alone is set for a program that needs no other process: it can start threads only.
	Alone bool
	// FixedAddresses is set for a program whose runs are compared: its memory lies at the same addresses in each.
	FixedAddresses bool
	// LocalSockets lets the program make Unix sockets, with its own processes and with those below Read. It
	// takes namespaces, or AllowWeak.
	LocalSockets bool
	// SharedOnFiles refuses memory that processes share other than by files of the sandbox's directory, which are counted. Memory without a
	// file, and files without a name, can exist where no process shows them. It takes namespaces.
	SharedOnFiles bool
	Limits
}

// Limits bound a program; 0 means that there is no bound.
type Limits struct {
	// Memory is bytes of address space of each process. Data is bytes of private, writable
	// memory of each process, for those that reserve addresses that they do not use.
	Memory, Data uint64
	// CPU is the processor time of each process.
	CPU time.Duration
	// Files is the bytes of each file, and of all files together, that it can write.
	Files uint64
	// MemoryFile is the size that a file without a name (memfd_create(2)) may have, if that is more than Files: such
	// files count as files (RLIMIT_FSIZE), and addresses that are never touched take no memory.
	MemoryFile uint64
	// Processes is how many processes and threads there can be at once. The kernel does not hold the superuser to it: Until does.
	Processes uint64
}

// Layer is a means of the kernel.
type Layer string

// The layers.
const (
	Namespaces Layer = "namespaces"
	Landlock   Layer = "landlock"
	Seccomp    Layer = "seccomp"
	Rlimits    Layer = "rlimits"
)

// Report says what holds a program.
type Report struct {
	// Files, Network, Processes and Memory are the layers that close off other files, the
	// network and other processes, and that bound memory.
	Files     []Layer `json:"files"`
	Network   []Layer `json:"network"`
	Processes []Layer `json:"processes"`
	Memory    []Layer `json:"memory"`
	// Missing says for people what this machine does not offer.
	Missing []string `json:"missing,omitempty"`
}

// Weak reports whether files or the network are open to the program.
func (r *Report) Weak() bool { return len(r.Files) == 0 || len(r.Network) == 0 }

// Box starts programs in sandboxes. Its directory is where their own directories are made.
type Box struct {
	// Dir is an empty directory, which stays empty: each sandbox mounts its own over it.
	Dir string
	// AllowWeak starts programs also where files or the network stay open to them.
	AllowWeak bool

	once       sync.Once
	namespaces bool
	why        string
}

// Process is a program that runs in a sandbox.
type Process struct {
	// Held is what holds it.
	Held Report

	cmd     *exec.Cmd
	alone   bool
	sockets bool   // Spec.LocalSockets
	inside  string // the sandbox's directory as the program sees it, if its files count as memory
	threads uint64 // Limits.Processes
	scratch string
	done    chan struct{}
	err     error
}

// order is what Enter is told.
type order struct {
	Spec
	Root       string // where the sandbox mounts its own directory, "" without namespaces
	Scratch    string // the directory that the program may write to
	AllowWeak  bool
	Namespaces string // why there are none
}

// answer is what Enter says before it starts the program.
type answer struct {
	Held  Report
	Error string
}

// argument0 tells Enter that this process is a sandbox.
const argument0 = "warpgrind-sandbox"

// The file descriptors of a sandbox's order and of its answer.
const (
	orderFD  = 3
	answerFD = 4
)

// FirstFile is the descriptor of the first of Spec.Inherited.
const FirstFile = answerFD + 1

// Start starts a program. The streams may be nil. The error says what is missing where the
// sandbox would not hold.
func (b *Box) Start(s Spec, stdin io.Reader, stdout, stderr io.Writer) (*Process, error) {
	b.once.Do(b.probe)
	o := order{Spec: s, AllowWeak: b.AllowWeak, Namespaces: b.why}
	p := &Process{done: make(chan struct{}), alone: s.Alone, threads: s.Processes}
	if b.namespaces {
		o.Root, o.Scratch = b.Dir, "/scratch"
		p.sockets = s.LocalSockets
		if s.SharedOnFiles {
			p.inside = o.Scratch
		}
	} else {
		dir, err := os.MkdirTemp(b.Dir, "")
		if err != nil {
			return nil, err
		}
		o.Scratch, p.scratch = dir, dir
	}
	a, err := p.start(&o, stdin, stdout, stderr)
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	if err != nil {
		p.Kill()
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	p.Held = a.Held
	return p, nil
}

// WithoutNamespaces makes a box do without them, for the reason that is given. It comes before
// the first Start.
func (b *Box) WithoutNamespaces(why string) { b.once.Do(func() { b.why = why }) }

// probe finds out whether there are namespaces.
func (b *Box) probe() {
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{argument0, "probe"}
	cmd.SysProcAttr = attributes(true)
	var text bytes.Buffer
	cmd.Stderr = &text
	if err := cmd.Run(); err != nil {
		b.why = fmt.Sprintf("no user and mount namespaces (%v)", err)
		return
	}
	b.namespaces = true
}

// attributes are those of the process that becomes a sandbox, which does not outlive this one.
func attributes(namespaces bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if namespaces {
		a.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
			syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	return a
}

func (p *Process) start(o *order, stdin io.Reader, stdout, stderr io.Writer) (*answer, error) {
	orderR, orderW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer orderR.Close()
	answerR, answerW, err := os.Pipe()
	if err != nil {
		orderW.Close()
		return nil, err
	}
	defer answerR.Close()
	p.cmd = exec.Command("/proc/self/exe")
	p.cmd.Args, p.cmd.Env = []string{argument0, "enter"}, []string{"GOGC=off"}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, stderr
	p.cmd.ExtraFiles = append([]*os.File{orderR, answerW}, o.Inherited...)
	p.cmd.SysProcAttr = attributes(o.Root != "")
	err = p.cmd.Start()
	answerW.Close()
	if err != nil {
		orderW.Close()
		p.cmd = nil
		return nil, err
	}
	go p.wait()
	err = json.NewEncoder(orderW).Encode(o)
	orderW.Close()
	if err != nil {
		return nil, err
	}
	var a answer
	if err := json.NewDecoder(io.LimitReader(answerR, 1<<16)).Decode(&a); err != nil {
		return nil, fmt.Errorf("it ended before the program began: %w", err)
	}
	return &a, nil
}

func (p *Process) wait() {
	p.err = p.cmd.Wait()
	if p.cmd.SysProcAttr.Cloneflags == 0 { // what it left behind
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
	if p.scratch != "" {
		_ = os.RemoveAll(p.scratch)
	}
	close(p.done)
}

// Done is closed when the program has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Wait waits for the program's end. The error is that of Until, or else that of exec.Cmd.Wait.
func (p *Process) Wait(ctx context.Context, memory uint64) error {
	if err := p.Until(ctx, p.done, memory); err != nil {
		return err
	}
	return p.err
}

// Until waits for something, and kills the program when ctx ends before, or when its processes together have more
// than the given bytes of memory (0 for no bound) or more threads than they may: the error is then ctx's, ErrMemory or ErrThreads.
func (p *Process) Until(ctx context.Context, over <-chan struct{}, memory uint64) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-over:
			return nil
		case <-ctx.Done():
			p.Kill()
			return ctx.Err()
		case <-tick.C:
			if err := p.excess(memory); err != nil {
				p.Kill()
				return err
			}
		}
	}
}

// excess is what the program's processes have too much of.
func (p *Process) excess(memory uint64) error {
	if memory == 0 && p.threads == 0 {
		return nil
	}
	switch u := p.exceeds(memory); {
	case memory > 0 && u.bytes() > memory:
		return ErrMemory
	case p.threads > 0 && u.threads > p.threads:
		return ErrThreads
	}
	return nil
}

// Stop stops a program that is Alone until Continue. It returns when all its threads stand still, or the program has ended.
func (p *Process) Stop() {
	if p.cmd.Process.Signal(unix.SIGSTOP) != nil {
		return
	}
	for unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WSTOPPED|unix.WEXITED|unix.WNOWAIT, nil) == unix.EINTR {
	}
}

// Continue lets a program continue that Stop has stopped.
func (p *Process) Continue() { _ = p.cmd.Process.Signal(unix.SIGCONT) }

// Kill ends the program and all that it has started.
func (p *Process) Kill() {
	if p.cmd == nil {
		if p.scratch != "" {
			_ = os.RemoveAll(p.scratch)
		}
		return
	}
	// The first process of a process namespace takes the others with it.
	_ = p.cmd.Process.Kill()
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	<-p.done
}

// Ending waits for the end of a program and describes it: its exit status, or the signal.
func (p *Process) Ending() string {
	<-p.done
	if s := p.cmd.ProcessState; s != nil {
		return s.String()
	}
	return p.err.Error()
}

// ExitCode waits for the end of a program and returns its exit code, -1 for none.
func (p *Process) ExitCode() int {
	<-p.done
	return p.cmd.ProcessState.ExitCode()
}

// Signal is the signal that ended the program, 0 for none.
func Signal(err error) syscall.Signal {
	var e *exec.ExitError
	if errors.As(err, &e) {
		if st, ok := e.Sys().(syscall.WaitStatus); ok && st.Signaled() {
			return st.Signal()
		}
	}
	return 0
}

// closeOnExec marks a descriptor.
func closeOnExec(fd int) { unix.CloseOnExec(fd) }
