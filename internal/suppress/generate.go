package suppress

import (
	"fmt"
	"io"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Generate writes a suppression for each finding, in the form that Read takes.
func Generate(w io.Writer, fs []*finding.Finding) error {
	for _, f := range fs {
		if _, err := fmt.Fprintf(w, "%s # %s: give a reason\n", Line(f), strings.Join(strings.Fields(f.Message), " ")); err != nil {
			return err
		}
	}
	return nil
}

// Line is the suppression of one finding, without a comment.
func Line(f *finding.Finding) string {
	s := "rule=" + f.Rule
	if f.Kind != "" {
		s += " kind=" + quote(f.Kind)
	}
	if f.Kernel != "" {
		s += " kernel=" + quote(f.KernelName)
	}
	if at := f.Primary.Loc.Pos; at.IsValid() {
		s += fmt.Sprintf(" file=%s line=%d", quote(at.File), at.Line)
	}
	return s
}

func quote(s string) string {
	if strings.ContainsAny(s, " \t#") {
		return `"` + s + `"`
	}
	return s
}
