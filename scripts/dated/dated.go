// Package dated dates the pages of docs/results: each says when, at which commit and on which machine it was measured.
package dated

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// Machine describes the machine that measures.
type Machine struct {
	Model, Features, Memory string
	Cores                   int
}

// ThisMachine reads /proc; what it cannot read stays unknown.
func ThisMachine() Machine {
	m := Machine{Model: "unknown processor", Memory: "unknown", Cores: runtime.NumCPU()}
	eachField("/proc/cpuinfo", func(key, value string) {
		switch key {
		case "model name":
			m.Model = value
		case "flags":
			m.Features = vectorUnits(strings.Fields(value))
		}
	})
	eachField("/proc/meminfo", func(key, value string) {
		var kb float64
		if n, _ := fmt.Sscanf(value, "%g kB", &kb); key == "MemTotal" && n == 1 {
			m.Memory = fmt.Sprintf("%.0f GiB", kb/(1<<20))
		}
	})
	return m
}

func (m Machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s, %s of memory", m.Model, m.Cores, m.Features, m.Memory)
}

// eachField calls f for the "key : value" lines of a file.
func eachField(file string, f func(key, value string)) {
	in, err := os.Open(file)
	if err != nil {
		return
	}
	defer in.Close()
	s := bufio.NewScanner(in)
	for s.Scan() {
		if key, value, ok := strings.Cut(s.Text(), ":"); ok {
			f(strings.TrimSpace(key), strings.TrimSpace(value))
		}
	}
}

func vectorUnits(flags []string) string {
	best := "SSE2"
	for _, f := range flags {
		switch {
		case f == "avx512f":
			return "AVX-512"
		case f == "avx2":
			best = "AVX2"
		}
	}
	return best
}

var line = regexp.MustCompile(`(?m)^Measured on (\d{4}-\d\d-\d\d) at commit ([0-9a-f]+(?:\+dirty)?) on (.+)\.$`)

// Of returns the date, the commit and the machine of a page.
func Of(page string) (date, commit, machine string, ok bool) {
	m := line.FindStringSubmatch(page)
	if m == nil {
		return "", "", "", false
	}
	return m[1], m[2], m[3], true
}

// Stamp dates a page: it replaces the sentence that does so, or adds it below the title.
func Stamp(page string) string {
	text := Line()
	if line.MatchString(page) {
		return line.ReplaceAllLiteralString(page, text)
	}
	title, rest, _ := strings.Cut(page, "\n")
	return title + "\n\n" + text + "\n" + rest
}

// Line is the sentence for today, this commit and this machine.
func Line() string {
	return fmt.Sprintf("Measured on %s at commit %s on %v.", time.Now().UTC().Format(time.DateOnly), commit(), ThisMachine())
}

// commit is the commit that is checked out, with "+dirty" where files differ from it.
func commit() string {
	out, err := exec.Command("git", "rev-parse", "--short=8", "HEAD").Output()
	if err != nil {
		return "0" // not a repository
	}
	name := strings.TrimSpace(string(out))
	if exec.Command("git", "diff", "--quiet", "HEAD").Run() != nil {
		name += "+dirty"
	}
	return name
}
