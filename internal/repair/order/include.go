package order

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// headers are those that calls need.
var headers = map[string]string{finding.GridSync: "cooperative_groups.h", clusterSync: "cooperative_groups.h", atomicRef: "cuda/atomic"}

// groupsAlias is another name of the namespace of cooperative groups.
var groupsAlias = regexp.MustCompile(`(?m)^[ \t]*namespace[ \t]+(\w+)[ \t]*=[ \t]*(?:::)?cooperative_groups[ \t]*;`)

// spellCall is a call as a file has those of its namespace.
func spellCall(p *code.Program, call, file string) string {
	f := p.File(file)
	if f != nil && copiesByFunction(f) {
		call = strings.ReplaceAll(call, waitAll, "__pipeline_wait_prior(0)")
	}
	rest, ok := strings.CutPrefix(call, "cooperative_groups::")
	if ok && f != nil {
		if m := groupsAlias.FindSubmatch(f.Text); m != nil {
			return string(m[1]) + "::" + rest
		}
	}
	return call
}

// copiesByFunction reports whether a file makes its groups of asynchronous copies by the functions of cuda_pipeline.h.
func copiesByFunction(f *code.File) bool { return bytes.Contains(f.Text, []byte("__pipeline_commit(")) }

// including lets the files of patches include what a call in them needs, where no file of the project does. Inline, where lines stay
// where they are, the compiler is told to.
func including(p *code.Program, call string, patches []*code.Patch) []*code.Patch {
	header := headers[call]
	if header == "" || slices.ContainsFunc(slices.Collect(maps.Values(p.Files)), func(f *code.File) bool { return isIncluded(f, header) }) {
		return patches
	}
	for _, patch := range patches {
		if len(patch.Edits) == 0 {
			continue
		}
		f := p.Files[patch.Edits[0].File]
		at := firstIncludeOf(f)
		patch.Edits = append([]code.Edit{f.Replace(at, at, fmt.Sprintf("#include <%s>\n", header))}, patch.Edits...)
		patch.Headers = append(patch.Headers, header)
	}
	return patches
}

// isIncluded reports whether a file has a directive that includes a header.
func isIncluded(f *code.File, header string) bool {
	return slices.ContainsFunc(includeLinesOf(f), func(at int) bool {
		line := f.Text[at:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		return bytes.Contains(line, []byte(header))
	})
}

// firstIncludeOf is where another header can be included: before the first one that is, else before what the file begins with.
func firstIncludeOf(f *code.File) int {
	at := syntax.SkipBlank(f.Text, 0)
	if all := includeLinesOf(f); len(all) > 0 {
		at = all[0]
	}
	return f.Lines[f.Line(at)-1]
}

// includeLinesOf are the places of the directives that include a file.
func includeLinesOf(f *code.File) (out []int) {
	text := f.Text
	for i := syntax.SkipBlank(text, 0); i < len(text); i = syntax.SkipBlank(text, syntax.SkipToken(text, i)) {
		if text[i] != '#' {
			continue
		}
		if word := syntax.SkipBlank(text, i+1); syntax.WordAt(text, word) == "include" {
			out = append(out, i)
		}
	}
	return out
}
