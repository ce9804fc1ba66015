package scratch

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestMain is also the process that TestKilled kills.
func TestMain(m *testing.M) {
	parent, victim := os.LookupEnv("SCRATCH_VICTIM")
	if !victim {
		os.Exit(m.Run())
	}
	dir, _, err := Dir()
	if parent != "" {
		dir, _, err = In(parent, "new-")
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "file"), []byte("x"), 0o600)
	}
	if err != nil {
		os.Exit(1)
	}
	os.Stdout.WriteString(dir + "\n")
	time.Sleep(time.Minute)
}

func TestRemoved(t *testing.T) {
	a, removeA, err := Dir()
	if err != nil {
		t.Fatal(err)
	}
	b, removeB, err := Dir()
	if err != nil {
		t.Fatal(err)
	}
	if a == b || filepath.Dir(a) != filepath.Dir(b) {
		t.Errorf("directories %s and %s", a, b)
	}
	removeA()
	removeA()
	if _, err := os.Stat(b); err != nil {
		t.Errorf("the other directory is gone: %v", err)
	}
	removeB()
	if _, err := os.Stat(filepath.Dir(b)); !os.IsNotExist(err) {
		t.Errorf("the base is left: %v", err)
	}
}

func TestIn(t *testing.T) {
	parent := t.TempDir()
	dir, remove, err := In(parent, "new-")
	if err != nil || filepath.Dir(dir) != parent {
		t.Fatalf("%s, %v", dir, err)
	}
	remove()
	remove()
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if _, _, err := In(filepath.Join(parent, "none"), "new-"); !os.IsNotExist(err) {
		t.Errorf("in a directory that is missing: %v", err)
	}
}

// TestKilled kills processes with directories of both kinds.
func TestKilled(t *testing.T) {
	t.Run("Dir", func(t *testing.T) { wantGone(t, filepath.Dir(killed(t, ""))) })
	t.Run("In", func(t *testing.T) { wantGone(t, killed(t, t.TempDir())) })
}

// killed is the directory of a process that has been killed.
func killed(t *testing.T, parent string) (dir string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SCRATCH_VICTIM="+parent)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dir, err = bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	cmd.Process.Kill()
	cmd.Wait()
	return dir[:len(dir)-1]
}

// wantGone waits for the end of a directory.
func wantGone(t *testing.T, dir string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is left", dir)
		}
	}
}
