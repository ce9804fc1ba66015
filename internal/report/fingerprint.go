package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// fingerprint names each finding by what it is about and not by where that
// lies: the rule, the kernel, the files' names and the text of the lines
// without white space. It stays the same when lines move, when other findings
// come and go, and in another directory. Findings that have all this in common
// are numbered.
func fingerprint(fs []*finding.Finding, files *source.Files) {
	seen := map[string]int{}
	for _, f := range fs {
		sum := sha256.Sum256([]byte(identity(f, files)))
		name := hex.EncodeToString(sum[:8])
		seen[name]++
		if n := seen[name]; n > 1 {
			name = fmt.Sprintf("%s-%d", name, n)
		}
		f.Fingerprint = name
	}
}

func identity(f *finding.Finding, files *source.Files) string {
	var of struct{ Variable string }
	decode(f.Details, &of)
	parts := []string{f.Rule, finding.Plain(f.Kernel), of.Variable}
	for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
		text := ""
		if files != nil {
			text, _ = files.Line(p.Loc.File, p.Loc.Line)
		}
		if text == "" && !p.Loc.IsValid() {
			text = p.PTX
		}
		parts = append(parts, filepath.Base(p.Loc.File), strings.Join(strings.Fields(text), ""))
	}
	if !f.Primary.Loc.IsValid() {
		parts = append(parts, f.Kind, string(f.Cause), objectName(f.Object))
	}
	return strings.Join(parts, "\x00")
}
