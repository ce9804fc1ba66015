package host

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"io"
	"math/rand/v2"
	"net"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/arch"
)

var recordedSessions = flag.Int("recorded-sessions", 200, "how many mutants of recorded sessions TestRecordedFrames plays")

// recorded is a request as a program has sent it, with its length, on one of its connections.
type recorded struct {
	conn  int
	bytes []byte
}

// recorder stands between a program and its server, and keeps the requests.
type recorder struct {
	to     string // the server's socket
	mu     sync.Mutex
	frames []recorded
	conns  int
}

// serve relays connections until the listener closes.
func (r *recorder) serve(l *net.UnixListener) {
	var relays sync.WaitGroup
	defer relays.Wait()
	for {
		program, err := l.AcceptUnix()
		if err != nil {
			return
		}
		server, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: r.to, Net: "unix"})
		if err != nil {
			program.Close()
			continue
		}
		n := r.conns
		r.conns++
		relays.Go(func() { r.requests(n, server, program); server.CloseWrite() })
		relays.Go(func() { replies(program, server); program.CloseWrite() })
	}
}

// requests relays what the program sends on its connection n.
func (r *recorder) requests(n int, server io.Writer, program io.Reader) {
	for {
		length := make([]byte, 4)
		if _, err := io.ReadFull(program, length); err != nil {
			return
		}
		body, err := readBody(program, int(binary.LittleEndian.Uint32(length)))
		if err != nil {
			return
		}
		f := recorded{n, append(length, body...)}
		r.mu.Lock()
		r.frames = append(r.frames, f)
		r.mu.Unlock()
		if _, err := server.Write(f.bytes); err != nil {
			return
		}
	}
}

// replies relays what the server sends, and the file of the arena with it.
func replies(program, server *net.UnixConn) {
	b, oob := make([]byte, 1<<16), make([]byte, unix.CmsgSpace(4))
	for {
		n, rights, _, _, err := server.ReadMsgUnix(b, oob)
		if err != nil || n == 0 {
			return
		}
		if rights > 0 && n > 1 { // the file comes with the last byte, which is read alone
			program.Write(b[:n-1])
			b[0], n = b[n-1], 1
		}
		if _, _, err := program.WriteMsgUnix(b[:n], oob[:rights], nil); err != nil {
			return
		}
		if messages, err := unix.ParseSocketControlMessage(oob[:rights]); err == nil && len(messages) > 0 {
			fds, _ := unix.ParseUnixRights(&messages[0])
			for _, fd := range fds {
				unix.Close(fd)
			}
		}
	}
}

// record runs a test program, and returns what it has sent.
func record(t *testing.T, name string) []recorded {
	t.Helper()
	exe := program(t, name)
	s := recordedServer()
	l, remove, err := s.listen()
	if err != nil {
		t.Fatal(err)
	}
	defer remove()
	r := &recorder{to: s.socket}
	s.socket = filepath.Join(t.TempDir(), "s") // where further connections go
	between, err := net.ListenUnix("unix", &net.UnixAddr{Name: s.socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	all.Go(func() { r.serve(between) })
	all.Go(func() { s.Serve(context.Background(), l) })
	var errOut bytes.Buffer
	exit, _, err := runProgram(context.Background(), Program{Exe: exe, Stdout: &errOut, Stderr: &errOut}, s.socket)
	between.Close()
	l.Close()
	s.dismiss(context.Background())
	all.Wait()
	if err != nil || exit.Code != 0 || len(r.frames) < 10 {
		t.Fatalf("%s: %v, %+v, %d requests\n%s", name, err, exit, len(r.frames), &errOut)
	}
	return r.frames
}

// recordedServer is one as the test programs expect it.
func recordedServer() *Server {
	a, _ := arch.Parse("sm_80")
	return New(Config{Arena: stage.arena, Arch: a, Runner: &fakeRunner{arena: stage.arena}, Observer: allEvents()})
}

// TestRecordedFrames plays what programs really send, changed at some places: the server
// ends each session, and nothing is left of it.
func TestRecordedFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and runs programs; not in short mode")
	}
	openStage(t)
	var seeds [][]recorded
	for _, name := range []string{"basic", "driver", "arrays", "threads"} {
		seeds = append(seeds, record(t, name))
	}
	rng := rand.New(rand.NewPCG(17, 4))
	sent := 0
	for i := range *recordedSessions {
		sent += replay(t, mutateFrames(rng, seeds[i%len(seeds)], seeds), i)
	}
	t.Logf("%d frames in %d sessions", sent, *recordedSessions)
}

// mutateFrames is a session with some requests damaged, doubled, left out, exchanged, or taken
// from another session.
func mutateFrames(rng *rand.Rand, seed []recorded, seeds [][]recorded) (out []recorded) {
	for i, f := range partOf(rng, seed) {
		if i < 2 || rng.IntN(40) > 0 {
			out = append(out, f)
			continue
		}
		switch rng.IntN(5) {
		case 0:
			out = append(out, f, f)
		case 1: // left out
		case 2:
			other := seeds[rng.IntN(len(seeds))]
			out = append(out, f, recorded{f.conn, other[rng.IntN(len(other))].bytes})
		case 3:
			j := rng.IntN(len(out))
			out = append(out, out[j])
			out[j] = f
		case 4:
			out = append(out, recorded{f.conn, damaged(rng, f.bytes)})
		}
	}
	return out
}

// partOf is a session's beginning and a part of the rest, if it is a long one. Each connection
// begins as it did, or the server would end it.
func partOf(rng *rand.Rand, seed []recorded) []recorded {
	const beginning, rest = 30, 600
	if len(seed) <= beginning+rest {
		return seed
	}
	from := beginning + rng.IntN(len(seed)-beginning-rest)
	list, begun := slices.Clone(seed[:beginning]), map[int]bool{}
	for _, f := range list {
		begun[f.conn] = true
	}
	for _, f := range seed[from : from+rest] {
		if !begun[f.conn] {
			begun[f.conn] = true
			first := slices.IndexFunc(seed, func(g recorded) bool { return g.conn == f.conn })
			list = append(list, seed[first])
		}
		list = append(list, f)
	}
	return list
}

// damaged is a request with bytes changed, a number of 64 bits that is a boundary, or its end
// cut off.
func damaged(rng *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	body := b[4:]
	switch rng.IntN(3) {
	case 0:
		for range 1 + rng.IntN(3) {
			body[rng.IntN(len(body))] = byte(rng.Uint32())
		}
	case 1:
		if len(body) >= 8 {
			binary.LittleEndian.PutUint64(body[rng.IntN(len(body)-7):], ^uint64(0)>>rng.IntN(64))
		}
	case 2:
		b = b[:5+rng.IntN(len(body))]
		binary.LittleEndian.PutUint32(b, uint32(len(b)-4))
	}
	return b
}

// replay plays a session against a server of its own, checks what it leaves, and returns how
// many requests were sent. A connection that the server has ended is opened no more.
func replay(t *testing.T, frames []recorded, session int) (sent int) {
	t.Helper()
	s := recordedServer()
	s.cfg.Patience = 10 * time.Millisecond
	conns := map[int]*playedConn{}
	var served sync.WaitGroup
	for _, f := range frames {
		c := conns[f.conn]
		if c == nil {
			a, b := pair(t)
			served.Go(func() { s.serveConn(context.Background(), b) })
			c = &playedConn{UnixConn: a, replied: make(chan struct{}, 1)}
			go c.drain()
			conns[f.conn] = c
		}
		if c.send(f.bytes) == nil {
			sent++
		}
	}
	for _, c := range conns {
		c.Close()
	}
	over := make(chan struct{})
	go func() { served.Wait(); s.conns.Wait(); close(over) }()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Fatalf("session %d: the server has not ended\n%s", session, stacks())
	}
	checkLeft(t, s, []byte{byte(session)})
	return sent
}

// playedConn is a program's end of a connection.
type playedConn struct {
	*net.UnixConn
	replied chan struct{}
}

// drain takes all replies.
func (c *playedConn) drain() {
	b := make([]byte, 1<<16)
	for {
		n, err := c.Read(b)
		if err != nil || n == 0 {
			close(c.replied)
			return
		}
		select {
		case c.replied <- struct{}{}:
		default:
		}
	}
}

// send writes a request and waits a little for a reply.
func (c *playedConn) send(b []byte) error {
	c.SetWriteDeadline(time.Now().Add(time.Second))
	if _, err := c.Write(b); err != nil {
		return err
	}
	select {
	case _, open := <-c.replied:
		if !open {
			return errors.New("ended")
		}
	case <-time.After(5 * time.Millisecond):
	}
	return nil
}
