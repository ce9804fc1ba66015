package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// usageList names what public CUDA programs use, by kind, what most of them use
// first. A group's title says how its names are looked for; those of the group
// "Language" have blanks, and bars between them.
const usageList = "scripts/apitable/usage.txt"

// usage is a group of it.
type usage struct {
	title string
	names []string
}

func usages() ([]usage, error) {
	text, err := os.ReadFile(usageList)
	if err != nil {
		return nil, err
	}
	var out []usage
	for _, line := range strings.Split(string(text), "\n") {
		if title, ok := strings.CutPrefix(line, "# "); ok {
			out = append(out, usage{title: title})
			continue
		}
		if len(out) == 0 {
			continue
		}
		g := &out[len(out)-1]
		if g.title != "Language" {
			g.names = append(g.names, strings.Fields(line)...)
		} else if line != "" {
			g.names = append(g.names, strings.Split(line, " | ")...)
		}
	}
	return out, nil
}

// pattern finds a name in a program.
func (g *usage) pattern(name string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(name)
	switch g.title {
	case "Headers":
		return regexp.MustCompile(`#\s*include\s*[<"]` + quoted + `[>"]`)
	case "Device properties":
		return regexp.MustCompile(`\.` + quoted + `\b`)
	case "Language":
		return regexp.MustCompile(quoted)
	case "Options of nvcc":
		if end := name[len(name)-1]; end != '=' && !strings.Contains("-I -L -D -l", name) {
			quoted += `(?:$|[^\w-])`
		}
		return regexp.MustCompile(`(?m)(?:^|[^\w-])` + quoted)
	}
	return regexp.MustCompile(`\b` + quoted + `\s*(?:<[^<>;()]*>)?\s*\(`)
}

// programText is a program without its comments, or for options a test of the
// compiler driver.
type programText struct{ file, text string }

var (
	lineComment = regexp.MustCompile(`//.*`)
	// otherwise are programs that are there for what is wrong with them, or that
	// do not run.
	otherwise = regexp.MustCompile(`/(?:bugs|langdon|papers|defects|regress|static|perf|instrument|load|lsp)/`)
)

// readPrograms reads programs, those first that check their results.
func readPrograms(patterns []string) (out []programText, err error) {
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			if filepath.Ext(f) != ".txt" && filepath.Ext(f) != ".go" {
				text = lineComment.ReplaceAll(text, nil)
			}
			if f != callsFile && !strings.Contains(f, "testdata/static/") {
				out = append(out, programText{f, string(text)})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b programText) int {
		return strings.Compare(otherwise.FindString(a.file), otherwise.FindString(b.file))
	})
	return out, nil
}

// tested says in which program each name of a group is, "" where in none.
func (g *usage) tested() (map[string]string, error) {
	patterns := programFiles
	if g.title == "Options of nvcc" {
		patterns = []string{"testdata/cc/*.txt", "internal/cc/cc_test.go", "internal/nvcc/parse_test.go"}
	}
	all, err := readPrograms(patterns)
	if err != nil {
		return nil, err
	}
	math, err := os.ReadFile("docs/results/MATH.md")
	if err != nil {
		return nil, err
	}
	where := map[string]string{}
	for _, name := range g.names {
		re := g.pattern(name)
		for _, p := range all {
			if strings.Contains(p.text, name) && re.MatchString(p.text) {
				where[name] = p.file
				break
			}
		}
		if where[name] == "" && g.title == "Mathematics" && strings.Contains(string(math), "`"+name+"`") {
			where[name] = "docs/results/MATH.md"
		}
	}
	return where, nil
}

// writeUsage writes which program has what.
func writeUsage(page *strings.Builder) error {
	groups, err := usages()
	if err != nil {
		return err
	}
	fmt.Fprintf(page, `
## What programs use

Counted over about 750 public CUDA programs, by kind, the most used first. Each is compiled, run and checked by the program
beside it, which is one of several; options of nvcc by tests of the compiler driver.
`)
	for i := range groups {
		where, err := groups[i].tested()
		if err != nil {
			return err
		}
		fmt.Fprintf(page, "\n### %s\n\n| name | tested in |\n| --- | --- |\n", groups[i].title)
		for _, name := range groups[i].names {
			fmt.Fprintf(page, "| `%s` | %s |\n", strings.ReplaceAll(name, "|", `\|`), where[name])
		}
	}
	return nil
}
