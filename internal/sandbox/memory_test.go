package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// heldArgument0 tells TestMain that this process is one of TestMemory's in a sandbox.
const heldArgument0 = "warpgrind-test-held"

const mib = 1 << 20

// holders hold about n bytes in a way, with children that are started by start.
var holders = map[string]func(n int, start func(way string, n int, files ...*os.File)){
	"private": func(n int, _ func(string, int, ...*os.File)) { touch(anonymous(n, unix.MAP_PRIVATE)) },
	"children": func(n int, start func(string, int, ...*os.File)) {
		for range 4 {
			start("private", n/4)
		}
	},
	"orphan": func(n int, start func(string, int, ...*os.File)) { start("parent", n) },
	"parent": func(n int, start func(string, int, ...*os.File)) { start("private", n); os.Exit(0) },
	"shared": func(n int, _ func(string, int, ...*os.File)) { touch(anonymous(n, unix.MAP_SHARED)) },
	"file written": func(n int, _ func(string, int, ...*os.File)) {
		f := unnamedFile()
		fill(f, n)
		keep = append(keep, f)
	},
	"file mapped and forgotten": func(n int, _ func(string, int, ...*os.File)) {
		f := unnamedFile()
		if err := f.Truncate(int64(n)); err != nil {
			panic(err)
		}
		b, err := unix.Mmap(int(f.Fd()), 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err != nil {
			panic(err)
		}
		touch(b)
		_ = unix.Madvise(b, unix.MADV_DONTNEED)
		keep = append(keep, f)
	},
	"file of several": func(n int, start func(string, int, ...*os.File)) {
		f := unnamedFile()
		if err := f.Truncate(int64(n)); err != nil {
			panic(err)
		}
		for range 3 {
			start("file that was inherited", n, f)
		}
	},
	"file that was inherited": func(n int, _ func(string, int, ...*os.File)) {
		b, err := unix.Mmap(3, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
		if err != nil {
			panic(err)
		}
		touch(b)
	},
	"shared and forgotten": func(n int, _ func(string, int, ...*os.File)) {
		b := anonymous(n, unix.MAP_SHARED)
		touch(b)
		_ = unix.Madvise(b, unix.MADV_DONTNEED)
	},
	"file mapped and closed": func(n int, _ func(string, int, ...*os.File)) {
		f := unnamedFile()
		hideFile(f, n)
	},
	"file in flight":                  func(n int, _ func(string, int, ...*os.File)) { send(unnamedFile(), n) },
	"file of the directory":           func(n int, _ func(string, int, ...*os.File)) { hideFile(ownFile(), n) },
	"file of the directory in flight": func(n int, _ func(string, int, ...*os.File)) { send(ownFile(), n) },
	"sockets": func(n int, _ func(string, int, ...*os.File)) {
		for held := 0; held < n; {
			pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_NONBLOCK, 0)
			if err != nil {
				fmt.Println("refused:", err)
				os.Exit(3)
			}
			_ = unix.SetsockoptInt(pair[0], unix.SOL_SOCKET, unix.SO_SNDBUF, 8*mib)
			for {
				sent, err := unix.Write(pair[0], make([]byte, 16<<10))
				if err != nil {
					break
				}
				held += sent
			}
		}
	},
	"processes": func(n int, start func(string, int, ...*os.File)) {
		for range n {
			start("private", 0)
		}
	},
}

var keep []*os.File

func anonymous(n, kind int) []byte {
	if n == 0 {
		return nil
	}
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANONYMOUS|kind)
	if err != nil {
		fmt.Println("refused:", err)
	}
	return b
}

func unnamedFile() *os.File {
	fd, err := unix.MemfdCreate("held", unix.MFD_CLOEXEC)
	if err != nil {
		fmt.Println("refused:", err)
		os.Exit(3)
	}
	return os.NewFile(uintptr(fd), "held")
}

// ownFile is a file without a name in the sandbox's directory.
func ownFile() *os.File {
	fd, err := unix.Open(os.Getenv("TMPDIR"), unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		fmt.Println("refused:", err)
		os.Exit(3)
	}
	return os.NewFile(uintptr(fd), "own")
}

// hideFile fills a file and keeps no more than one page of it.
func hideFile(f *os.File, n int) {
	fill(f, n)
	if _, err := unix.Mmap(int(f.Fd()), 0, os.Getpagesize(), unix.PROT_READ, unix.MAP_SHARED); err != nil {
		panic(err)
	}
	f.Close()
}

// send leaves a filled file in a socket.
func send(f *os.File, n int) {
	fill(f, n)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
	if err != nil {
		panic(err)
	}
	if err := unix.Sendmsg(pair[0], []byte{1}, unix.UnixRights(int(f.Fd())), nil, 0); err != nil {
		panic(err)
	}
	f.Close()
}

func fill(f *os.File, n int) {
	for range n / mib {
		if _, err := f.Write(make([]byte, mib)); err != nil {
			panic(err)
		}
	}
}

func touch(b []byte) {
	for i := 0; i < len(b); i += os.Getpagesize() {
		b[i] = 1
	}
}

// hold is a process that holds memory: its arguments are this executable, a way and a size. It says when it does.
func hold() {
	exe, way := os.Args[1], os.Args[2]
	n, _ := strconv.Atoi(os.Args[3])
	holders[way](n, func(way string, n int, files ...*os.File) {
		cmd := exec.Command(exe)
		cmd.Args, cmd.ExtraFiles, cmd.Stderr = []string{heldArgument0, exe, way, strconv.Itoa(n)}, files, os.Stderr
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			fmt.Println("refused: a process")
			os.Exit(3)
		}
		if way != "parent" {
			_, _ = out.Read(make([]byte, 1))
		}
	})
	fmt.Println("held")
	time.Sleep(2 * time.Second) // 100 looks
	os.Exit(0)
}

// TestMemory: memory counts whichever process of a program holds it, and however; shared memory counts once.
func TestMemory(t *testing.T) {
	for name, b := range boxes(t) {
		for _, c := range []struct {
			way  string
			n    int
			want error
		}{
			{"private", 400 * mib, ErrMemory},
			{"private", 100 * mib, nil},
			{"children", 400 * mib, ErrMemory},
			{"children", 100 * mib, nil},
			{"orphan", 400 * mib, ErrMemory},
			{"orphan", 100 * mib, nil},
			{"shared", 400 * mib, ErrMemory},
			{"shared", 100 * mib, nil},
			{"file written", 400 * mib, ErrMemory},
			{"file written", 100 * mib, nil},
			{"file mapped and forgotten", 400 * mib, ErrMemory},
			{"file of several", 400 * mib, ErrMemory},
			{"file of several", 120 * mib, nil}, // not 360
			{"processes", 2, nil},
		} {
			t.Run(fmt.Sprintf("%s %s %d", name, c.way, c.n/mib), func(t *testing.T) {
				t.Parallel()
				out, err := held(t, b, Spec{Limits: Limits{Processes: 200}}, c.way, c.n, 300*mib)
				if !errors.Is(err, c.want) || c.want == nil && (err != nil || !strings.Contains(out, "held")) {
					t.Errorf("%v, want %v: %s", err, c.want, out)
				}
			})
		}
	}
}

// TestManyProcesses: the superuser's processes are bounded, too.
func TestManyProcesses(t *testing.T) {
	for name, b := range boxes(t) {
		out, err := held(t, b, Spec{Limits: Limits{Processes: 60}}, "processes", 100, 0)
		if refused := strings.Contains(out, "refused"); !errors.Is(err, ErrThreads) && !refused {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}

// TestHiddenMemory: a program that needs no other process gets no memory that would stay unseen.
func TestHiddenMemory(t *testing.T) {
	for name, b := range boxes(t) {
		for _, way := range []string{"shared", "file written"} {
			if out, _ := held(t, b, Spec{Alone: true}, way, mib, 0); !strings.Contains(out, "refused") {
				t.Errorf("%s: %s: %s", name, way, out)
			}
		}
		for _, s := range []Spec{{}, {Alone: true, Limits: Limits{MemoryFile: 1 << 30}}} {
			if out, err := held(t, b, s, "file written", mib, 0); err != nil || strings.Contains(out, "refused") {
				t.Errorf("%s: %v: %s", name, err, out)
			}
		}
	}
}

// TestSharedOnFiles: with its own processes and sockets, too, a program has no memory that stays unseen where sharing takes files.
func TestSharedOnFiles(t *testing.T) {
	b := &Box{Dir: t.TempDir()}
	if b.once.Do(b.probe); !b.namespaces {
		t.Skip(b.why)
	}
	for _, c := range []struct {
		way  string
		n    int
		want error // nil: it is refused where n is much, and holds it otherwise
	}{
		{"shared and forgotten", 400 * mib, nil},
		{"file mapped and closed", 400 * mib, nil},
		{"file in flight", 400 * mib, nil},
		{"file of the directory", 400 * mib, ErrMemory},
		{"file of the directory", 100 * mib, nil},
		{"file of the directory in flight", 400 * mib, ErrMemory},
		{"file of the directory in flight", 100 * mib, nil},
		{"sockets", 10 * mib, nil},
		{"private", 100 * mib, nil},
		{"children", 400 * mib, ErrMemory},
	} {
		t.Run(fmt.Sprintf("%s %d", c.way, c.n/mib), func(t *testing.T) {
			t.Parallel()
			s := Spec{LocalSockets: true, SharedOnFiles: true, Limits: Limits{Processes: 200, Files: 1 << 30}}
			out, err := held(t, b, s, c.way, c.n, 300*mib)
			refused := strings.Contains(out, "refused")
			if c.want != nil && !errors.Is(err, c.want) || c.want == nil && refused != (c.n > 300*mib) || c.want == nil && !refused && err != nil {
				t.Errorf("%v, want %v: %s", err, c.want, out)
			}
		})
	}
}

// TestSocketMemory: sockets count with all that they can hold, and hold no more.
func TestSocketMemory(t *testing.T) {
	b := &Box{Dir: t.TempDir()}
	if b.once.Do(b.probe); !b.namespaces {
		t.Skip(b.why)
	}
	s := Spec{LocalSockets: true, SharedOnFiles: true, Limits: Limits{Processes: 200, Files: 1 << 30}}
	if out, err := held(t, b, s, "sockets", 20*mib, 40*mib); !errors.Is(err, ErrMemory) {
		t.Errorf("%v: %s", err, out)
	}
}

// held runs a process of a way in a sandbox.
func held(t *testing.T, b *Box, s Spec, way string, n int, memory uint64) (string, error) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s.Path, s.Args, s.Read = exe, []string{heldArgument0, exe, way, strconv.Itoa(n)}, slices.Concat([]string{exe}, system)
	p, err := b.Start(s, nil, &out, &out)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	err = p.Wait(ctx, memory)
	return out.String(), err
}
