package memory

import (
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// FillHeap sets memory of malloc in device code to zero where it is allocated.
func FillHeap(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, fn := range p.Functions {
		if !fn.Node.Has("CUDAGlobalAttr") && !fn.Node.Has("CUDADeviceAttr") {
			continue
		}
		fn.Each(func(s *code.Statement) {
			eachAllocation(s, s.Node, "", func(pointer string, call *syntax.Node) {
				size := s.Argument(call.Child(allocates["malloc"].size))
				if code.Callee(call) != "malloc" || size == "" {
					return
				}
				c := code.Calls{Text: "if (" + pointer + ") memset(" + pointer + ", 0, " + size + ");"}
				c.Behind(s.Written())
				out = append(out, c.Patches...)
			})
		})
	}
	return code.Distinct(out)
}
