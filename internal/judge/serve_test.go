package judge

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestPlanted: what another user has put where the socket is to be stays as it is, and nothing is served there.
func TestPlanted(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("theirs"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, plant := range map[string]func(string) error{
		"file":            func(p string) error { return os.Link(file, p) },
		"link":            func(p string) error { return os.Symlink(file, p) },
		"link to nothing": func(p string) error { return os.Symlink(filepath.Join(dir, "nothing"), p) },
		"link to a socket": func(p string) error {
			_, err := net.Listen("unix", p+"-theirs")
			return errors.Join(err, os.Symlink(p+"-theirs", p))
		},
		"pipe":      func(p string) error { return unix.Mkfifo(p, 0o600) },
		"directory": func(p string) error { return os.Mkdir(p, 0o700) },
	} {
		path := filepath.Join(dir, "socket of "+name)
		if err := plant(path); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(path)
		if l, err := Listen(path); err == nil {
			t.Errorf("%s: it listens", name)
			l.Close()
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: it is gone: %v", name, err)
		}
	}
	if _, err := os.Lstat(filepath.Join(dir, "nothing")); err == nil {
		t.Error("a link to nothing was followed")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "theirs" {
		t.Errorf("the file has %q, %v", text, err)
	}
}

// TestSocketOfAnotherUser connects as another user.
func TestSocketOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir, err := os.MkdirTemp("", "serve-")
	if err == nil {
		err = os.Chmod(dir, 0o777)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "socket")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	refused := make(chan error, 1)
	go func() {
		runtime.LockOSThread() // which ends with the goroutine: it alone has another user's rights
		const other = 65534
		if _, _, e := unix.RawSyscall(unix.SYS_SETRESUID, other, other, other); e != 0 {
			refused <- e
			return
		}
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err == nil {
			err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
			unix.Close(fd)
		}
		refused <- err
	}()
	if err := <-refused; !errors.Is(err, unix.EACCES) {
		t.Errorf("another user connects: %v", err)
	}
}

// TestClients: a client that reads nothing, one that sends without an end and one whose line is too long keep no other from its
// verdicts, and the last one gets one as well.
func TestClients(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	j := newJudge(t)
	go func() { done <- j.Serve(ctx, l, "") }()
	dial := func() net.Conn {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	slow, flood, large := dial(), dial(), dial()
	bad := []byte(strings.Repeat("{\"version\":1,\"id\":\""+strings.Repeat("x", 4000)+"\"}\n", 1000))
	go slow.Write(bytes.Repeat(bad, 4)) // verdicts fill the socket, and then its queue
	go func() {
		for chunk := bytes.Repeat([]byte("x"), 1<<16); ; {
			if _, err := flood.Write(chunk); err != nil {
				return
			}
		}
	}()
	go large.Write(append(bytes.Repeat([]byte("y"), maxLine+1), '\n'))
	time.Sleep(200 * time.Millisecond)
	for range 2 {
		c := dial()
		if _, err := c.Write([]byte(operators[0].line("served", vaddKernel, "") + "\n")); err != nil {
			t.Fatal(err)
		}
		wantVerdict(t, c, Correct)
	}
	wantVerdict(t, large, InvalidJob)
	stop()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		t.Error("the server does not end while clients neither read nor stop")
	}
}

func wantVerdict(t *testing.T, c net.Conn, want Reason) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(time.Minute))
	line, err := bufio.NewReader(c).ReadBytes('\n')
	var v Verdict
	if err == nil {
		err = json.Unmarshal(line, &v)
	}
	if err != nil || v.Verdict != want {
		t.Errorf("%s, %v; want %s", v.Verdict, err, want)
	}
}

// TestHostileClient sends lines of any bytes, and jobs with hostile texts in their fields. Each has one verdict in one line, which
// obeys none of them.
func TestHostileClient(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	l, err := Listen(path)
	if err != nil {
		t.Fatal(err)
	}
	j := newJudge(t)
	go j.Serve(t.Context(), l, "")
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	n := 300
	if tooltest.Long() {
		n = 20_000
	}
	r := rand.New(rand.NewPCG(9, 2))
	go func() {
		for i := range n {
			c.Write(append(hostileLine(r, i), '\n'))
		}
		c.(*net.UnixConn).CloseWrite()
	}()
	got := 0
	for in := bufio.NewReader(c); ; got++ {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		if harm := tooltest.Harm(line, nil); harm != "" || !json.Valid([]byte(line)) {
			t.Fatalf("%s: %q", harm, line)
		}
	}
	if got != n {
		t.Errorf("%d verdicts of %d lines", got, n)
	}
}

// hostileLine makes a line that is refused: its fields have hostile texts, or it is cut, or a hostile text itself.
func hostileLine(r *rand.Rand, i int) []byte {
	var job Job
	tooltest.FillHostile(&job, r)
	job.Version = i % 2
	text, _ := json.Marshal(&job)
	switch r.IntN(3) {
	case 0:
		text = text[:1+r.IntN(len(text)-1)]
	case 1:
		text = []byte("x" + strings.NewReplacer("\n", "", "\r", "").Replace(tooltest.Hostile(r)))
	}
	return text
}
