package main

import (
	"encoding/json"
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
		"[LANGDON.md](../LANGDON.md)\nhas the details.\n\n" + t.String(), nil
}

// langdonConstant is the paper's warp_serialize, with the look-ups at random and as it
// redesigned them.
func langdonConstant(l *lab) (string, error) {
	t := table{{"look-ups", "paper: warp_serialize", "reads by warps", "passes", "repeated passes", "of the warps' instructions", "of the reads"}}
	for _, x := range []struct{ name, paper, define string }{
		{"at random", "23 times the instructions", "RANDOM"},
		{"grouped", "less than 1 % of them", "GROUPED"},
	} {
		r, _, err := l.check(l.example("langdon/constant_memory.cu"), "-D", x.define, "--tool", "constant")
		if err != nil {
			return "", err
		}
		var kernels []struct {
			Sites []struct{ Requests, Passes, Excess uint64 }
		}
		if err := json.Unmarshal(r.Stats["constant"], &kernels); err != nil || len(kernels) == 0 || len(kernels[0].Sites) == 0 {
			return "", fmt.Errorf("no reads of constant memory counted: %v", err)
		}
		s := kernels[0].Sites[0]
		share := func(n uint64) string { return fmt.Sprintf("%.2f %%", 100*float64(s.Excess)/float64(n)) }
		t.row(x.name, x.paper, s.Requests, s.Passes, s.Excess, share(r.Summary.Instructions/32), share(s.Requests))
	}
	return t.String() + constantNotes, nil
}

const constantNotes = `
The paper's counter is of a kernel of which little but its size is told, and counts a stall as its GPU does. Here a read of constant memory
takes a pass for each different word that the lanes of a warp want: about 31 for 32 look-ups at random. One instruction in 17
of this kernel is a look-up, so that the repeats are twice its instructions; in the paper's there must have been several passes for each
instruction. The redesign is the paper's: a block uses a small part of the table, and the threads of a warp nearly always want
the same element (` + "`-D GROUPED`" + `, where one look-up in 256 is left at random: a number that is chosen).
`

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
