//go:build toolchains

package toolchain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestToolchainMojo runs a program in Mojo, as it should be and with a mistake: the memory behind an array belongs to
// Mojo's pool, in which nothing was written. WARPGRIND_MOJO names the compiler of the wheels mojo, max-core and
// max-mojo-libs.
func TestToolchainMojo(t *testing.T) {
	mojo := os.Getenv("WARPGRIND_MOJO")
	if mojo == "" {
		t.Skip("WARPGRIND_MOJO does not name Mojo's compiler: pip install mojo; pip install --no-deps max-core max-mojo-libs")
	}
	bin := tooltest.Tool(t)
	text, err := os.ReadFile("testdata/toolchains/add.mojo")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		size string
		exit int
		want string
	}{
		{"Int32(n)", 0, "0 findings"},
		{"Int32(n + 24)", 1, "cuMemsetD32Async wrote only its first 4000 bytes"},
	} {
		source := filepath.Join(t.TempDir(), "add.mojo")
		if err := os.WriteFile(source, []byte(strings.Replace(string(text), "Int32(n)", c.size, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		command(t, "", nil, bin, "run", "--", mojo, "run", source).expect(t, c.exit, "3.5 3.5", c.want)
	}
}
