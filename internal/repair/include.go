package repair

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// headers are those that calls need.
var headers = map[string]string{finding.GridSync: "cooperative_groups.h", clusterSync: "cooperative_groups.h", atomicRef: "cuda/atomic"}

// groupsAlias is another name of the namespace of cooperative groups.
var groupsAlias = regexp.MustCompile(`(?m)^[ \t]*namespace[ \t]+(\w+)[ \t]*=[ \t]*(?:::)?cooperative_groups[ \t]*;`)

// spelled is a call as a file has those of its namespace.
func (p *Program) spelled(call, file string) string {
	f := p.file(file)
	if f != nil && f.copiesByFunction() {
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
func (f *File) copiesByFunction() bool { return bytes.Contains(f.Text, []byte("__pipeline_commit(")) }

// including lets the files of patches include what a call in them needs, where no file of the project does. Inline, where lines stay
// where they are, the compiler is told to.
func including(p *Program, call string, patches []*Patch) []*Patch {
	header := headers[call]
	if header == "" || slices.ContainsFunc(slices.Collect(maps.Values(p.files)), func(f *File) bool { return f.includes(header) }) {
		return patches
	}
	for _, patch := range patches {
		if len(patch.Edits) == 0 {
			continue
		}
		f := p.files[patch.Edits[0].File]
		at := f.firstInclude()
		patch.Edits = append([]Edit{{f.Name, at, at, fmt.Sprintf("#include <%s>\n", header)}}, patch.Edits...)
		patch.Headers = append(patch.Headers, header)
	}
	return patches
}

// includes reports whether a file has a directive that includes a header.
func (f *File) includes(header string) bool {
	return slices.ContainsFunc(f.includeLines(), func(at int) bool {
		line := f.Text[at:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		return bytes.Contains(line, []byte(header))
	})
}

// firstInclude is where another header can be included: before the first one that is, else before what the file begins with.
func (f *File) firstInclude() int {
	at := syntax.SkipBlank(f.Text, 0)
	if all := f.includeLines(); len(all) > 0 {
		at = all[0]
	}
	return f.lines[f.line(at)-1]
}

// includeLines are the places of the directives that include a file.
func (f *File) includeLines() (out []int) {
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
