package source

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.cu")
	if err := os.WriteFile(name, []byte("one\r\ntwo\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var f Files
	f.Add("/nowhere/b.cu", []byte("x\ny"))
	for _, tc := range []struct {
		file string
		line int
		want string
		ok   bool
	}{
		{name, 1, "one", true}, {name, 2, "two", true}, {name, 0, "", false}, {name, 9, "", false},
		{"/nowhere/b.cu", 2, "y", true}, {"/nowhere/c.cu", 1, "", false},
	} {
		if got, ok := f.Line(tc.file, tc.line); got != tc.want || ok != tc.ok {
			t.Errorf("Line(%s, %d) = %q, %v", tc.file, tc.line, got, ok)
		}
	}
	for file, want := range map[string]string{name: "one\r\ntwo\n", "/nowhere/b.cu": "x\ny", "/nowhere/c.cu": ""} {
		if got, ok := f.Text(file); got != want || ok != (want != "") {
			t.Errorf("Text(%s) = %q, %v", file, got, ok)
		}
	}
}
