package userfile

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOpen: a named pipe is refused, also by way of a link; a file, a pipe without a name and a terminal's kind of file are not.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	pipe, link, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	for _, err := range []error{syscall.Mkfifo(pipe, 0o600), os.Symlink("pipe", link), os.WriteFile(file, []byte("text"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{pipe, link} {
		if _, err := Open(name); err == nil || err.Error() != name+": is a named pipe" {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.WriteString("text")
	w.Close()
	for _, name := range []string{file, fmt.Sprintf("/dev/fd/%d", r.Fd())} {
		f, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(f); string(text) != "text" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		f.Close()
	}
	if f, err := Open("/dev/null"); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	if _, err := Open(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Error(err)
	}
}

// TestRead: files are read whole, and none beyond the bound, however long it says it is.
func TestRead(t *testing.T) {
	defer func(old int64) { most = old }(most)
	most = 1 << 20
	dir := t.TempDir()
	for _, c := range []struct {
		name string
		size int64
		ok   bool
	}{{"empty", 0, true}, {"small", 100, true}, {"largest", 1 << 20, true}, {"larger", 1<<20 + 1, false}, {"sparse", 1 << 42, false}} {
		file := filepath.Join(dir, c.name)
		if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, c.size)); err != nil {
			t.Fatal(err)
		}
		text, err := Read(file)
		if c.ok && (err != nil || int64(len(text)) != c.size) || !c.ok && (err == nil || err.Error() != file+": has more than 1048576 bytes") {
			t.Errorf("%s: %d bytes, %v", c.name, len(text), err)
		}
	}
	for name, want := range map[string]string{"/dev/zero": "/dev/zero: is a device", dir: dir + ": is a directory"} {
		if _, err := Read(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v", name, err)
		}
	}
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Read(l.Addr().String()); err == nil || err.Error() != l.Addr().String()+": is a socket" {
		t.Error(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() { fmt.Fprint(w, strings.Repeat("x", 300000)); w.Close() }()
	if text, err := Read(fmt.Sprintf("/dev/fd/%d", r.Fd())); err != nil || len(text) != 300000 {
		t.Errorf("a pipe without a name: %d bytes, %v", len(text), err)
	}
	if r, w, err = os.Pipe(); err != nil {
		t.Fatal(err)
	}
	go func() { fmt.Fprint(w, strings.Repeat("x", 3<<20)); w.Close() }()
	if _, err := Read(fmt.Sprintf("/dev/fd/%d", r.Fd())); err == nil || !strings.HasSuffix(err.Error(), ": has more than 1048576 bytes") {
		t.Errorf("a long pipe without a name: %v", err)
	}
	r.Close()
	if text, err := Read("/dev/null"); err != nil || len(text) > 0 {
		t.Errorf("/dev/null: %q, %v", text, err)
	}
}

// TestCreate: a named pipe without a reader is refused at once; one with a reader gets all that is written, more than it holds, too.
func TestCreate(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "file")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, create := range []func(string) (*os.File, error){Create, Append} {
		if _, err := create(pipe); err == nil || !strings.Contains(err.Error(), "pipe: is a named pipe that no process reads") {
			t.Error(err)
		}
	}
	r, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	want, got := strings.Repeat("text", 1<<18), make(chan string)
	w, err := Create(pipe)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		text, _ := io.ReadAll(r)
		got <- string(text)
	}()
	if _, err := w.WriteString(want); err != nil {
		t.Error(err)
	}
	w.Close()
	if text := <-got; text != want {
		t.Errorf("%d bytes, want %d", len(text), len(want))
	}
	for _, text := range []string{"a long text", "short"} {
		if err := Write(file, []byte(text)); err != nil {
			t.Error(err)
		}
	}
	f, err := Append(file)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(", and more")
	f.Close()
	if text, err := os.ReadFile(file); err != nil || string(text) != "short, and more" {
		t.Errorf("%q, %v", text, err)
	}
}
