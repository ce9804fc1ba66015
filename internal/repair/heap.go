package repair

import (
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// heapFilled sets memory of malloc in device code to zero where it is allocated.
func heapFilled(p *Program, f *finding.Finding) []*Patch {
	var out []*Patch
	for _, fn := range p.functions {
		if !fn.node.Has("CUDAGlobalAttr") && !fn.node.Has("CUDADeviceAttr") {
			continue
		}
		fn.each(func(s *statement) {
			eachAllocation(s, s.node, "", func(pointer string, call *syntax.Node) {
				size := s.argument(call.Child(allocates["malloc"].size))
				if callee(call) != "malloc" || size == "" {
					return
				}
				c := calls{text: "if (" + pointer + ") memset(" + pointer + ", 0, " + size + ");"}
				c.behind(s.written())
				out = append(out, c.patches...)
			})
		})
	}
	return distinct(out)
}
