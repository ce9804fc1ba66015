package suppress

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Generate writes a suppression for each finding, in the form that Read takes.
func Generate(w io.Writer, fs []*finding.Finding, files *source.Files) error {
	for _, f := range fs {
		if _, err := fmt.Fprintf(w, "%s # %s: give a reason\n", Line(f, files), strings.Join(strings.Fields(f.Message), " ")); err != nil {
			return err
		}
	}
	return nil
}

// Line is the suppression of one finding, without a comment. Where files have the source, it names the text of the lines, so that it
// holds in another copy of the program and when lines are inserted; else their numbers.
func Line(f *finding.Finding, files *source.Files) string {
	s := "rule=" + f.Rule
	if f.Kind != "" {
		s += " kind=" + quote(f.Kind)
	}
	if f.Kernel != "" {
		s += " kernel=" + quote(f.KernelName)
	}
	at := f.Primary.Loc
	if !at.IsValid() {
		return s
	}
	texts := linesOf(f, files)
	if texts == nil {
		return s + fmt.Sprintf(" file=%s line=%d", quote(at.File), at.Line)
	}
	if name := finding.DemangleName(at.Func); name != "" {
		s += " function=" + quote(name)
	}
	s += " file=" + quote(filepath.Base(at.File))
	if f.Object != nil && f.Object.Name != "" {
		s += " object=" + quote(f.Object.Name)
	}
	for _, t := range texts {
		s += " text=" + quote(t)
	}
	return s
}

// linesOf are the texts of the lines where a finding's places are, that of the first one first; nil if one of them is not known.
func linesOf(f *finding.Finding, files *source.Files) (texts []string) {
	for _, p := range places(f) {
		if !p.Loc.IsValid() {
			continue
		}
		t := lineText(files, p.Loc.Pos)
		if t == "" {
			return nil
		}
		if !slices.Contains(texts, t) {
			texts = append(texts, t)
		}
	}
	return texts
}

// lineText is a line of the source with single spaces, "" where it is not known. A backslash at its end would hide the quotation mark.
func lineText(files *source.Files, at source.Pos) string {
	if files == nil {
		return ""
	}
	line, _ := files.Line(at.File, at.Line)
	return normal(line)
}

func normal(line string) string {
	return strings.TrimRight(strings.Join(strings.Fields(line), " "), "\\ ")
}

func quote(s string) string {
	if strings.ContainsAny(s, " \t#\"") {
		return `"` + strings.ReplaceAll(s, `"`, `\"`) + `"`
	}
	return s
}
