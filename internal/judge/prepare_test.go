package judge

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// lines collects what several jobs write.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

// TestPrepare: where headers cannot be precompiled, jobs are judged all the same, and one line has the reason.
func TestPrepare(t *testing.T) {
	tooltest.NeedsClang(t)
	real, err := exec.LookPath("clang-19")
	if err != nil {
		t.Skip(err)
	}
	for _, fails := range []bool{true, false} {
		dir := filepath.Join(t.TempDir(), "bin")
		clang, check := filepath.Join(dir, "clang-19"), ""
		if fails {
			check = "case \"$*\" in *-emit-pch*) echo 'no headers today' >&2; exit 1;; esac\n"
		}
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(clang, fmt.Appendf(nil, "#!/bin/sh\n%sexec %s \"$@\"\n", check, real), 0o755); err != nil {
			t.Fatal(err)
		}
		var said lines
		j, err := New(Config{Workers: 2, Clang: clang, Messages: &said})
		if err != nil {
			t.Fatal(err)
		}
		defer j.Close()
		o := &operators[0]
		verdicts := stream(t, j, "", o.line("a", vaddKernel, ""), o.line("b", vaddKernel+"// b", ""), o.line("c", vaddKernel+"// c", `"std":"c++20"`))
		for _, v := range verdicts {
			if !v.Correct {
				t.Errorf("fails %v: %+v", fails, v.Reasons)
			}
		}
		if text := said.text.String(); strings.Count(text, "\n") != map[bool]int{true: 1}[fails] || fails && !strings.Contains(text, "no headers today") {
			t.Errorf("fails %v: it says %q", fails, text)
		}
	}
}
