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

// phrases are regular expressions and what is better.
var phrases = []struct{ phrase, better string }{
	{`\b\w+ says that\b`, "is set if, means that, reports that"},
	{`\bnobody\b`, "no thread, nothing, never"},
	{`\btells of\b`, "reports, describes"},
	{`\bwhat is known of\b`, "the facts about"},
	{`\bcarried out\b`, "executed, supported"},
	{`\bmeeting points?\b`, "reconvergence point"},
	{`\blanes (that )?parted\b`, "diverged"},
	{`\bfor ever\b`, "forever"},
	{`\b(goes|go|went) on\b`, "continue"},
	{`\bkernel does not end\b`, "kernel does not terminate"},
	{`\bstopped itself\b`, "failed assertion or trap"},
	{`\brefused launch\b`, "invalid launch"},
	{`\bmemory that (nobody|no one) wrote\b`, "uninitialized memory"},
	{`\b(come|comes|came) to (a|the|its|that|each|this) barrier\b`, "reach a barrier"},
	{`\b\w+ (is|are) no [a-z]+\b`, "is not a"},
	{`neighbour`, "neighbor, adjacent"},
	{`behaviour`, "behavior"},
	{`colour`, "color"},
	{`(optim|initial|special|serial|synchron|util|normal|organ|minim|maxim|general|summar|vector|random|recogn|material|canonical|final|memor)is(e|ed|es|er|ers|ing|ation|ations)\b`, "-ize, -ization"},
	{`\banalys(e|ed|er|ing)\b`, "analyze"},
	{`(cancel|label|model|signal|travel)l(ed|ing)\b`, "a single l"},
	{`\bcentres?\b`, "center"},
	{`\b(favour|honour|licence|catalogue|artefact)`, "US spelling"},
}

// fine are matches that are good English.
var fine = regexp.MustCompile(`(?i)^(there|here) (is|are) no |(is|are) no (longer|more|less|need|way|other|such)$`)

// unclean are the rooms whose texts are still to be written anew.
var unclean = []string{
	"internal/check/race/", "internal/clang/", "internal/lower/", "internal/shim/", "internal/warp/",
	"docs/rules/race.md",
}

// others are not the project's language, quote it, or are made by tools.
var others = []string{"LICENSE", "CHANGELOG.md", "go.sum", "internal/wording/", "docs/report-example/report.", "docs/MUTANTS.md", "docs/EXPERIMENTS.md"}

// kinds are the files that are read, by their extension.
var kinds = []string{".go", ".md", ".sh", ".cu", ".cuh", ".h", ".cpp", ".py", ".js", ".html", ".1", ".yml", ".txt", ".lua", ""}

// TestWording finds no bad phrase in code, comments, texts, pages, scripts and tests.
func TestWording(t *testing.T) {
	const root = "../.."
	out, err := exec.Command("git", "-C", root, "ls-files").Output()
	if err != nil {
		t.Skip("not a git checkout")
	}
	var all []string
	for _, p := range phrases {
		all = append(all, p.phrase)
	}
	any := regexp.MustCompile("(?i)" + strings.Join(all, "|"))
	skipped := append(slices.Clone(unclean), others...)
	for _, name := range strings.Fields(string(out)) {
		if !slices.Contains(kinds, filepath.Ext(name)) || slices.ContainsFunc(skipped, func(p string) bool { return strings.HasPrefix(name, p) }) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // deleted in the work tree
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, found := range any.FindAllString(line, -1) {
				if !fine.MatchString(found) {
					t.Errorf("%s:%d: %q: write %s", name, i+1, found, better(found))
				}
			}
		}
	}
}

// better is what the table has for a match.
func better(found string) string {
	for _, p := range phrases {
		if regexp.MustCompile("(?i)" + p.phrase).MatchString(found) {
			return p.better
		}
	}
	return ""
}
