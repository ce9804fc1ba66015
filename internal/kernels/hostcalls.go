package kernels

import (
	"context"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// Bytes on HostProgram.Done, besides 0 and 1 for the result of a call.
const (
	// CallsAbsent is for a function that calls what the program's headers only name: the length of that name and the name follow.
	CallsAbsent = 2
	// Ready is what the program writes when it has started, before it reads a command: what its initializers ask of CUDA is
	// then part of no call, however fast it starts.
	Ready = 3
)

// HostProgram is a program that calls a function once for each command: it reads the function's arguments from
// Commands, each pointer and scalar as its bytes in memory, calls the function, and writes a byte to Done: 0, 1 if
// CUDA gave it an error, or CallsAbsent; before all, Ready. The CUDA calls of each of its threads come over one of Conns.
type HostProgram struct {
	Conns    []*net.UnixConn
	Commands io.WriteCloser
	Done     io.Reader
	// Holder stops the program for HoldStop, lets it continue for HoldContinue, and answers each with a byte once that is done.
	Holder io.ReadWriter
}

// What a Holder is told.
const (
	HoldStop     = 's'
	HoldContinue = 'c'
)

// standsStill has the program stopped while a kernel runs, so that it can change no memory that the kernel reads or has written.
// That comes before the other hooks where a kernel begins, and after them where it ends.
func (h *HostProgram) standsStill(hooks *host.Hooks) {
	hooks.Begun = first(hooks.Begun, func(l *host.LaunchInfo) {
		if !l.Child {
			h.hold(true)
		}
	})
	hooks.Resumed = first(hooks.Resumed, func(int) { h.hold(true) })
	launched, parked := hooks.Launched, hooks.Parked
	hooks.Launched = func(l *host.LaunchInfo, r host.LaunchResult) {
		launched(l, r)
		if !l.Child {
			h.hold(false)
		}
	}
	hooks.Parked = func(launch int) {
		if parked != nil {
			parked(launch)
		}
		h.hold(false)
	}
}

// hold stops the program, or lets it continue.
func (h *HostProgram) hold(stop bool) {
	b := []byte{HoldContinue}
	if stop {
		b[0] = HoldStop
	}
	if _, err := h.Holder.Write(b); err == nil {
		_, _ = io.ReadFull(h.Holder, b) // it ends with who holds the program
	}
}

// InheritedHost is the program at the other end of descriptors that this process has inherited, from first on:
// Commands, Done, Holder and so many of Conns.
func InheritedHost(first, conns int) (*HostProgram, error) {
	h := &HostProgram{Commands: os.NewFile(uintptr(first), "commands"), Done: os.NewFile(uintptr(first+1), "done"), Holder: os.NewFile(uintptr(first+2), "holder")}
	for i := range conns {
		c, err := net.FileConn(os.NewFile(uintptr(first+3+i), "connection"))
		if err != nil {
			return nil, err
		}
		h.Conns = append(h.Conns, c.(*net.UnixConn))
	}
	return h, nil
}

// ConnectedBy is what a HostProgram has in its environment for so many of Conns, descriptors from first on.
func ConnectedBy(first, conns int) string {
	var list []string
	for i := range conns {
		list = append(list, strconv.Itoa(first+i))
	}
	return host.SocketEnv + "=fd:" + strings.Join(list, ",")
}

// serveHost serves the program's CUDA calls. A fault ends no call: each is checked for itself, as launches without
// host code are.
func (r *caller) serveHost(ctx context.Context, hooks host.Hooks) {
	var looks atomic.Int64 // events are as far apart in each run, so that programs that measure choose alike
	now := func() time.Time { return time.UnixMilli(looks.Add(1)) }
	r.server = host.New(host.Config{Now: now, Arena: r.arena, Arch: r.Arch, Forgive: true, Choose: r.Schedule.Work(), Runner: r.d, Observer: r.On, Hooks: hooks})
	r.Numbers, r.served = r.server, make(chan struct{})
	go func() {
		defer close(r.served)
		r.server.ServeConnections(ctx, r.k.Host.Conns)
	}()
}

// callHost has the program call the function, and reports whether CUDA gave it an error.
func (r *caller) callHost(ctx context.Context, l *KernelLaunch, list []*mem.Allocation) (failed bool, err error) {
	var command []byte
	for _, a := range l.Arguments {
		if a.Buffer >= 0 {
			command = appendPointer(command, list[a.Buffer].Base)
		} else {
			command = append(command, a.Value...)
		}
	}
	s, err := r.answer(ctx, command)
	if err != nil || ctx.Err() != nil {
		return false, err
	}
	r.out.Crashed = s < 0 || s > CallsAbsent // or the function writes there itself
	r.out.Unfinished = r.out.Unfinished || r.near.Unawaited()
	return s != 0, r.Bug
}

// awaitStart waits until the program has started.
func (r *caller) awaitStart(ctx context.Context) error {
	s, err := r.answer(ctx, nil)
	if err != nil {
		return err
	}
	r.out.TimedOut = ctx.Err() != nil
	r.out.Crashed = !r.out.TimedOut && s != Ready
	return r.Bug
}

// answer sends a command, and returns the byte that the program writes to Done, -1 if it ends or ctx does.
func (r *caller) answer(ctx context.Context, command []byte) (s int, err error) {
	status := make(chan int, 1)
	var absent string
	go func() {
		b := []byte{0}
		var err error
		if len(command) > 0 {
			_, err = r.k.Host.Commands.Write(command)
		}
		if err == nil {
			_, err = io.ReadFull(r.k.Host.Done, b)
		}
		if err != nil {
			status <- -1
			return
		}
		if b[0] == CallsAbsent {
			absent = readName(r.k.Host.Done)
		}
		status <- int(b[0])
	}()
	select {
	case <-ctx.Done():
		return -1, nil
	case s = <-status:
	}
	switch {
	case r.Unsupported != "":
		return s, refuse(UnsupportedInput, "%s", r.Unsupported)
	case absent != "":
		return s, refuse(UnsupportedInput, "the function calls %s, which the judge's PyTorch headers only name", absent)
	}
	return s, nil
}

// readName reads a length of one byte and a name, of which it keeps what is printable: the program's word is not trusted.
func readName(r io.Reader) string {
	n := []byte{0}
	if _, err := io.ReadFull(r, n); err != nil {
		return ""
	}
	name := make([]byte, n[0])
	if _, err := io.ReadFull(r, name); err != nil {
		return ""
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return -1
		}
		return c
	}, string(name))
}

// endHost ends the program, and waits for its last requests.
func (r *caller) endHost() {
	_ = r.k.Host.Commands.Close()
	if r.out.TimedOut {
		for _, c := range r.k.Host.Conns {
			_ = c.Close()
		}
	}
	<-r.served
}

func appendPointer(b []byte, addr uint64) []byte {
	for n := range 8 {
		b = append(b, byte(addr>>(8*n)))
	}
	return b
}
