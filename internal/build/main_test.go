package build

import (
	"os"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }
