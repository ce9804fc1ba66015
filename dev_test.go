package warpgrind_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestDevUntouched: a run as root with a /dev of its own and no /proc makes machine code, and leaves
// no file in /dev.
func TestDevUntouched(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 || exec.Command("unshare", "-m", "true").Run() != nil {
		t.Skip("needs root and mount namespaces")
	}
	dir := t.TempDir()
	script := `set -e
mkdir "$0/dev"; mount -t tmpfs none "$0/dev"
for d in null zero random urandom; do touch "$0/dev/$d"; mount --bind "/dev/$d" "$0/dev/$d"; done
mkdir "$0/dev/shm"; mount --rbind "$0/dev" /dev; mount -t tmpfs none /proc
find /dev | sort > "$0/before"
"$1" run -q -o "$0/report" examples/boyer/fig1.cu > "$0/out" || [ $? = 1 ]
find /dev | sort | diff "$0/before" -
`
	cmd := exec.Command("unshare", "-m", "sh", "-c", script, dir, tooltest.Tool(t))
	cmd.Env = append(os.Environ(), "WARPGRIND_SIMD=avx2", "WARPGRIND_JIT=always", "WARPGRIND_CACHE_DIR="+tooltest.FreshCache(t, ""))
	if out, err := cmd.CombinedOutput(); err != nil {
		report, _ := os.ReadFile(filepath.Join(dir, "report"))
		t.Errorf("%v\n%s%s", err, out, report)
	}
}
