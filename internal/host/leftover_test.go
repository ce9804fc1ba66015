package host

import (
	"fmt"
	"os"
	"os/exec"
	"testing"
)

// TestSweep: the file of a process that has ended is removed, and that of one that lives is not.
func TestSweep(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	files := map[int]string{}
	for _, pid := range []int{ended.Process.Pid, os.Getpid()} {
		files[pid] = fmt.Sprintf(registered, pid, os.Getuid())
		if err := os.WriteFile(files[pid], nil, 0o600); err != nil {
			t.Skip(err)
		}
		defer os.Remove(files[pid])
	}
	sweep([]int{0, ended.Process.Pid, os.Getpid()})
	for pid, file := range files {
		if _, err := os.Stat(file); os.IsNotExist(err) != (pid == ended.Process.Pid) {
			t.Errorf("%s: %v", file, err)
		}
	}
}
