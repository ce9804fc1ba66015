package repair

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/source"
)

// mbarriersMade initializes the mbarriers that can be named where one is used that is none: by the block's first thread, for one arrival
// or for one of each thread, before all others come there.
func mbarriersMade(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		fn, s := p.at(at)
		if s == nil {
			continue
		}
		for _, v := range fn.visible(s) {
			if !v.Has("CUDASharedAttr") || v.Desugared != "unsigned long" && v.Desugared != "unsigned long long" {
				continue
			}
			d, declared := fn.body.declaration(v.Name)
			if declared == nil || declared.ID != v.ID {
				continue
			}
			for _, count := range []string{"1", "blockDim.x"} {
				c := calls{text: fmt.Sprintf(`if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%%0], %%1;" ::"r"((unsigned)__cvta_generic_to_shared(&%s)), "r"(%s) : "memory");`, v.Name, count) +
					"\n" + finding.Syncthreads + ";"}
				c.behind(d)
				out = append(out, c.patches...)
			}
		}
	}
	return distinct(out)
}

// registersSet initializes the variables that a statement's inline assembly, or a function that it calls, reads.
func registersSet(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		fn, s := p.at(at)
		if s == nil || s.isList() {
			continue
		}
		var visit func(n *syntax.Node)
		visit = func(n *syntax.Node) {
			if n == nil {
				return
			}
			if n.Ref != nil && n.Ref.Kind == "VarDecl" {
				if d, v := fn.body.declaration(n.Ref.Name); v != nil && v.ID == n.Ref.ID && !v.Has("CUDASharedAttr") {
					out = append(out, d.initializer(v)...)
				}
			}
			for _, c := range n.Inner {
				visit(c)
			}
		}
		visit(s.node)
	}
	return distinct(out)
}

// wholeWarpgroups launches a kernel with blocks of whole warpgroups.
func wholeWarpgroups(p *Program, f *finding.Finding) (out []*Patch) {
	for _, fn := range p.functions {
		for _, l := range fn.launches(f.KernelName) {
			for _, config := range configurations(l.node) {
				block := stripped(config.Child(2))
				if text := l.text(block); text != "" {
					out = append(out, rewrite(l, block, "("+text+" + 127) / 128 * 128"))
				}
			}
		}
	}
	return distinct(out)
}
