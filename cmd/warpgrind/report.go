package main

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/warpgrind/warpgrind/internal/check/registry"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// target is one rendering of the report and where it goes; file "" is standard
// output. An optional one is not written where the program itself has made the file.
type target struct {
	format, file string
	optional     bool
}

// outputs are the flags that say which renderings are wanted.
type outputs struct {
	formats, files []string
	save           string
	targets        []target // set by resolve
	saves          []string // files for whole reports, set by resolve
	fullNames      bool
	limits         bool
	naming
}

func (o *outputs) flags(f *pflag.FlagSet) {
	f.StringSliceVar(&o.formats, "format", nil,
		"report `FORMAT`: "+strings.Join(report.Formats(), ", ")+"; repeat it for several, FORMAT=FILE writes to a file (default text)")
	f.StringArrayVarP(&o.files, "output", "o", nil, "write the report to `FILE`, one for each --format; - is standard output; without --format its extension selects the format (.json, .sarif, .xml, .html, .info); a directory gets the result of each run for warpgrind report --merge; %t in names is the test, %n the shard's index, %p the process, %q{NAME} a variable of the environment, %% a percent sign")
	f.StringVar(&o.save, "save", "", "also save the report with its sources to `FILE`, for warpgrind report and editors")
	f.BoolVar(&o.limits, "limits", false, "list in text the instructions that are not supported and those that are executed approximately; JSON always has the list")
	f.BoolVar(&o.fullNames, "full-names", false, "do not shorten long names of kernel templates in text")
}

// resolve pairs formats with files: FORMAT=FILE is a pair, the formats without
// a file get those of -o in turn, and an -o that is left over has the format of
// its name. At most one rendering goes to standard output.
func (o *outputs) resolve() error {
	o.targets, o.saves = nil, nil
	var files []string
	for _, f := range o.files {
		if isDirectory(f) {
			dir, err := o.file("output", f)
			if err != nil {
				return err
			}
			o.saves = append(o.saves, o.inDirectory(dir))
		} else {
			files = append(files, f)
		}
	}
	for _, f := range o.formats {
		t := target{format: f}
		if name, file, ok := strings.Cut(f, "="); ok {
			t = target{format: name, file: file}
		} else if len(files) > 0 {
			t.file, files = files[0], files[1:]
		}
		if err := report.CheckFormat(t.format); err != nil {
			return usage(fmt.Errorf("%w%s", err, didYouMean(t.format, report.Formats())))
		}
		o.targets = append(o.targets, t)
	}
	for _, file := range files {
		o.targets = append(o.targets, target{format: report.FormatOf(file), file: file})
	}
	if len(o.targets) == 0 {
		o.targets = []target{{format: "text"}}
	}
	if o.save != "" {
		o.saves = append(o.saves, o.save)
	}
	if err := o.fillIn(); err != nil {
		return err
	}
	return o.checkFiles()
}

// isDirectory reports whether a name is that of a directory, or ends like one.
func isDirectory(name string) bool {
	st, err := os.Stat(name)
	return strings.HasSuffix(name, "/") || err == nil && st.IsDir()
}

// fillIn fills in the names of files.
func (o *outputs) fillIn() error {
	for i := range o.targets {
		t := &o.targets[i]
		name, err := o.file("output", t.file)
		if err != nil {
			return err
		}
		t.file = name
	}
	if o.save != "" {
		name, err := o.file("save", o.save)
		if err != nil {
			return err
		}
		o.saves[len(o.saves)-1] = name
	}
	return nil
}

// toEngine adds what the engine that runs a test collects from it: Bazel names a file for JUnit
// and a directory for other outputs in the environment (The Test Encyclopedia).
func (o *outputs) toEngine() {
	has := func(format string) bool {
		return slices.ContainsFunc(o.targets, func(t target) bool { return t.format == format && t.file != "" })
	}
	if file := os.Getenv("XML_OUTPUT_FILE"); file != "" && !has("junit") {
		o.targets = append(o.targets, target{format: "junit", file: file, optional: true})
	}
	if dir := os.Getenv("TEST_UNDECLARED_OUTPUTS_DIR"); dir != "" {
		for _, t := range []target{{format: "html", file: "warpgrind.html"}, {format: "sarif", file: "warpgrind.sarif"}} {
			t.file = filepath.Join(dir, t.file)
			o.targets = append(o.targets, t)
		}
		o.saves = append(o.saves, filepath.Join(dir, bazelResult))
	}
}

// checkFiles refuses two renderings in one place.
func (o *outputs) checkFiles() error {
	seen := map[string]bool{}
	for i := range o.targets {
		t := &o.targets[i]
		if t.file == "-" {
			t.file = ""
		}
		if seen[t.file] {
			where := t.file
			if where == "" {
				where = "standard output; give each --format its -o FILE"
			}
			return usage(fmt.Errorf("two formats go to %s", where))
		}
		seen[t.file] = true
	}
	return nil
}

// toFile reports whether nothing goes to standard output.
func (o *outputs) toFile() bool {
	return !slices.ContainsFunc(o.targets, func(t target) bool { return t.file == "" })
}

// withCode reports whether the kernels' PTX is wanted.
func (o *outputs) withCode() bool {
	return len(o.saves) > 0 || slices.ContainsFunc(o.targets, func(t target) bool { return t.format == "html" })
}

// withCoverage reports whether there is a format that is about coverage.
func (o *outputs) withCoverage() bool {
	return slices.ContainsFunc(o.targets, func(t target) bool { return t.format == "lcov" || t.format == "cobertura" })
}

// forProgram reports whether standard output is read by a program, so that
// nothing else may be written there.
func (o *outputs) forProgram() bool {
	return slices.ContainsFunc(o.targets, func(t target) bool {
		return t.file == "" && slices.Contains([]string{"json", "sarif", "junit", "html", "lcov", "cobertura"}, t.format)
	})
}

// writeAll renders the report to every target, and saves it. What cannot be written to a file
// goes to standard error as text, once: findings are not lost.
func (c *command) writeAll(r *report.Report, out output, o report.Options) error {
	var failed []error
	shown := false
	for _, t := range out.targets {
		err := c.writeOne(r, t, out, o)
		failed = append(failed, err)
		shown = shown || t.file == "" && err == nil
	}
	if len(out.saves) > 0 {
		saved := *r
		if !saved.Merged { // whose parts brought their sources
			saved.Embed(o)
		}
		for _, file := range out.saves {
			failed = append(failed, saveReport(file, &saved, o.Dir))
		}
	}
	err := errors.Join(failed...)
	if err != nil && !shown {
		o.Color, o.Limit, o.Width = useColor(out.color, c.stderr), out.limit, textWidth(c.stderr)
		_ = report.Write(c.stderr, r, "text", o)
	}
	return err
}

// saveReport writes a whole report at once: who merges results meanwhile sees all of it or none.
func saveReport(file string, r *report.Report, dir string) error {
	if st, err := os.Stat(file); err == nil && !st.Mode().IsRegular() {
		return writeFile(file, func(w io.Writer) error { return report.JSON(w, r, dir) })
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return usage(err)
	}
	temp := fmt.Sprintf("%s.%d.tmp", file, os.Getpid())
	err := writeFile(temp, func(w io.Writer) error { return report.JSON(w, r, dir) })
	if err == nil {
		err = os.Rename(temp, file)
	}
	if err != nil {
		_ = os.Remove(temp)
	}
	return err
}

func (c *command) writeOne(r *report.Report, t target, out output, o report.Options) error {
	o.FullNames, o.Limits, o.Sanitizer = out.fullNames, out.limits, out.style
	if t.file != "" {
		if st, err := os.Stat(t.file); err == nil && t.optional && st.Size() > 0 {
			return nil
		}
		o.Limit = 0
		return writeFile(t.file, func(w io.Writer) error {
			o.Color = t.format == "text" && useColor(out.color, w)
			return report.Write(w, r, t.format, o)
		})
	}
	o.Color, o.Limit, o.Width = useColor(out.color, c.stdout), out.limit, textWidth(c.stdout)
	if err := report.Write(c.stdout, r, t.format, o); err != nil {
		return err
	}
	if file := os.Getenv("GITHUB_STEP_SUMMARY"); file != "" && t.format == "github" {
		return appendFile(file, func(w io.Writer) error { return report.JobSummary(w, r, o) })
	}
	return nil
}

func writeFile(name string, write func(io.Writer) error) error {
	f, err := userfile.Create(name)
	if err != nil {
		return usage(err)
	}
	return errors.Join(write(f), f.Close())
}

func appendFile(name string, write func(io.Writer) error) error {
	f, err := userfile.Append(name)
	if err != nil {
		return usage(err)
	}
	return errors.Join(write(f), f.Close())
}

// renderOptions are those that do not depend on the target.
func renderOptions() report.Options {
	dir, err := os.Getwd()
	if err != nil {
		dir = ""
	}
	return report.Options{Dir: dir, Root: root(), Files: &source.Files{}, Rules: documentation()}
}

// root is the root of the repository that a CI service has checked out, "" where
// there is none.
func root() string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		if dir := os.Getenv(name); dir != "" {
			return dir
		}
	}
	return ""
}

func documentation() []finding.Rule {
	var out []finding.Rule
	for _, r := range registry.All() {
		out = append(out, r.Rule)
	}
	return out
}

func (c *command) reportCommand() *cobra.Command {
	var out output
	var before string
	var merge bool
	cmd := &cobra.Command{
		Use:   "report [flags] results.json | report --merge results...",
		Short: "Render a saved report, compare two, or merge several",
		Long: `Renders a report written by --save or --format json in any format. The exit code
is that of the run. With --before it lists the findings that are new or gone
since an earlier report; the exit code is then 1 if there is a new error,
otherwise 0. With --merge it joins any number of results, or all that are in a
directory, into one report, whatever their order and however often one is
given. Shards without a result and tests that failed are named; without
findings the exit code is then not 0.`,
		Example: `  warpgrind report -o report.html results.json
  warpgrind report --before yesterday.json today.json
  warpgrind report --merge -o suite.html -o suite.sarif shard-*.json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 && !merge {
				return usage(errors.New("report takes one file, written by --save or --format json; with --merge several"))
			}
			if err := errors.Join(out.resolve(), out.failOn.parse("all")); err != nil {
				return err
			}
			return c.render(args, merge, before, out)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	out.flags(f)
	out.failOn.flag(f)
	f.BoolVar(&merge, "merge", false, "join all results that are named, or lie in directories that are named")
	f.StringVar(&before, "before", "", "compare with the earlier report `FILE`: list new findings and those that are gone")
	f.StringVar(&out.color, "color", "auto", "use colors: `WHEN` is auto, always or never")
	f.IntVar(&out.limit, "print-limit", 100, "print at most `N` findings on standard output; 0 means all")
	return cmd
}

// render reads a saved report and writes it. Its exit code is that of the run;
// compared with an earlier run, 1 if there is a new finding at error level.
func (c *command) render(files []string, merge bool, before string, out output) error {
	r, err := readResults(files, merge)
	if err != nil {
		return err
	}
	o := renderOptions()
	out.failOn.apply(r)
	c.code = r.Exit
	if before != "" {
		if o.Before, err = readReport(before); err != nil {
			return err
		}
		o.Before.Unpack(o)
		c.code = session.ExitClean
		if report.Compare(o.Before, r).NewErrors() > 0 || out.failOn.met {
			c.code = session.ExitFindings
		}
	}
	r.Unpack(o)
	return c.writeAll(r, out, o)
}

// readResults reads one report, or several and merges them. A directory means all results in
// it; without merge it is merged too.
func readResults(names []string, merge bool) (*report.Report, error) {
	var files []string
	for _, n := range names {
		st, err := os.Stat(n)
		switch {
		case err != nil:
			return nil, usage(err)
		case !st.IsDir():
			files = append(files, n)
			continue
		}
		merge = true
		in, err := resultsIn(n)
		if err != nil {
			return nil, err
		}
		files = append(files, in...)
	}
	if !merge {
		r, err := readReport(names[0])
		if err == nil && r.Merged {
			r = report.Merge([]*report.Report{r}, names, registry.Rules())
		}
		return r, err
	}
	if len(files) == 0 {
		return nil, usage(errors.New("no results to merge"))
	}
	var list []*report.Report
	for _, f := range files {
		r, err := readReport(f)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return report.Merge(list, files, registry.Rules()), nil
}

// resultsIn lists the results in a directory.
func resultsIn(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, usage(err)
	}
	var list []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".json" && !e.IsDir() {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	if len(list) == 0 {
		return nil, usage(fmt.Errorf("%s: no results (*.json) in there", dir))
	}
	return list, nil
}

// bazelResult is the name of the result among the outputs of a test that Bazel runs.
const bazelResult = "warpgrind.json"

// readReport reads a saved report, also from the archive that Bazel makes of a test's outputs.
func readReport(name string) (*report.Report, error) {
	f, err := userfile.Open(name)
	if err != nil {
		return nil, usage(err)
	}
	defer f.Close()
	text, err := reportIn(f)
	if err != nil {
		return nil, usage(&report.ReadError{Name: name, Err: err})
	}
	r, err := report.Read(text, name)
	if err != nil {
		return nil, usage(err)
	}
	return r, nil
}

// reportIn returns the text of a report: the file's, or that of bazelResult in a zip archive.
func reportIn(f *os.File) (io.Reader, error) {
	const most = 1 << 30 // bytes, which a small archive may claim to hold
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(f, st.Size())
	if err != nil { // not an archive
		return f, nil
	}
	in, err := archive.Open(bazelResult)
	if err != nil {
		return nil, fmt.Errorf("an archive without %s", bazelResult)
	}
	return io.LimitReader(in, most), nil
}
