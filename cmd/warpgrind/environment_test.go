package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestNoColor: a terminal has colors unless NO_COLOR is set to anything; the flag comes first.
func TestNoColor(t *testing.T) {
	_, tty := tooltest.Terminal(t, 80)
	for _, c := range []struct {
		flag, variable string
		want           bool
	}{
		{"auto", "", true}, {"auto", "1", false}, {"auto", "0", false}, {"always", "1", true}, {"never", "", false},
	} {
		t.Setenv("NO_COLOR", c.variable)
		if got := useColor(c.flag, tty); got != c.want {
			t.Errorf("--color %s, NO_COLOR=%q: %v", c.flag, c.variable, got)
		}
	}
	if useColor("auto", &strings.Builder{}) {
		t.Error("a string builder has colors")
	}
}

// TestBazelFiles: the files that Bazel collects are written, JUnit's unless the user has it written elsewhere.
func TestBazelFiles(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XML_OUTPUT_FILE", filepath.Join(dir, "test.xml"))
	t.Setenv("TEST_UNDECLARED_OUTPUTS_DIR", dir)
	for _, c := range []struct {
		own  []target
		want string
	}{
		{nil, "junit=test.xml html=warpgrind.html sarif=warpgrind.sarif warpgrind.json"},
		{[]target{{format: "junit", file: "mine.xml"}}, "junit=mine.xml html=warpgrind.html sarif=warpgrind.sarif warpgrind.json"},
	} {
		o := outputs{targets: c.own}
		o.toEngine()
		var got []string
		for _, x := range o.targets {
			got = append(got, fmt.Sprintf("%s=%s", x.format, filepath.Base(x.file)))
		}
		for _, s := range o.saves {
			got = append(got, filepath.Base(s))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%v: %s, want %s", c.own, text, c.want)
		}
	}
}
