package host

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Serve accepts programs until the listener is closed or ctx ends, and
// returns when every connection has ended.
func (s *Server) Serve(ctx context.Context, l *net.UnixListener) error {
	stop := context.AfterFunc(ctx, func() { l.Close() })
	defer stop()
	defer s.conns.Wait()
	for {
		c, err := l.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		s.conns.Go(func() { s.serveConn(ctx, c) })
	}
}

// serveConn carries out the requests of one thread of a program.
func (s *Server) serveConn(ctx context.Context, c *net.UnixConn) {
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	pid, err := s.peerOf(c)
	if err != nil || !s.meets(c) {
		c.Close()
		return
	}
	p, ended := s.requests(ctx, c, pid)
	if !ended || !s.starts(pid, c) {
		c.Close()
	}
	if p != nil {
		p.part(ctx, c)
		return
	}
	s.mu.Lock()
	delete(s.strangers, c)
	s.mu.Unlock()
}

// requests carries out what comes on a connection. It returns the program, nil for none, and
// whether that has said that it ends.
func (s *Server) requests(ctx context.Context, c *net.UnixConn, pid int) (p *process, ended bool) {
	r := bufio.NewReaderSize(c, 1<<16)
	for {
		q, err := readRequest(r)
		if err != nil {
			return p, false
		}
		q.conn = c
		if p == nil {
			if p, err = s.hello(ctx, q, pid); err != nil {
				return p, false
			}
			continue
		}
		if err := p.handle(q); err != nil {
			return p, false
		}
		if _, ended := q.in.(*protocol.Bye); ended {
			return p, true
		}
	}
}

// watchDelay is how long a launch runs before its program is watched: most
// are over by then.
const watchDelay = 5 * time.Millisecond

// whileConnected calls gone when the program is, until the function that it returns is
// called. The program sends nothing meanwhile.
func whileConnected(c *net.UnixConn, gone func()) (end func()) {
	var stop func()
	done := make(chan struct{})
	t := time.AfterFunc(watchDelay, func() { stop = watch(c, gone); close(done) })
	return func() {
		if !t.Stop() {
			<-done
			stop()
		}
	}
}

// watch calls gone when the program closes the connection, or its half of it, whatever it has
// sent before. The result ends it.
func watch(c *net.UnixConn, gone func()) (stop func()) {
	raw, err := c.SyscallConn()
	if err != nil {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = raw.Read(func(fd uintptr) bool {
			if !hungUp(int(fd)) {
				return false // wait until something comes
			}
			gone()
			return true
		})
	}()
	return func() {
		_ = c.SetReadDeadline(time.Unix(1, 0)) // ends the wait
		<-done
		_ = c.SetReadDeadline(time.Time{})
	}
}

// hungUp reports whether the other end of a socket sends nothing more. Requests that it has sent
// may be left to read: a look at the next byte would find those, not the end behind them.
func hungUp(fd int) bool {
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
	for {
		_, err := unix.Poll(fds, 0)
		if !errors.Is(err, unix.EINTR) {
			return fds[0].Revents&(unix.POLLRDHUP|unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0
		}
	}
}

// maxText is how much device text is kept back until the program waits.
const maxText = 1 << 20

func newProcess(s *Server) *process {
	p := &process{s: s, conns: map[*net.UnixConn]bool{}, calls: map[string]int{}}
	p.forget()
	return p
}

// forget drops all that a device reset drops, but not the allocations.
func (p *process) forget() {
	p.allocs = map[uint64]*mem.Allocation{}
	p.freeing = map[*mem.Allocation]bool{}
	p.reserved = map[uint64]bool{}
	p.modules, p.kernels = nil, nil
	p.devices = map[uint64]uint8{}
	p.limits = make([]Limits, p.s.cfg.Devices)
	for i := range p.limits {
		p.limits[i] = DefaultLimits()
	}
	p.symbols = make([]map[string]uint64, p.s.cfg.Devices)
	for i := range p.symbols {
		p.symbols[i] = map[string]uint64{}
	}
	p.streams, p.awaited = map[uint64]*stream{}, map[lane]*awaited{}
	p.events = map[uint64]*event{}
	p.forgetTextures()
}

// handle carries out one request and answers it. The error ends the
// connection.
func (p *process) handle(q *request) error {
	defer p.hurry(q)()
	if q.beside() {
		p.s.enterBeside()
	} else {
		p.s.enter()
	}
	defer p.s.leave()
	p.s.underway++
	defer func() { p.s.underway--; p.s.handled++ }()
	if int(q.device) >= p.s.cfg.Devices {
		return fmt.Errorf("request for device %d of %d", q.device, p.s.cfg.Devices)
	}
	switch in := q.in.(type) {
	case *protocol.Hello:
		return errors.New("a second hello")
	case *protocol.Touched:
		return p.touched(q, in)
	case *protocol.StreamSync, *protocol.EventSync:
	default:
		p.queries = 0
	}
	if p.called = time.Now(); p.tended {
		p.calledTime = hostTime(p.pid)
	}
	var r reply
	switch {
	case p.sticky != Success && !q.afterFault():
		p.refuse(q)
		r.code = p.sticky
	default:
		q.ctx = p.ctx
		if f := p.s.cfg.Hooks.Asked; f != nil {
			f(q.in)
		}
		handlers[q.op](p, q, &r)
	}
	if q.bad {
		return fmt.Errorf("malformed request %d", q.op)
	}
	if q.flushes(&r) {
		p.unseen = nil
	}
	if q.waits(&r) || len(p.text) > maxText || p.sticky != Success {
		r.text, p.text = p.text, nil
	}
	shown := p.sticky
	if r.hideFault {
		shown = Success
	}
	_, err := q.conn.Write(r.encode(shown))
	return err
}

// afterFault reports whether a request is executed after a kernel's fault.
func (q *request) afterFault() bool {
	switch q.in.(type) {
	case *protocol.Bye, *protocol.HostAccess, *protocol.Unsupported, *protocol.Function, *protocol.Unread, *protocol.Failed,
		*protocol.RanksLeave, *protocol.RanksPost, *protocol.RanksAwait, *protocol.RanksDone: // others wait for it
		return true
	}
	return false
}

// waits reports whether the host waits for the device in a request, which is
// when device text comes out ("CUDA C++ Programming Guide", "Formatted
// Output", "Limitations").
func (q *request) waits(r *reply) bool {
	switch q.in.(type) {
	case *protocol.DeviceSync, *protocol.Free, *protocol.Reset, *protocol.Bye, *protocol.EventSync, *protocol.StreamSync,
		*protocol.Copy:
		return !r.hideFault
	}
	return false
}

// flushes reports whether a GPU writes out the text of earlier kernels at a request: asynchronous copies and the
// end of the program do not ("CUDA C++ Programming Guide", "Formatted Output", "Limitations"). cudaFree is not on that
// list, but waits for the device.
func (q *request) flushes(r *reply) bool {
	switch in := q.in.(type) {
	case *protocol.Bye:
		return false
	case *protocol.Copy:
		return !in.Async
	case *protocol.Load, *protocol.Unload, *protocol.HostFunction:
		return true
	}
	return q.waits(r)
}

func (p *process) doBye(q *request, _ *protocol.Bye, _ *reply) {
	p.exiting = true
	p.await(q, p.work)
	if f := p.s.cfg.Hooks.Unseen; f != nil && p.unseen != nil && p.sticky == Success {
		f(&trace.UnseenText{Launch: p.unseen.ID, Kernel: p.unseen.Kernel, Where: p.unseen.Where})
	}
	p.reportLeaks(p.owned())
}

// hello takes the first request of a connection of a process: it is of a new program, or of
// another thread of one that is connected. Only the first one gets the arena.
func (s *Server) hello(ctx context.Context, q *request, pid int) (*process, error) {
	s.mu.Lock()
	defer s.leave()
	delete(s.strangers, q.conn)
	in, ok := q.in.(*protocol.Hello)
	if !ok || in.Version != protocol.Version() {
		return nil, errors.New("no hello, or one of another version")
	}
	for s.programs[in.Token] == nil && s.busy {
		s.free.Wait()
	}
	if s.dismissed {
		return nil, errors.New("a hello after the program's end")
	}
	caps := s.caps()
	caps.Starter = pid != 0 && pid == s.starter
	answer := reply{out: &caps}
	p := s.programs[in.Token]
	joins := p != nil
	if joins && p.pid != pid {
		return nil, errors.New("a hello with the token of another process")
	}
	if !joins {
		p = newProcess(s)
		p.ctx, p.gone = context.WithCancel(ctx)
		p.token, p.pid, p.lines = in.Token, pid, &lineTable{exe: in.Exe}
		s.replaced(ctx, pid)
		p.watchProcess(ctx)
		s.programs[in.Token] = p
		if s.processes++; len(s.pids) < mostPids {
			s.pids = append(s.pids, pid)
		}
	}
	p.join(q.conn)
	_, err := q.conn.Write(answer.encode(Success))
	if err == nil && !joins {
		rights := unix.UnixRights(int(s.cfg.Arena.File().Fd()))
		_, _, err = q.conn.WriteMsgUnix([]byte{0}, rights, nil)
	}
	return p, err
}

// caps are the numbers of the emulated device.
func (s *Server) caps() protocol.Caps {
	a, m := s.cfg.Arch, s.cfg.Arena
	c := protocol.Caps{
		SM: uint64(a.SM), MaxThreads: uint64(a.MaxThreads),
		SharedPerBlock: uint64(a.SharedPerBlock), SharedOptin: uint64(a.SharedOptin), SharedPerSM: uint64(a.SharedPerSM),
		ThreadsPerSM: uint64(a.MaxThreadsPerSM), BlocksPerSM: uint64(a.MaxBlocksPerSM), RegsPerSM: uint64(a.RegsPerSM),
		Multiprocessors: uint64(s.cfg.Multiprocessors), TotalMem: s.deviceLimit(), Devices: uint64(s.cfg.Devices), Watch: s.cfg.Hooks.HostTouch != nil,
		ArenaBase: mem.ArenaBase, ArenaSize: m.Size(), HostBase: m.HostBase(), Socket: s.socket,
	}
	for i := range c.MaxBlock {
		c.MaxBlock[i], c.MaxGrid[i] = uint64(a.MaxBlock[i]), uint64(a.MaxGrid[i])
	}
	return c
}

// listen opens the server's socket, in a directory that only its user may enter, until remove
// is called.
func (s *Server) listen() (l *net.UnixListener, remove func(), err error) {
	dir, removeDir, err := scratch.Dir()
	if err != nil {
		return nil, nil, err
	}
	s.socket = filepath.Join(dir, "gpu")
	if l, err = net.ListenUnix("unix", &net.UnixAddr{Name: s.socket, Net: "unix"}); err != nil {
		removeDir()
		return nil, nil, fmt.Errorf("listen for the program: %w", err)
	}
	return l, func() {
		l.Close()
		removeDir()
	}, nil
}

// peerOf returns the process at the other end of a connection, as it was when it connected. It
// is an error if that is another user's, but for root's (unix(7), SO_PEERCRED).
func (s *Server) peerOf(c *net.UnixConn) (pid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Ucred
	cerr := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	switch {
	case cerr != nil:
		return 0, cerr
	case err != nil:
		return 0, err
	case cred.Uid != s.owner && cred.Uid != 0:
		return 0, fmt.Errorf("a connection of user %d", cred.Uid)
	}
	return int(cred.Pid), nil
}
