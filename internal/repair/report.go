package repair

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// Outcome is what became of a finding.
type Outcome string

// The outcomes.
const (
	// Fixed: the patch removes it, and holds otherwise.
	Fixed Outcome = "fixed"
	// Unproved: with the patch the findings are gone, and the program's own check fails as before. The patch is not written.
	Unproved Outcome = "unproved"
	// Gone: the patch of another finding removes it.
	Gone Outcome = "gone"
	// Open: no candidate held.
	Open Outcome = "open"
	// Declined: the patch holds, and the user did not take it.
	Declined Outcome = "declined"
	// Manual: no patch was tried; Untried has the reason.
	Manual Outcome = "manual"
)

// Result is what became of one finding.
type Result struct {
	Finding *finding.Finding `json:"finding"`
	Outcome Outcome          `json:"outcome"`
	// Untried is the reason, where no patch was tried; where some were and none held, NotInProgram if none could be known to be right.
	Untried Untried `json:"untried,omitempty"`
	// NotTried counts patches for which there was no time.
	NotTried int `json:"not_tried,omitempty"`
	// What says what the patch does; Changed what differs in the output or in buffers from the
	// program as it was, which had no defined result.
	What    string   `json:"what,omitempty"`
	Changed []string `json:"changed,omitempty"`
	// Edits are those of the patch, in the text as it was.
	Edits []source.Replacement `json:"edits,omitempty"`
	// Before and After are what the program costs without and with the patch of a performance rule's finding.
	Before *Cost `json:"before,omitempty"`
	After  *Cost `json:"after,omitempty"`
	// Tried are the patches that were not taken, with why.
	Tried []Trial `json:"tried,omitempty"`
}

// Trial is a patch that was not taken: Cause for programs, Why for people.
type Trial struct {
	What  string     `json:"what"`
	Cause TrialCause `json:"cause"`
	Why   string     `json:"why"`
}

// TrialCause is why a patch is not taken.
type TrialCause string

// The causes.
const (
	// NotCompiled: the source does not compile with it.
	NotCompiled TrialCause = "not-compiled"
	// Stays: the finding is still there; NewFinding: another one has come.
	Stays      TrialCause = "stays"
	NewFinding TrialCause = "new-finding"
	// Ends: the program ends by a signal, or not at all.
	Ends TrialCause = "ends"
	// NotWritten: launches leave elements unwritten that they wrote before.
	NotWritten TrialCause = "not-written"
	// ValidAccesses: accesses that are valid are left out as well.
	ValidAccesses TrialCause = "valid-accesses"
	// OtherResult: launches write other values, though the repair must not change them.
	OtherResult TrialCause = "other-result"
	// LessWork: fewer launches, threads, barriers or reads than before.
	LessWork TrialCause = "less-work"
	// Unconfirmed: results change that were the same under all schedules, and nothing in the program confirms the new ones.
	Unconfirmed TrialCause = "unconfirmed"
	// NewWarning: a warning has come that was not there.
	NewWarning TrialCause = "new-warning"
	// NotCheaper: the program does not need less with the patch for a performance rule's finding.
	NotCheaper TrialCause = "not-cheaper"
	// Second: the patch holds, but another one is preferred.
	Second TrialCause = "second"
)

// Report is a program's repair.
type Report struct {
	Schema  int      `json:"schema"`
	Results []Result `json:"results"`
	// Schedules is how many orders of threads and blocks the repaired program ran in besides
	// the usual one.
	Schedules int `json:"schedules"`
	// Files are the texts of the changed files, by absolute path, as they were and repaired.
	Files []Changed `json:"files"`
	// Before and After are what the program costs as it is and with the patches, nil if there are none.
	Before *Cost `json:"before,omitempty"`
	After  *Cost `json:"after,omitempty"`
	// Messages are notes about the whole.
	Messages []string `json:"messages,omitempty"`
	// Environment is what failed on this machine and was replaced, nil for nothing.
	Environment *report.Environment `json:"environment,omitempty"`
	// Exit is the exit code.
	Exit int `json:"exit"`
}

// Cost is what the launches of a program cost together.
type Cost struct {
	Launches uint64 `json:"launches"`
	// Instructions are those of threads. Barriers are executions by blocks, Sectors what accesses to
	// global memory need, Passes what those to shared memory need.
	Instructions uint64 `json:"instructions"`
	Barriers     uint64 `json:"barriers"`
	Sectors      uint64 `json:"sectors"`
	Passes       uint64 `json:"bank_passes"`
	// Accesses are those of threads to shared and global memory. Fences and Atomics are executions by threads.
	Accesses uint64 `json:"accesses"`
	Fences   uint64 `json:"fences"`
	Atomics  uint64 `json:"atomics"`
}

// Changed is a file that the repair changes.
type Changed struct {
	File   string `json:"file"`
	Before string `json:"before"`
	After  string `json:"after"`
}

// Diff writes the changes as a unified diff, with names relative to dir.
func (r *Report) Diff(w io.Writer, dir string) error { return writeDiff(w, r.Files, dir) }

func writeDiff(w io.Writer, files []Changed, dir string) error {
	for _, f := range files {
		name := strings.TrimPrefix(filepath.ToSlash(within(dir, f.File)), "/")
		if _, err := io.WriteString(w, udiff.Unified(inDiff("a/"+name), inDiff("b/"+name), f.Before, f.After)); err != nil {
			return err
		}
	}
	return nil
}

// inDiff is a file's name in the head of a diff, as git writes it and patch reads it: quoted as in C where it would end the line or the
// name, or act on a terminal or in the log of a job (##[command]), and with a tab behind it where it has blanks.
func inDiff(name string) string {
	plain := func(r rune) bool { return r != '"' && r != '\\' && unicode.IsPrint(r) }
	if !utf8.ValidString(name) || strings.Contains(name, "##") || strings.ContainsFunc(name, func(r rune) bool { return !plain(r) }) {
		var b strings.Builder
		b.WriteByte('"')
		for i := range len(name) {
			switch c := name[i]; {
			case c == '"' || c == '\\':
				b.WriteString("\\" + string(rune(c)))
			case c < ' ' || c > '~' || c == '#':
				fmt.Fprintf(&b, "\\%03o", c)
			default:
				b.WriteByte(c)
			}
		}
		return b.String() + "\""
	}
	if strings.Contains(name, " ") {
		return name + "\t"
	}
	return name
}

// Offer is a patch that holds, for a user to take or to decline.
type Offer struct {
	// What describes the patch, Why is its purpose.
	What, Why string
	Files     []Changed
}

// NewOffer offers a patch of texts.
func NewOffer(texts map[string][]byte, p *code.Patch, why string) *Offer {
	return &Offer{p.What, why, ChangedFiles(texts, code.Apply(texts, []*code.Patch{p}, false))}
}

// Diff writes the patch as a unified diff, with names relative to dir.
func (o *Offer) Diff(w io.Writer, dir string) error { return writeDiff(w, o.Files, dir) }

// within is a file's name relative to dir, if it lies below that.
func within(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return filepath.Clean(file)
}

// ChangedFiles lists the files in which two sets of texts differ.
func ChangedFiles(before, after map[string][]byte) []Changed {
	out := []Changed{}
	for _, file := range slices.Sorted(maps.Keys(after)) {
		if string(before[file]) != string(after[file]) {
			out = append(out, Changed{file, string(before[file]), string(after[file])})
		}
	}
	return out
}

// untried is the reason in words why no patch was tried.
func (x *Result) untried() string {
	switch x.Untried {
	case OtherKind:
		return fmt.Sprintf("no repair of this kind is tried: %s", x.Finding.Repair.Kind)
	case NotInProgram:
		return cmp.Or(catalog[x.Finding.Repair.Kind].untold, someOther)
	case Elsewhere:
		return "it is not in the files of the project"
	case Overlap:
		return "the two arrays share memory, and no barrier makes that right: place them apart, and make the block of memory large enough for both"
	case SomeThreads:
		return "only some threads come to the places where a barrier could stand"
	case BlocksApart:
		return "the blocks of this launch cannot wait for each other: it takes a second launch or a second array"
	case OutOfTime:
		return "there was no time to try patches"
	case NothingToEdit:
		return fmt.Sprintf("no patch of this kind applies there: %s", x.Finding.Repair.Kind)
	}
	return "the finding names no repair"
}

// mostTold is how many of the patches that did not hold are in a text; the others are counted.
const mostTold = 4

// trials writes which patches were tried. Those of a finding that another patch removes are of no interest.
func (x *Result) trials(w io.Writer) {
	told, more := 0, map[TrialCause]int{}
	for _, t := range x.Tried {
		switch {
		case t.Cause == Second:
			_, _ = visible.Fprintf(w, "    also holds: %s: %s\n", t.What, t.Why)
		case x.Outcome == Fixed || x.Outcome == Gone:
		case told < mostTold:
			told++
			_, _ = visible.Fprintf(w, "    tried: %s: %s\n", t.What, t.Why)
		default:
			more[t.Cause]++
		}
	}
	if len(more) == 0 {
		return
	}
	var parts []string
	for _, cause := range slices.Sorted(maps.Keys(more)) {
		parts = append(parts, fmt.Sprintf("%d %s", more[cause], cmp.Or(inWords[cause], string(cause))))
	}
	_, _ = visible.Fprintf(w, "    tried as well: %s\n", strings.Join(parts, ", "))
}

// inWords describes the effects of patches that did not remove a cause.
var inWords = map[TrialCause]string{
	NotCompiled:   "that do not compile",
	Stays:         "with which the finding stays",
	NewFinding:    "with which another error comes",
	Ends:          "with which the program ends early",
	NotWritten:    "with which elements are not written any more",
	ValidAccesses: "that leave out valid accesses",
	OtherResult:   "that change results",
	LessWork:      "with which the program does less",
	Unconfirmed:   "whose results nothing confirms",
	NewWarning:    "with which a warning comes",
	NotCheaper:    "that need no less",
}

// Text writes what became of each finding, with names relative to dir.
func (r *Report) Text(w io.Writer, dir string) {
	for _, x := range r.Results {
		f := x.Finding
		_, _ = visible.Fprintf(w, "%s[%s]: %s\n", f.Level, f.Rule, f.Message)
		if f.Primary.Loc.IsValid() {
			at := f.Primary.Loc.Pos
			at.File = within(dir, at.File)
			_, _ = visible.Fprintf(w, "  --> %v\n", at)
		}
		switch x.Outcome {
		case Fixed:
			_, _ = visible.Fprintf(w, "  fixed: %s\n", x.What)
		case Unproved:
			_, _ = visible.Fprintf(w, "  not fixed: findings gone, output unchanged: the program's own check still fails with the patch: %s\n", x.What)
		case Gone:
			_, _ = visible.Fprintf(w, "  gone with the patch for another finding\n")
		case Open:
			why := ""
			if x.Untried != "" {
				why = ": " + x.untried()
			}
			_, _ = visible.Fprintf(w, "  not fixed: no patch held%s\n", why)
		case Declined:
			_, _ = visible.Fprintf(w, "  not fixed: the patch was declined: %s\n", x.What)
		case Manual:
			_, _ = visible.Fprintf(w, "  not fixed: %s\n", x.untried())
		}
		if b, a := x.Before, x.After; b != nil && a != nil {
			_, _ = visible.Fprintf(w, "    cost: %d bank passes become %d, %d sectors become %d\n", b.Passes, a.Passes, b.Sectors, a.Sectors)
		}
		if x.NotTried > 0 && x.Outcome == Open {
			_, _ = visible.Fprintf(w, "    not tried for lack of time: %d patches\n", x.NotTried)
		}
		for _, c := range x.Changed {
			_, _ = visible.Fprintf(w, "    changed: %s\n", c)
		}
		x.trials(w)
		if x.Outcome != Fixed && x.Outcome != Gone {
			if f.Help != "" {
				_, _ = visible.Fprintf(w, "    help: %s\n", f.Help)
			}
		}
	}
	if b, a := r.Before, r.After; b != nil && a != nil {
		_, _ = visible.Fprintf(w, "warpgrind: before and after: %d and %d instructions of threads, %d and %d barriers, %d and %d sectors, %d and %d bank passes",
			b.Instructions, a.Instructions, b.Barriers, a.Barriers, b.Sectors, a.Sectors, b.Passes, a.Passes)
		if b.Launches != a.Launches {
			_, _ = visible.Fprintf(w, ", in %d and %d launches", b.Launches, a.Launches)
		}
		fmt.Fprintln(w)
	}
	for _, m := range r.Messages {
		_, _ = visible.Fprintf(w, "warpgrind: %s\n", m)
	}
}
