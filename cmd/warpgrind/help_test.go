package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/check/registry"
)

var update = flag.Bool("update", false, "write docs/man and docs/ENVIRONMENT.md")

// said runs the command in this process and returns its exit code and all that
// it wrote.
func said(args ...string) (code int, text string) {
	var out bytes.Buffer
	code = run(context.Background(), args, strings.NewReader(""), &out, &out)
	return code, out.String()
}

// each calls f with root and all commands below it that users see.
func each(cmd *cobra.Command, f func(*cobra.Command)) {
	f(cmd)
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" && c.Name() != "completion" {
			each(c, f)
		}
	}
}

// TestHelp of every command fits 80 columns, has an example and comes with exit
// code 0.
func TestHelp(t *testing.T) {
	each((&command{}).root(), func(cmd *cobra.Command) {
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		code, text := said(args...)
		if code != 0 || !strings.Contains(text, "Usage:") {
			t.Errorf("%v: exit code %d, %.200s", args, code, text)
		}
		for _, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > helpWidth {
				t.Errorf("%v: %d columns: %s", args, len(line), line)
			}
		}
		if cmd.Example == "" {
			t.Errorf("%v: no example", args)
		}
	})
	for _, topic := range []string{"exit-codes", "environment"} {
		if code, text := said("help", topic); code != 0 || len(text) < 200 {
			t.Errorf("help %s: exit code %d, %q", topic, code, text)
		}
	}
}

func TestWrongUsage(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"rnu", `unknown command "rnu" (did you mean run?)`},
		{"sanitizer", `unknown command "sanitizer"; see warpgrind --help`},
		{"app.cu", `unknown command "app.cu"; to check a program: warpgrind run app.cu`},
		{"./app", `to check a program: warpgrind run ./app`},
		{"run --tol race x.cu", "unknown flag --tol (did you mean --tool?)"},
		{"run --frmat=json x.cu", "unknown flag --frmat (did you mean --format?)"},
		{"run x.cu --frobnicate", "unknown flag --frobnicate; arguments of the program come after --"},
		{"diff --frobnicate a b", "unknown flag --frobnicate; see warpgrind diff --help"},
		{"barriers --tool rcae a.cu", `unknown rule "rcae" (did you mean race?)`},
		{"run -Z x.cu", "unknown flag -Z; see warpgrind run --help"},
		{"explore --executions 0 a.cu", "--executions 0: want a positive number"},
		{"explore --executions=-3 a.cu", "--executions -3: want a positive number"},
		{"run -j x a.cu", `--jobs "x": want a whole number`},
		{"run --timeout 5 a.cu", `--timeout "5": want a time such as 30s or 5m`},
		{"run --seed -1 a.cu", `--seed "-1": want a non-negative whole number`},
		{"run --tool rcae a.cu", `unknown rule "rcae" (did you mean race?)`},
		{"run --format jsn a.cu", "(did you mean json?)"},
		{"explain bnak", `unknown rule "bnak" (did you mean bank?)`},
		{"man", "man takes the directory"},
	} {
		code, text := said(strings.Fields(tc.args)...)
		if code != 2 || !strings.Contains(text, tc.want) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: exit code %d, %q; want 2 and one line with %q", tc.args, code, text, tc.want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "ab", 2}, {"race", "race", 0}, {"rcae", "race", 1}, {"rae", "race", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := edits(tc.a, tc.b); got != tc.want {
			t.Errorf("edits(%q, %q) = %d, want %d", tc.a, tc.b, got, tc.want)
		}
		if got := edits(tc.b, tc.a); got != tc.want {
			t.Errorf("edits(%q, %q) = %d, want %d", tc.b, tc.a, got, tc.want)
		}
	}
}

// TestCompletion asks what the shells' scripts ask.
func TestCompletion(t *testing.T) {
	for _, tc := range []struct{ args, want, not string }{
		{"", "run\tCheck a program", "frobnicate"},
		{"run|--to", "--tool", "--arch"},
		{"run|--tool|", "race\tdata race", "memcheck"},
		{"run|--tool|race,", "race,memory", "memcheck"},
		{"run|--race-model|", "lockstep", ""},
		{"run|--format|", "sarif", ""},
		{"barriers|--format|", "json", "sarif"},
		{"compute-sanitizer|--tool|", "racecheck", "bank"},
		{"explain|", "coalesce\t", "racecheck"},
		{"report|", "json", ""},
	} {
		args := strings.Split(tc.args, "|")
		code, text := said(append([]string{"__complete"}, args...)...)
		if code != 0 || !strings.Contains(text, tc.want) || tc.not != "" && strings.Contains(text, tc.not) {
			t.Errorf("%q: exit code %d, %q; want %q and not %q", args, code, text, tc.want, tc.not)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if code, text := said("completion", shell); code != 0 || !strings.Contains(text, "__complete") {
			t.Errorf("%s: exit code %d, %.100q", shell, code, text)
		}
	}
}

// hold compares a file under docs with what it has to be, or writes it.
func hold(t *testing.T, name, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(name)
	if err != nil || string(got) != want {
		t.Errorf("%s differs from the commands' text (%v): make man", name, err)
	}
}

// TestManual holds docs/man against the commands.
func TestManual(t *testing.T) {
	const pages = "../../docs/man"
	dir := t.TempDir()
	if code, text := said("man", dir); code != 0 {
		t.Fatalf("exit code %d: %s", code, text)
	}
	if *update {
		if err := os.RemoveAll(pages); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(pages, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	written, _ := filepath.Glob(filepath.Join(dir, "*.1"))
	for _, name := range written {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		hold(t, filepath.Join(pages, filepath.Base(name)), string(text))
	}
	kept, _ := filepath.Glob(filepath.Join(pages, "*"))
	if len(kept) != len(written) || len(kept) < 5 {
		t.Errorf("%d pages in %s, want %d", len(kept), pages, len(written))
	}
}

// TestEnvironmentPage holds docs/ENVIRONMENT.md against the help topics.
func TestEnvironmentPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Exit codes and environment variables\n\n" +
		"This page has the text of `warpgrind help exit-codes` and `warpgrind help environment`; `make man` writes it.\n\n" +
		"`run`, `report` and `barriers` exit with one of these codes. 77, which test drivers interpret as \"skipped\", is never used.\n\n" +
		"| exit code | meaning |\n| --- | --- |\n")
	table := func(es []entry, mark string) {
		for _, e := range es {
			name := strings.ReplaceAll(e.name, ", ", mark+", "+mark)
			fmt.Fprintf(&b, "| %s%s%s | %s |\n", mark, name, mark, e.text)
		}
	}
	table(exitCodes, "")
	b.WriteString("\n`diff` exits with 0 for equal and 1 for different. `compute-sanitizer` exits with 0 despite findings, as NVIDIA's does,\n" +
		"unless `--error-exitcode` sets another code. A program built by `warpgrind cc` that is started directly keeps its own\nexit code ([CC.md](CC.md)).\n\n" +
		"| variable | meaning |\n| --- | --- |\n")
	table(variables, "`")
	hold(t, "../../docs/ENVIRONMENT.md", b.String())
}

// TestRulesAreComplete keeps completion and explain in step.
func TestRulesAreComplete(t *testing.T) {
	for _, id := range registry.AllIDs() {
		if code, text := said("explain", id); code != 0 || !strings.HasPrefix(text, id+": ") {
			t.Errorf("explain %s: exit code %d, %.80q", id, code, text)
		}
	}
}
