package fix

import (
	"fmt"
	"os"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestMain runs the tests in the repository's root: they are about the programs there.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(tooltest.Main(m))
}
