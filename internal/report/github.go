package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/visible"
)

// maxAnnotations is how many annotations of one level GitHub shows of a step;
// the others would be dropped without a word (GitHub Actions, "Workflow
// commands for GitHub Actions": limits of annotations).
const maxAnnotations = 10

// GitHub writes r as workflow commands of GitHub Actions, which show findings
// at their lines in a pull request, at most ten a level. The last line is the
// summary.
func GitHub(w io.Writer, r *Report, o Options) error {
	b := bufio.NewWriter(w)
	shown := map[finding.Level]int{}
	for _, f := range r.Findings {
		if shown[f.Level]++; shown[f.Level] <= maxAnnotations {
			annotate(b, relativeTo(f, o.Dir), o)
		}
	}
	for i, d := range r.Diagnostics {
		if i < maxAnnotations {
			annotateDiagnostic(b, d, o)
		}
	}
	for _, l := range []finding.Level{finding.Error, finding.Warning, finding.Info} {
		if n := shown[l] - maxAnnotations; n > 0 {
			fmt.Fprintf(b, "%d more at level %v have no annotation: see the job summary or the report\n", n, l)
		}
	}
	if r.Exit > 1 || r.Merged {
		for _, m := range r.Messages {
			fmt.Fprintf(b, "::error title=warpgrind::%s\n", visible.Data(m))
		}
	}
	fmt.Fprintf(b, "%s\n", SummaryLine(r))
	return b.Flush()
}

// annotateDiagnostic writes an error of the compiler at its line.
func annotateDiagnostic(w io.Writer, d Diagnostic, o Options) {
	at := []string{}
	if d.File != "" {
		at = append(at, "file="+visible.Property(o.fromRoot(relative(d.File, o.Dir))), fmt.Sprintf("line=%d", d.Line), fmt.Sprintf("col=%d", d.Col))
	}
	at = append(at, "title="+visible.Property("warpgrind: does not compile"))
	fmt.Fprintf(w, "::error %s::%s\n", strings.Join(at, ","), visible.Data(d.Message))
}

var githubCommand = map[finding.Level]string{finding.Error: "error", finding.Warning: "warning", finding.Info: "notice"}

func annotate(w io.Writer, f *finding.Finding, o Options) {
	var at []string
	if p := f.Primary.Loc; p.IsValid() {
		at = append(at, "file="+visible.Property(o.fromRoot(p.File)), fmt.Sprintf("line=%d", p.Line))
		if p.Col > 0 {
			at = append(at, fmt.Sprintf("col=%d", p.Col))
		}
	}
	at = append(at, "title="+visible.Property("warpgrind "+f.Rule))
	lines := []string{f.Message}
	for _, p := range f.Related {
		lines = append(lines, p.What()+" at "+lineName(&p, f.Primary.Loc.File))
	}
	lines = append(lines, names(nil).notes(f)...)
	if f.Help != "" {
		lines = append(lines, "help: "+f.Help)
	}
	fmt.Fprintf(w, "::%s %s::%s\n", githubCommand[f.Level], strings.Join(at, ","), visible.Data(strings.Join(lines, "\n")))
}

// maxRows bounds the table of a job summary, which GitHub limits to a megabyte.
const maxRows = 200

// JobSummary writes r as Markdown for the page of a job.
func JobSummary(w io.Writer, r *Report, o Options) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "### warpgrind: %s\n\n%s\n", verdict(r), SummaryLine(r))
	for _, m := range r.Messages {
		fmt.Fprintf(b, "\n> %s\n", cell(m))
	}
	if len(r.Findings) > 0 {
		b.WriteString("\n| level | rule | place | finding | fix |\n| --- | --- | --- | --- | --- |\n")
	}
	for i, f := range r.Findings {
		if i == maxRows {
			fmt.Fprintf(b, "\n%d more findings are in the report.\n", len(r.Findings)-i)
			break
		}
		f = relativeTo(f, o.Dir)
		fmt.Fprintf(b, "| %v | %s | %s | %s | %s |\n", f.Level, cell(f.Rule), cell(place(f)), cell(f.Message), cell(f.Help))
	}
	return b.Flush()
}

// verdict is the outcome in a few words.
func verdict(r *Report) string {
	s := &r.Summary
	switch n := uint64(s.Errors + s.Warnings + s.Infos); {
	case r.Exit > 1, s.MissingShards+s.MissingJobs+s.FailedTests > 0 && n == 0:
		return "the check did not complete"
	case n == 0 && len(s.leftOut()) > 0:
		return "nothing found in what was checked"
	case n == 0:
		return "clean"
	case n == 1:
		return "1 finding"
	default:
		return thousands(n) + " findings"
	}
}

// place is file and line, or the kernel.
func place(f *finding.Finding) string {
	if f.Primary.Loc.IsValid() {
		return fmt.Sprintf("%s:%d", f.Primary.Loc.File, f.Primary.Loc.Line)
	}
	return or(f.KernelName, f.Kernel)
}

// cell escapes text for a cell of a Markdown table.
func cell(s string) string {
	s = strings.Join(strings.Fields(visible.Line(s)), " ")
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`).Replace(s)
}
