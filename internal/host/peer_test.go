package host

import (
	"context"
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
)

const stranger = 65534

// asStranger calls f on a thread with the rights of another user: each thread has credentials
// of its own. The thread ends with f.
func asStranger(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user")
	}
	done := make(chan unix.Errno)
	go func() {
		runtime.LockOSThread()
		_, _, err := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0)
		if err == 0 {
			_, _, err = unix.RawSyscall(unix.SYS_SETRESGID, stranger, stranger, stranger)
		}
		if err == 0 {
			_, _, err = unix.RawSyscall(unix.SYS_SETRESUID, stranger, stranger, stranger)
		}
		if err == 0 {
			f()
		}
		done <- err
	}()
	if err := <-done; err != 0 {
		t.Fatal(err)
	}
}

// attached starts a server as a program does that runs by itself.
func attached(t *testing.T) (s *Server, program *net.UnixConn) {
	t.Helper()
	arena, err := mem.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	a, err := arch.Parse("sm_80")
	if err != nil {
		t.Fatal(err)
	}
	s = New(Config{Arena: arena, Arch: a, Runner: &fakeRunner{arena: arena}, Devices: 2})
	program, engine := pair(t)
	served := make(chan error, 1)
	go func() { served <- s.ServeUntilIdle(context.Background(), engine) }()
	t.Cleanup(func() {
		program.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
		arena.Close()
	})
	return s, program
}

// pair is what engine.cpp makes.
func pair(t *testing.T) (a, b *net.UnixConn) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	var ends [2]*net.UnixConn
	for i, fd := range fds {
		f := os.NewFile(uintptr(fd), "")
		c, err := net.FileConn(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		ends[i] = c.(*net.UnixConn)
	}
	return ends[0], ends[1]
}

// greet says hello and returns what the server answers.
func greet(c net.Conn, token uint64) (caps protocol.Caps, err error) {
	c.SetDeadline(time.Now().Add(20 * time.Second))
	hello := protocol.Encode(nil, protocol.Hello{Version: protocol.Version(), Token: token})
	if _, err := c.Write(frame(protocol.OpOf(reflect.TypeFor[protocol.Hello]()), hello)); err != nil {
		return caps, err
	}
	var length [4]byte
	if _, err := io.ReadFull(c, length[:]); err != nil {
		return caps, err
	}
	answer := make([]byte, binary.LittleEndian.Uint32(length[:]))
	if _, err := io.ReadFull(c, answer); err != nil {
		return caps, err
	}
	var head protocol.ReplyHead
	if answer, err = protocol.Decode(answer, &head); err == nil {
		_, err = protocol.Decode(answer, &caps)
	}
	return caps, err
}

// TestAnotherUser is the attack on a program that runs by itself: another user connects to its
// engine, and would have its memory and its compiler.
func TestAnotherUser(t *testing.T) {
	_, program := attached(t)
	caps, err := greet(program, 1)
	if err != nil {
		t.Fatal(err)
	}
	asStranger(t, func() {
		if _, err := os.Stat(caps.Socket); !os.IsPermission(err) {
			t.Errorf("another user may enter the directory of %s: %v", caps.Socket, err)
		}
		if _, err := net.Dial("unix", caps.Socket); err == nil {
			t.Errorf("another user connects to %s", caps.Socket)
		}
	})
	for _, dir := range []string{filepath.Dir(filepath.Dir(caps.Socket)), filepath.Dir(caps.Socket), caps.Socket} {
		if err := os.Chmod(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	asStranger(t, func() { // were the directory open, there is the check of the peer
		c, err := net.Dial("unix", caps.Socket)
		if err != nil {
			t.Error(err)
			return
		}
		defer c.Close()
		if caps, err := greet(c, 2); err == nil {
			t.Errorf("another user is welcome: %+v", caps)
		}
	})
}

// TestOtherOwner is TestAnotherUser without root: the server is told to be another user's.
func TestOtherOwner(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may connect to each user's engine; TestAnotherUser runs instead")
	}
	s, program := attached(t)
	caps, err := greet(program, 1)
	if err != nil {
		t.Fatal(err)
	}
	s.owner++
	c, err := net.Dial("unix", caps.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := greet(c, 2); err == nil {
		t.Error("another user is welcome")
	}
}

// TestSamePeer holds that threads and child processes of the same user still find the engine,
// and that a token admits the process that it belongs to alone.
func TestSamePeer(t *testing.T) {
	s, program := attached(t)
	caps, err := greet(program, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, token := range []uint64{1, 2} {
		c, err := net.Dial("unix", caps.Socket)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := greet(c, token); err != nil || s.Processes() != i+1 {
			t.Errorf("token %d: %d processes, %v", token, s.Processes(), err)
		}
	}
	s.enter()
	s.programs[1].pid++ // as if the token were of another process
	s.leave()
	c, err := net.Dial("unix", caps.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := greet(c, 1); err == nil {
		t.Error("a process joins another one")
	}
}

// TestServerOfAnotherUser holds that a program does not take another user's server for its
// engine, which might listen where one has ended.
func TestServerOfAnotherUser(t *testing.T) {
	exe := program(t, "basic")
	dir := t.TempDir()
	for d := dir; d != "/" && d != os.TempDir(); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "gpu")
	var l *net.UnixListener
	asStranger(t, func() {
		var err error
		if l, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"}); err != nil {
			t.Error(err)
		}
	})
	if l == nil {
		return
	}
	defer l.Close()
	heard := make(chan int, 1)
	go func() {
		c, err := l.AcceptUnix()
		if err != nil {
			heard <- 0
			return
		}
		n, _ := c.Read(make([]byte, 64))
		c.Close()
		heard <- n
	}()
	exit, _, err := startAndWait(t.Context(), Program{Exe: exe}, path)
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	if n := <-heard; n > 0 || exit.Code == 0 {
		t.Errorf("the program sent %d bytes to another user, exit %+v", n, exit)
	}
}
