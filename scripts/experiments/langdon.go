package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// troubles are the eight of Langdon's paper, in its order.
var troubles = []struct{ file, section, says string }{
	{"endless_loop", "2.1.1", "a kernel never ends"},
	{"failed_launch", "2.1.2", "a launch fails"},
	{"partly_written", "2.4", "a buffer is written in part"},
	{"missing_threads", "4.1", "threads are missing from a helper"},
	{"overlapping_arrays", "4.2", "two parts of one shared array overlap"},
	{"forgotten_volatile", "4.3", "volatile is forgotten"},
	{"constant_memory", "4.4", "reads of constant memory are serialized"},
	{"run_to_run", "4.5", "results differ from run to run"},
}

var firstCommand = regexp.MustCompile(`(?m)^//   warpgrind run (.+)$`)

// langdonTroubles runs the command that each example begins with, and the
// repaired example with the same flags.
func langdonTroubles(l *lab) (string, error) {
	t := table{{"section", "trouble", "command", "what it finds", "with `-D FIXED`"}}
	for _, x := range troubles {
		path := l.example(filepath.Join("langdon", x.file+".cu"))
		text, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		m := firstCommand.FindSubmatch(text)
		if m == nil {
			return "", fmt.Errorf("%s names no command", path)
		}
		words := strings.Fields(string(m[1]))
		flags := words[:len(words)-1]
		broken, _, err := l.check(path, flags...)
		if err != nil {
			return "", err
		}
		fixed, _, err := l.check(path, append([]string{"-D", "FIXED"}, flags...)...)
		if err != nil {
			return "", err
		}
		t.row(x.section, x.says, "`warpgrind run "+string(m[1])+"`", rules(broken), rules(fixed))
	}
	return "The paper tells what went wrong and how it was noticed: by a machine that had to be restarted, by zeros at the end of\n" +
		"a file, by results that changed. It counts nothing. Here each trouble is a program and a finding; " +
		"[LANGDON.md](LANGDON.md)\nhas the details.\n\n" + t.String(), nil
}

// rules lists the rules that report errors or warnings, and the lines.
func rules(r *report) string {
	var out []string
	for _, f := range r.separate() {
		if f.Level == "info" {
			continue
		}
		s := f.Rule
		if line := f.Primary.Location.Line; line > 0 {
			s += fmt.Sprintf(" at line %d", line)
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		return "nothing"
	}
	return strings.Join(out, ", ")
}
