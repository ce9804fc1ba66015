package command

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestEditor has Neovim show what a run found, and what is wrong with a text that
// is typed, by its own client.
func TestEditor(t *testing.T) {
	editor, err := exec.LookPath("nvim")
	if err != nil {
		t.Skip("no nvim is installed")
	}
	bin, examples := tooltest.Tool(t), t.TempDir()
	if err := os.CopyFS(examples, os.DirFS("examples")); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(examples, "boyer")
	source := filepath.Join(dir, "fig1.cu")
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(bin, "run", "--save", "warpgrind.json", "fig1.cu")
	run.Dir = dir
	out, _ := run.CombinedOutput() // ends with 1: there is a finding
	if _, err := os.Stat(filepath.Join(dir, "warpgrind.json")); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	script, err := filepath.Abs("testdata/lsp/client.lua")
	if err != nil {
		t.Fatal(err)
	}
	result := filepath.Join(dir, "result")
	cmd := exec.Command(editor, "--headless", "-u", "NONE", "-i", "NONE", "-n", source, "-c", "luafile "+script)
	cmd.Env = append(os.Environ(), "OUT="+result, "TOOL="+bin, "FOLDER="+dir, "HOME="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	b, err := os.ReadFile(result)
	if err != nil {
		t.Fatal(err)
	}
	type diagnostic struct {
		Line, Col, Severity, Related int
		EndCol                       int `json:"end_col"`
		Code, Source, Message        string
	}
	var got struct {
		Error, Hover, Action, Applied string
		Repair                        string
		Repaired                      []string
		Seconds                       float64
		Moved                         bool
		Clean                         int
		First, Typed                  []diagnostic
	}
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	if got.Error != "" || len(got.First) != 1 || !got.Moved {
		t.Fatalf("got %s", b)
	}
	line := strings.Split(string(text), "\n")[7]
	d := got.First[0]
	if d.Line != 7 || line[d.Col:d.EndCol] != "s[(id + 1) % nt]" || d.Severity != 1 || d.Code != "race" || d.Source != "warpgrind" || d.Related != 1 {
		t.Errorf("got %+v", d)
	}
	if !strings.Contains(d.Message, "add __syncthreads() between line 7 and line 8") {
		t.Errorf("message %q", d.Message)
	}
	if !strings.Contains(got.Hover, "written by thread (1,0,0)") || !strings.Contains(got.Hover, "# race: data race") {
		t.Errorf("hover %q", got.Hover)
	}
	if got.Clean != 0 || len(got.Typed) != 1 || got.Typed[0].Code != "race" || !strings.Contains(got.Typed[0].Message, "__syncthreads()") {
		t.Errorf("typed: %+v before, %+v after", got.Clean, got.Typed)
	}
	if got.Action != "Suppress this race finding with a comment" || strings.TrimSpace(got.Applied) != "// warpgrind: ignore race" {
		t.Errorf("action %q gives %q", got.Action, got.Applied)
	}
	if got.Repair != "Add __syncthreads() after line 7 (verified)" || !slices.Contains(got.Repaired, "    __syncthreads();") {
		t.Errorf("repair %q gives\n%s", got.Repair, strings.Join(got.Repaired, "\n"))
	}
	t.Logf("from saving to the repair: %.1f s", got.Seconds)
}
