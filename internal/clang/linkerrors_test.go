package clang

import (
	"slices"
	"testing"
)

// TestLinkErrors: what linkers write, with and without debug information, and lines that are not errors of theirs.
func TestLinkErrors(t *testing.T) {
	const text = "/usr/bin/ld: /tmp/x/a.0.o: in function `main':\n" +
		"/src/a.cu:3: undefined reference to `elsewhere()'\n" +
		"/src/a.cu:3: undefined reference to `elsewhere()'\n" +
		"a.cu:(.text+0x9): undefined reference to `f'\n" +
		"/usr/bin/ld: cannot find -lnone: No such file or directory\n" +
		"ld.lld: error: undefined symbol: elsewhere()\n" +
		"mold: error: duplicate symbol: main\n" +
		">>> referenced by a.cu:3\n" +
		"clang-19: error: linker command failed with exit code 1 (use -v to see invocation)\n" +
		"the text has undefined reference to nothing\n"
	want := []Message{
		{Position: Position{File: "/src/a.cu", Line: 3}, Text: "undefined reference to `elsewhere()'"},
		{Text: "undefined reference to `f'"},
		{Text: "cannot find -lnone: No such file or directory"},
		{Text: "undefined symbol: elsewhere()"},
		{Text: "duplicate symbol: main"},
	}
	got := LinkErrors(text)
	if !slices.EqualFunc(got, want, func(a, b Message) bool { return a.Position == b.Position && a.Text == b.Text && a.Severity == Error }) {
		t.Errorf("%+v", got)
	}
}
