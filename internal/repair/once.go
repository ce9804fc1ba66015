package repair

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// initializedOnce initializes an mbarrier once: before the loop around it, or not again.
func initializedOnce(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		_, s := p.at(at)
		if s == nil || s.isList() || s.outer == nil || s.node.Begin.Macro {
			continue
		}
		whole := s
		for whole.outer.outer != nil && !whole.outer.isList() && !whole.outer.isLoop() {
			whole = whole.outer
		}
		text := string(s.file.Text[whole.from:whole.to])
		for o := whole; o.outer != nil && !strings.Contains(text, "\n"); o = o.outer {
			if o.isLoop() && o.outer.isList() && o != whole {
				take := Edit{s.file.Name, whole.from, whole.to, ""}
				if !whole.outer.isList() {
					take.Text = ";"
				}
				out = append(out, &Patch{Edits: []Edit{o.insert(o.from, text+"\n"+o.indent()), whole.lines(take)}, Inline: []Edit{o.insert(o.from, text+" "), take},
					What: fmt.Sprintf("move the initialization in line %d before the loop of line %d", s.file.line(whole.from), s.file.line(o.from))})
			}
		}
		if at != f.Primary.Loc.Pos || len(f.Primary.Loc.InlinedAt) == 0 { // the call, not what all calls share
			out = append(out, removed(whole, "the initialization"))
		}
	}
	return distinct(out)
}
