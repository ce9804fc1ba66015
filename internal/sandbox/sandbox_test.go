package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Enter()
	if os.Args[0] == heldArgument0 {
		hold()
	}
	os.Exit(m.Run())
}

// system are directories that a program of the system needs.
var system = []string{"/usr", "/lib", "/lib64", "/bin"}

// boxes are the ways in which a sandbox can hold: as this machine offers, and without namespaces.
func boxes(t *testing.T) map[string]*Box {
	t.Helper()
	all := map[string]*Box{"full": {Dir: t.TempDir()}, "no namespaces": {Dir: t.TempDir()}}
	all["no namespaces"].WithoutNamespaces("turned off")
	return all
}

// shell runs a script in a sandbox and returns what it wrote.
func shell(t *testing.T, b *Box, s Spec, script string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	s.Path, s.Args, s.Env, s.Read = "/bin/sh", []string{"sh", "-c", script}, []string{"PATH=/usr/bin:/bin"}, append(s.Read, system...)
	p, err := b.Start(s, nil, &out, &out)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
	defer stop()
	err = p.Wait(ctx, 0)
	if len(p.Held.Files) == 0 || len(p.Held.Network) == 0 {
		t.Errorf("it is held by %+v", p.Held)
	}
	t.Logf("held by %+v: %s", p.Held, out.String())
	return out.String(), err
}

func TestFiles(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	shown := filepath.Join(t.TempDir(), "shown")
	for _, f := range []string{secret, shown} {
		if err := os.WriteFile(f, []byte("content of "+filepath.Base(f)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, b := range boxes(t) {
		t.Run(name, func(t *testing.T) {
			out, _ := shell(t, b, Spec{Read: []string{shown}}, "cat "+secret+"; cat /etc/passwd; ls /root /home /proc/1/environ; cat "+shown)
			if strings.Contains(out, "content of secret") || strings.Contains(out, "root:") {
				t.Errorf("it read a file outside: %s", out)
			}
			if !strings.Contains(out, "content of shown") {
				t.Errorf("it could not read its own: %s", out)
			}
			out, _ = shell(t, b, Spec{Read: []string{shown}}, `echo x > `+shown+`; echo x > /usr/x; echo x > /x; rm -f `+shown+`; echo own > $TMPDIR/file && cat $TMPDIR/file`)
			if !strings.Contains(out, "own") {
				t.Errorf("it could not write to its own directory: %s", out)
			}
			if text, err := os.ReadFile(shown); err != nil || string(text) != "content of shown" {
				t.Errorf("it changed a file: %q, %v", text, err)
			}
		})
	}
}

func TestNetwork(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("needs Python")
	}
	python, err := filepath.EvalSymlinks("/usr/bin/python3")
	if err != nil {
		t.Skip("needs the system's Python")
	}
	for name, b := range boxes(t) {
		t.Run(name, func(t *testing.T) {
			out, err := shell(t, b, Spec{}, python+` -c 'import socket; s = socket.socket(); s.connect(("127.0.0.1", 22)); print("connected")'`)
			if err == nil || strings.Contains(out, "connected") || !strings.Contains(out, "Error") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

func TestProcesses(t *testing.T) {
	for name, b := range boxes(t) {
		t.Run(name, func(t *testing.T) {
			if out, err := shell(t, b, Spec{Alone: true}, "echo begin; /bin/true & wait; echo end"); strings.Contains(out, "end") {
				t.Errorf("it made a process: %v, %s", err, out)
			}
			out, _ := shell(t, b, Spec{}, fmt.Sprintf("kill -9 %d; echo still; unshare -Ur true || echo refused", os.Getpid()))
			if !strings.Contains(out, "refused") || !strings.Contains(out, "still") {
				t.Errorf("it made a namespace: %s", out)
			}
		})
	}
}

// TestLeavesNothing has a program that leaves processes behind, and one that does not end.
func TestLeavesNothing(t *testing.T) {
	b := &Box{Dir: t.TempDir()}
	if out, err := shell(t, b, Spec{}, "sleep 1000 & sleep 1001 & echo done"); err != nil || !strings.Contains(out, "done") {
		t.Errorf("%v: %s", err, out)
	}
	p, err := b.Start(Spec{Path: "/bin/sh", Args: []string{"sh", "-c", "sleep 1002 & while :; do :; done"}, Env: []string{"PATH=/bin"}, Read: system}, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer stop()
	if err := p.Wait(ctx, 0); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	list, _ := exec.Command("ps", "-eo", "args").Output()
	for _, left := range []string{"sleep 1000", "sleep 1001", "sleep 1002"} {
		if bytes.Contains(list, []byte(left)) {
			t.Errorf("%s is left", left)
		}
	}
	if entries, _ := os.ReadDir(b.Dir); len(entries) > 0 {
		t.Errorf("files are left: %v", entries)
	}
}

func TestLimits(t *testing.T) {
	for name, b := range boxes(t) {
		t.Run(name, func(t *testing.T) {
			_, err := shell(t, b, Spec{Limits: Limits{CPU: time.Second}}, "while :; do :; done")
			if s := Signal(err); s != syscall.SIGXCPU && s != syscall.SIGKILL {
				t.Errorf("processor time: %v", err)
			}
			out, _ := shell(t, b, Spec{Limits: Limits{Files: 1 << 20}}, "head -c 4000000 /dev/zero > $TMPDIR/a; head -c 4000000 $0 >> $TMPDIR/a; wc -c < $TMPDIR/a")
			if strings.Contains(out, "4000000") {
				t.Errorf("files: %s", out)
			}
			out, err = shell(t, b, Spec{Limits: Limits{Memory: 100 << 20}}, "head -c 500000000 </dev/null; x=$(yes | head -c 300000000); echo ${#x}")
			if err == nil && strings.Contains(out, "300000000") {
				t.Errorf("memory: %v, %s", err, out)
			}
		})
	}
}

// TestRefuses has a machine with none of the layers.
func TestRefuses(t *testing.T) {
	r := Report{}
	if !r.Weak() {
		t.Error("a sandbox of no layers holds")
	}
	if _, err := (&Box{Dir: t.TempDir()}).Start(Spec{Path: "/no/such/program"}, nil, nil, nil); err != nil {
		t.Errorf("a missing program is an error of the sandbox: %v", err)
	}
}

// TestLocalSockets: a program may have Unix sockets of its own where it is let, and no others.
func TestLocalSockets(t *testing.T) {
	python, err := filepath.EvalSymlinks("/usr/bin/python3")
	if err != nil {
		t.Skip("needs the system's Python")
	}
	const local = `import socket, os
s = socket.socket(socket.AF_UNIX); s.bind(os.environ["TMPDIR"] + "/s"); s.listen()
c = socket.socket(socket.AF_UNIX); c.connect(os.environ["TMPDIR"] + "/s"); print("connected")`
	const network = `import socket; socket.socket(socket.AF_INET)`
	for name, b := range boxes(t) {
		for _, asked := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " ", asked), func(t *testing.T) {
				out, _ := shell(t, b, Spec{LocalSockets: asked}, python+" -c '"+local+"'")
				if got, want := strings.Contains(out, "connected"), asked && name == "full"; got != want {
					t.Errorf("connected: %v, want %v", got, want)
				}
				if out, err := shell(t, b, Spec{LocalSockets: asked}, python+" -c '"+network+"'"); err == nil {
					t.Errorf("it made a socket of the network: %s", out)
				}
			})
		}
	}
}
