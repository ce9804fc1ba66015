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
	if os.Getenv("SCRATCH_VICTIM") == "" {
		os.Exit(m.Run())
	}
	dir, _, err := Dir()
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

func TestKilled(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "SCRATCH_VICTIM=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dir, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Dir(dir[:len(dir)-1])
	cmd.Process.Kill()
	cmd.Wait()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(dir); os.IsNotExist(err) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is left", dir)
		}
	}
}
