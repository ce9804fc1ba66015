// Package wording has a test of the project's language: phrases that native engineers of
// the field do not use, and British spellings. docs/GLOSSARY.md has the terms to use.
package wording

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// phrases are what to look for. A line is matched with the regular expression only if it has
// one of the keys, separated by |: that is much quicker.
var phrases = []struct{ keys, phrase, better string }{
	{"says that", `\w+ says that\b`, "is set if, means that, reports that"},
	{"nobody", `\bnobody\b`, "no thread, nothing, never"},
	{"tells of", `\btells of\b`, "reports, describes"},
	{"what is known of", `\bwhat is known of\b`, "the facts about"},
	{"carried out", `\bcarried out\b`, "executed, supported"},
	{"meeting point", `\bmeeting points?\b`, "reconvergence point"},
	{"parted", `\blanes (that )?parted\b`, "diverged"},
	{"for ever", `\bfor ever\b`, "forever"},
	{"goes on|go on|went on", `\b(goes|go|went) on\b`, "continue"},
	{"does not end", `\bkernel does not end\b`, "kernel does not terminate"},
	{"stopped itself", `\bstopped itself\b`, "failed assertion or trap"},
	{"refused launch", `\brefused launch\b`, "invalid launch"},
	{"barrier", `\b(come|comes|came) to (a|the|its|that|each|this) barrier\b`, "reach a barrier"},
	{"is no |are no ", `\w+ (is|are) no [a-z]+\b`, "is not a"},
	{"neighbour", `neighbour`, "neighbor, adjacent"},
	{"behaviour", `behaviour`, "behavior"},
	{"colour", `colour`, "color"},
	{"ise|isa|isi", `(optim|initial|special|serial|synchron|util|normal|organ|minim|maxim|general|summar|vector|random|recogn|material|canonical|final|memor)is(e|ed|es|er|ers|ing|ation|ations)\b`, "-ize, -ization"},
	{"analys", `\banalys(e|ed|er|ing)\b`, "analyze"},
	{"ll", `(cancel|label|model|signal|travel)l(ed|ing)\b`, "a single l"},
	{"centre", `\bcentres?\b`, "center"},
	{"favour|honour|licence|catalogue|artefact", `\b(favour|honour|licence|catalogue|artefact)`, "US spelling"},
}

// fine are matches that are good English.
var fine = regexp.MustCompile(`(?i)^(there|here) (is|are) no |(is|are) no (longer|more|less|need|way|other|such)$`)

// others are not the project's language, quote it, or are made by tools.
var others = []string{"LICENSE", "CHANGELOG.md", "go.sum", "internal/wording/", "docs/report-example/report.", "docs/results/MUTANTS.md", "docs/results/EXPERIMENTS.md"}

// kinds are the files that are read, by their extension.
var kinds = []string{".go", ".md", ".sh", ".cu", ".cuh", ".h", ".cpp", ".py", ".js", ".mjs", ".ts", ".html", ".1", ".yml", ".txt", ".lua", ""}

// TestWording finds no bad phrase in code, comments, texts, pages, scripts and tests.
func TestWording(t *testing.T) {
	const root = "../.."
	out, err := exec.Command("git", "-C", root, "ls-files").Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	var matchers []matcher
	for _, p := range phrases {
		matchers = append(matchers, matcher{strings.Split(p.keys, "|"), regexp.MustCompile(p.phrase), p.better})
	}
	for _, name := range strings.Fields(string(out)) {
		if !slices.Contains(kinds, filepath.Ext(name)) || slices.ContainsFunc(others, func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // deleted in the work tree
		}
		for i, line := range strings.Split(strings.ToLower(string(text)), "\n") {
			for _, m := range matchers {
				for _, found := range m.find(line) {
					t.Errorf("%s:%d: %q: write %s", name, i+1, found, m.better)
				}
			}
		}
	}
}

// matcher is a phrase, compiled.
type matcher struct {
	keys   []string
	phrase *regexp.Regexp
	better string
}

// find returns the matches in a line of lower case that are not fine.
func (m *matcher) find(line string) []string {
	if !slices.ContainsFunc(m.keys, func(k string) bool { return strings.Contains(line, k) }) {
		return nil
	}
	return slices.DeleteFunc(m.phrase.FindAllString(line, -1), fine.MatchString)
}
