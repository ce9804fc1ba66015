package clang

import (
	"os"
	"testing"
)

func TestTypesScratch(t *testing.T) {
	b, err := os.ReadFile("/tmp/memory/t/ty.g.ll")
	if err != nil {
		t.Skip()
	}
	t.Logf("%s", variableTypes(b))
}
