package static

import (
	"os"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
)

func TestMain(m *testing.M) { os.Exit(e2e.Main(m)) }
