package clang

import (
	"errors"
	"io/fs"
	"os/exec"
	"syscall"
	"testing"
)

func TestShortage(t *testing.T) {
	failed := exec.Command("sh", "-c", "exit 1").Run()
	killed := exec.Command("sh", "-c", "kill -XFSZ $$").Run()
	for _, c := range []struct {
		name, diag string
		err        error
		want       syscall.Errno
	}{
		{"clang", "warning: x\nfatal error: error in backend: IO failure on output stream: No space left on device\nStack dump:\n", failed, syscall.ENOSPC},
		{"ld", "/usr/bin/ld: final link failed: No space left on device\n", failed, syscall.ENOSPC},
		{"quota", "/usr/bin/ld: final link failed: Disk quota exceeded\n", failed, syscall.EDQUOT},
		{"limit of ld", "clang-19: error: unable to execute command: File size limit exceeded\n", failed, syscall.EFBIG},
		{"limit of clang", "", killed, syscall.EFBIG},
		{"user's text", "a.cu:1:2: error: no space left on device\n    1 | #error no space left on device\n", failed, 0},
		{"success", "warning: no space left on device\n", nil, 0},
	} {
		err := shortage(c.err, "/bin/clang", []string{"-c", "-o", "a.o"}, []byte(c.diag))
		var path *fs.PathError
		switch {
		case c.want == 0:
			if err != c.err {
				t.Errorf("%s: %v, want %v", c.name, err, c.err)
			}
		case !errors.As(err, &path) || path.Path != "a.o" || path.Err != c.want || !isShort(err):
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// TestKilledTools: a tool that others end is neither a program that does not compile nor a bug.
func TestKilledTools(t *testing.T) {
	failed := exec.Command("sh", "-c", "exit 1").Run()
	for _, c := range []struct {
		err  error
		diag string
		want string
	}{
		{exec.Command("sh", "-c", "kill -KILL $$").Run(), "", "clang"},
		{exec.Command("sh", "-c", "kill -TERM $$").Run(), "", "clang"},
		{failed, "clang-19: error: unable to execute command: Killed\nclang-19: error: linker command failed due to signal\n", "a tool of clang"},
		{exec.Command("sh", "-c", "kill -SEGV $$").Run(), "", ""},
		{failed, "clang-19: error: unable to execute command: Segmentation fault\n", ""},
		{failed, "a.cu:1:2: error: unable to execute command: killed\n", ""},
	} {
		var killed *KilledError
		err := shortage(c.err, "/bin/clang", nil, []byte(c.diag))
		if got := errors.As(err, &killed); got != (c.want != "") || got && (killed.Tool != c.want || !isShort(err)) {
			t.Errorf("%v, %q: %v", c.err, c.diag, err)
		}
	}
}
