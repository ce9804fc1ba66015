package link

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// relocation makes a part's file numbers and labels of names its own.
type relocation struct {
	label string
	// file is added to the file numbers; last is the greatest that came of it.
	file, last int
}

func (r *relocation) index(n int) int {
	r.last = max(r.last, n+r.file)
	return n + r.file
}

// block changes the .loc directives of a body.
func (r *relocation) block(b *ptx.Block) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			r.block(s)
		case *ptx.Loc:
			s.File = r.index(s.File)
			if s.At != nil {
				at := *s.At // may be shared
				at.File = r.index(at.File)
				s.At = &at
			}
			if s.FuncName != "" {
				s.FuncName = r.name(s.FuncName)
			}
		}
	}
}

// name is a label's new name. The section's own name serves as one, too.
func (r *relocation) name(label string) string {
	if strings.HasPrefix(label, ".") {
		label = "$L" + label[1:]
	}
	return label + r.label
}

// section changes the labels of a .debug_str section, and gives its beginning
// one.
func (r *relocation) section(s *ptx.Section) {
	lines := []string{r.name(s.Name) + ":"}
	for _, line := range s.Lines {
		if label, rest, ok := strings.Cut(line, ":"); ok {
			line = r.name(strings.TrimSpace(label)) + ":" + rest
		}
		lines = append(lines, line)
	}
	s.Lines = lines
}
