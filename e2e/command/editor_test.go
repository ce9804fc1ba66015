package command

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/examine"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/session"
)

// TestCheckText checks what is not saved: the findings are at the lines of the
// file that it would be, which includes what lies beside it.
func TestCheckText(t *testing.T) {
	const file = "examples/boyer/fig1_fixed.cu"
	saved, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	check := func(text string) (out []string) {
		t.Helper()
		cfg := examine.StaticConfig{Config: session.Config{RunConfig: session.RunConfig{Stderr: io.Discard}, CheckConfig: session.CheckConfig{Tools: "race"}}}
		found, err := examine.CheckText(context.Background(), cfg, file, text)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Primary.Loc.File != abs {
				t.Errorf("in %s", f.Primary.Loc.File)
			}
			out = append(out, f.Rule+" "+strings.TrimSpace(strings.Split(text, "\n")[f.Primary.Loc.Line-1]))
		}
		return out
	}
	text := string(saved)
	if got := check(text); len(got) > 0 {
		t.Errorf("as it is saved: %q", got)
	}
	racy := strings.Replace(text, "__syncthreads();", "", 1)
	if got := check(racy); len(got) != 1 || !strings.HasPrefix(got[0], "race out[id] = s[") {
		t.Errorf("without the barrier: %q", got)
	}
	wrong := strings.Replace(text, "__syncthreads();", "__syncthread();", 1)
	if got := check(wrong); len(got) != 1 || got[0] != "compile __syncthread();" {
		t.Errorf("with an error: %q", got)
	}
}

// TestRunText runs what is not saved: the findings are at the lines of the file that it would be, and the
// file itself stays as it is.
func TestRunText(t *testing.T) {
	const file = "examples/boyer/fig1_fixed.cu"
	saved, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	run := func(text string) []*finding.Finding {
		t.Helper()
		r, err := examine.RunText(context.Background(), session.Config{RunConfig: session.RunConfig{Stdout: io.Discard, Stderr: io.Discard}}, file, text)
		if err != nil {
			t.Fatal(err)
		}
		return r.Findings
	}
	text := string(saved)
	if got := run("// a line\n" + text); len(got) > 0 {
		t.Errorf("with its barrier: %v", got[0].Message)
	}
	racy := "// a line\n" + strings.Replace(text, "__syncthreads();", "", 1)
	got := run(racy)
	if len(got) != 1 || got[0].Rule != "race" || !strings.HasSuffix(abs, got[0].Primary.Loc.File) {
		t.Fatalf("without the barrier: %+v", got)
	}
	if line := strings.Split(racy, "\n")[got[0].Primary.Loc.Line-1]; !strings.Contains(line, "out[id] = s[") {
		t.Errorf("at %q", line)
	}
	if _, err := examine.RunText(context.Background(), session.Config{RunConfig: session.RunConfig{Stdout: io.Discard, Stderr: io.Discard}}, file, "int main("); err == nil || !strings.Contains(err.Error(), "fig1_fixed.cu:1") {
		t.Errorf("with an error: %v", err)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != text {
		t.Errorf("the file has changed: %v", err)
	}
}
