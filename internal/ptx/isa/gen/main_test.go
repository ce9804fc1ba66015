package main

import (
	"bytes"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write docs/PTX.md")

// TestPage wants docs/PTX.md to be what the table gives.
func TestPage(t *testing.T) {
	const file = "../../../../docs/PTX.md"
	if *update {
		if err := os.WriteFile(file, page(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, page()) {
		t.Error("docs/PTX.md is stale: go generate ./internal/ptx/isa")
	}
}
