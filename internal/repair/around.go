package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/source"
)

// between are the calls that may order two accesses, by the repair of a finding that has no place or
// whose place holds no call: the weakest first.
var between = map[finding.RepairKind][]string{
	"syncthreads":          {finding.Syncthreads},
	"syncwarp":             {finding.Syncwarp, finding.Syncthreads},
	"fence":                {blockFence, "__threadfence()", "__threadfence_system()", finding.Syncthreads},
	"split-branch":         {finding.Syncthreads},
	"atomic":               {finding.Syncthreads},
	"counted-barrier":      {finding.Syncthreads},
	"lock":                 {finding.Syncthreads},
	"cluster-barrier":      {clusterSync},
	"split-kernel":         {finding.GridSync},
	"wait":                 {waitAll, waitAll + ";\n" + finding.Syncthreads},
	"wait-there":           {waitAll, waitAll + ";\n" + finding.Syncthreads},
	"wait-for-all":         {waitAll + ";\n" + finding.Syncthreads, finding.Syncthreads},
	"grid-wait":            {"cudaGridDependencySynchronize()"},
	"fence-registers":      {`asm volatile("wgmma.fence.sync.aligned;" ::: "memory")`},
	"wait-for-product":     {`asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")`, `asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory")`},
	"wait-for-tensor-load": {`asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory")`},
	"proxy-fence":          {`asm volatile("fence.proxy.async;" ::: "memory")`},
	"tensor-fence":         {fenceAfter, fenceBefore},
}

// blockFence is the weakest fence.
const blockFence = "__threadfence_block()"

// clusterSync is a barrier of the cluster (CUDA C++ Programming Guide, "Cluster Group").
const clusterSync = finding.ClusterSync

// The fences of tensor memory (PTX ISA, "tcgen05.fence").
const (
	fenceBefore = `asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory")`
	fenceAfter  = `asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory")`
)

// waitProduct waits for the tensor products that the thread has issued, by an mbarrier of its own (PTX ISA, "tcgen05.commit").
const waitProduct = "{\n    __shared__ unsigned long long committed;\n    unsigned at_committed = (unsigned)__cvta_generic_to_shared(&committed);\n    " +
	`asm volatile("mbarrier.init.shared::cta.b64 [%0], 1; fence.mbarrier_init.release.cluster; ` +
	`tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%0]; ` +
	`{ .reg .pred p; W: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra W; } mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at_committed) : "memory");` + "\n}"

// inShort names the calls that take several statements.
var inShort = map[string]string{waitProduct: "a wait for the tensor products, by an mbarrier of its own,"}

// waitAll waits for the thread's asynchronous copies (PTX ISA, "cp.async.wait_all").
const waitAll = `asm volatile("cp.async.wait_all;" ::: "memory")`

// ownWaits are waits for the asynchronous operations that a program's inline assembly has: loads from tensor memory and stores to it,
// products, bulk copies (PTX ISA, "tcgen05.wait", "tcgen05.commit", "wgmma.wait_group", "cp.async.bulk.wait_group").
var ownWaits = []struct {
	has   func(in *ptx.Inline) bool
	calls []string
}{
	{func(in *ptx.Inline) bool { return in.Kind() == inst.TensorProduct }, []string{waitProduct}},
	{func(in *ptx.Inline) bool { return in.Kind() == inst.BulkCopy || in.Kind() == inst.BulkReduce },
		[]string{`asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")`, `asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory")`}},
	{func(in *ptx.Inline) bool { return in.Desc != nil && in.Desc.Class == isa.Tensor5 },
		[]string{`asm volatile("tcgen05.wait::st.sync.aligned;" ::: "memory")`, `asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory")`}},
	{func(in *ptx.Inline) bool { return in.Kind() == inst.ProductAsync },
		[]string{`asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")`, `asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory")`}},
}

// waits are the calls between two accesses of a kind of repair, those for the program's own operations first.
func (p *Program) waits(kind finding.RepairKind) (out []string) {
	if kind == "wait" || kind == "wait-there" || kind == "wait-for-all" {
		instructions := instructionsOf(p)
		for _, w := range ownWaits {
			if slices.ContainsFunc(instructions, w.has) {
				out = append(out, w.calls...)
			}
		}
	}
	return append(out, between[kind]...)
}

// instructionsOf are those of the program's inline assembly.
func instructionsOf(p *Program) (out []*ptx.Inline) {
	for _, fn := range p.functions {
		for _, a := range assembliesIn(fn.body) {
			for i := range a.instructions {
				out = append(out, &a.instructions[i])
			}
		}
	}
	return out
}

// around adds a call between the accesses of a finding, wherever one can come after the other.
func (p *Program) around(f *finding.Finding) []*Patch {
	a, z := f.Primary.Loc.Pos, f.Primary.Loc.Pos
	if len(f.Related) > 0 {
		a = f.Related[0].Loc.Pos
	}
	if f.Repair.Placed() {
		a, z = f.Repair.From.Pos, f.Repair.To.Pos
	}
	pairs := [][2]source.Pos{{a, z}, {z, a}}
	if !f.Repair.Placed() && len(f.Related) > 0 { // where the functions are called that make the accesses
		if a, z := called(f.Related[0]), called(f.Primary); a != f.Related[0].Loc.Pos || z != f.Primary.Loc.Pos {
			pairs = append(pairs, [2]source.Pos{a, z}, [2]source.Pos{z, a})
		}
	}
	var ordered, out []*Patch
	for _, call := range p.waits(f.Repair.Kind) {
		for _, ends := range pairs {
			from, to := finding.Point{Pos: ends[0]}, finding.Point{Pos: ends[1]}
			call := p.spelled(call, ends[0].File)
			r := finding.Repair{Call: call, From: &from, To: &to}
			all := p.insertions(&r)
			made, split := first(4, p.converged(slices.Clone(all))), p.split(&r)
			if len(made) == 0 {
				made = first(1, all) // which tells why there is none
			}
			switch {
			case ofRegisters[f.Repair.Kind]: // which compilers write earlier than the statement ends
				made = append(p.beside(f.Primary.Loc.Pos, call), made...)
			case strings.HasPrefix(call, finding.Syncwarp):
				made = append(made, split...)
			case f.Repair.Kind == "counted-barrier": // each branch would need one
				ordered = append(ordered, writesFirst(p, f, &r)...)
				made = append(split, made...)
			case ends[0].Line == ends[1].Line: // of one statement the value comes before the barrier
				made = slices.Concat(split, inBranches(p, &r), made)
			default: // all threads have to come to it
				made = slices.Concat(split, made, inBranches(p, &r))
			}
			out = append(out, including(p, call, made)...)
		}
	}
	return distinct(append(ordered, out...))
}

// ofRegisters are the kinds of repair for accesses to registers that an asynchronous operation uses.
var ofRegisters = map[finding.RepairKind]bool{"fence-registers": true, "wait-for-product": true}

// called is where the kernel calls the function that an access is in; for one of the kernel's own its place.
func called(at finding.Place) source.Pos {
	if n := len(at.Loc.InlinedAt); n > 0 {
		return at.Loc.InlinedAt[n-1]
	}
	return at.Loc.Pos
}

// distinct are patches without those that make the same edits as one before.
func distinct(ps []*Patch) (out []*Patch) {
	for _, p := range ps {
		if p == nil {
			continue
		}
		same := false
		for _, o := range out {
			same = same || p.Same(o)
		}
		if !same {
			out = append(out, p)
		}
	}
	return out
}

// split ends the branch around two statements between them, adds a call and continues the branch:
// a barrier that all threads of the block come to.
func (p *Program) split(r *finding.Repair) []*Patch {
	_, from := p.at(r.From.Pos)
	_, to := p.at(r.To.Pos)
	if from == nil || to == nil {
		return nil
	}
	a, b, common := fork(from, to)
	if common < 2 || common >= len(a) || common >= len(b) || a[common].from >= b[common].from {
		return nil
	}
	list, branch := a[common-1], a[common-2]
	if !list.isList() || branch.node.Kind != "IfStmt" || branch.node.Else || len(branch.node.Inner) != 2 {
		return nil
	}
	condition := branch.text(branch.node.Child(0))
	declared, hoisted, ok := outlived(list, b[common])
	if condition == "" || !ok {
		return nil
	}
	s, indent := b[common], "\n"+branch.indent()
	line, begin := s.file.lines[s.file.line(s.from)-1], branch.indent()
	if strings.TrimSpace(string(s.file.Text[line:s.from])) != "" {
		line, begin = s.from, indent
	}
	parts := slices.Concat([]string{"}"}, callLines(r.Call), []string{"if (" + condition + ") {"})
	before := func(sep string) []Edit {
		if declared == nil {
			return nil
		}
		return append([]Edit{s.insert(branch.from, strings.Join(declared, sep)+sep)}, hoisted...)
	}
	return []*Patch{{
		Edits:  append(before(indent), s.insert(line, begin+strings.Join(parts, indent)+"\n")),
		Inline: append(before(" "), s.insert(s.from, strings.Join(parts, " ")+" ")),
		What:   fmt.Sprintf("end the branch before line %d, add %s, and continue it", s.file.line(s.from), inOneLine(r.Call)),
	}}
}

// widened lets the atomic functions and fences of a statement be those of the device instead of
// those of the block (CUDA C++ Programming Guide, "Atomic Functions", "Memory Fence Functions").
func (p *Program) widened(f *finding.Finding) []*Patch {
	var out []*Patch
	for _, at := range places(f) {
		fn, s := p.at(at.Loc.Pos)
		if s == nil {
			continue
		}
		own := s.narrow(s.node)
		out = append(out, own...)
		if len(own) == 0 { // what synchronizes is another statement
			out = append(out, fn.body.narrow(fn.body.node)...)
		}
	}
	if out = distinct(out); len(out) > 1 { // both sides
		out = append([]*Patch{Join(out...)}, out...)
	}
	var all []*Patch // what else the functions do in that scope
	for _, fn := range p.functionsOf(f) {
		all = append(all, fn.body.narrow(fn.body.node)...)
	}
	if all = distinct(all); len(all) > 1 {
		out = slices.Insert(out, min(1, len(out)), Join(all...))
	}
	out = append(out, rescoped(p, "thread_scope_device", "thread_scope_block", "thread_scope_thread")...)
	out = append(out, slices.Concat(rescoped(p, "scope_cluster", "scope_cta"), rescoped(p, "scope_gpu", "scope_cta", "scope_cluster"))...)
	out = append(out, forSystem(p, f)...)
	return distinct(append(out, rescoped(p, "thread_scope_system", "thread_scope_device", "thread_scope_block", "thread_scope_thread")...))
}

// narrow are patches that rename the calls of functions with the scope of a block.
func (s *statement) narrow(n *syntax.Node) (out []*Patch) {
	if n == nil {
		return nil
	}
	if n.Kind == "CallExpr" {
		name := callee(n)
		at := stripped(n.Child(0))
		if wide, ok := strings.CutSuffix(name, "_block"); ok && s.text(at) == name {
			edits := []Edit{{s.file.Name, at.Begin.Off, at.End.End(), wide}}
			out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("use %s in line %d", wide, s.file.line(at.Begin.Off))})
		}
	}
	for _, c := range n.Inner {
		out = append(out, s.narrow(c)...)
	}
	return out
}

// strengthened makes the accesses of a finding volatile.
func (p *Program) strengthened(f *finding.Finding) []*Patch {
	var at []source.Pos
	for _, place := range places(f) {
		at = append(at, place.Loc.Pos)
	}
	each := p.volatileAt(at...)
	if len(each) < 2 {
		return each
	}
	return append(each, Join(each...))
}

// volatileAt makes the accesses at some places volatile.
func (p *Program) volatileAt(places ...source.Pos) (each []*Patch) {
	for _, at := range places {
		_, s, off := p.place(at)
		if s == nil {
			continue
		}
		if n := s.object(s.node, off); n != nil {
			text := s.text(n)
			if text == "" || strings.HasPrefix(n.Desugared, "volatile ") {
				continue
			}
			edits := []Edit{{s.file.Name, n.Begin.Off, n.End.End(), fmt.Sprintf("*(volatile %s *)&%s", n.Desugared, text)}}
			each = append(each, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("make the access to %s in line %d volatile", text, s.file.line(n.Begin.Off))})
		}
	}
	return distinct(each)
}

// object is the object in memory that an expression accesses at an offset: the first one, where
// none is there.
func (s *statement) object(n *syntax.Node, off int) *syntax.Node {
	var first, found *syntax.Node
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Category == "lvalue" && !n.Begin.Macro && arithmetic[n.Desugared] &&
			(n.Kind == "ArraySubscriptExpr" || n.Kind == "MemberExpr" || n.Kind == "UnaryOperator" && n.Opcode == "*" || n.Kind == "DeclRefExpr" && n.Ref != nil && n.Ref.Kind == "VarDecl") {
			if first == nil {
				first = n
			}
			if n.Begin.Off <= off && off < n.End.End() && found == nil {
				found = n
			}
		}
		for _, c := range n.Inner {
			visit(c)
		}
	}
	visit(n)
	if found != nil {
		return found
	}
	return first
}

// postfix are the expressions that bind what they begin with more than an operator before it does.
var postfix = map[string]bool{"MemberExpr": true, "ArraySubscriptExpr": true}

// coherent lets the reads of a finding not take the read-only path: a plain read for __ldg, or a volatile one.
func (p *Program) coherent(f *finding.Finding) []*Patch {
	var out []*Patch
	for _, at := range places(f) {
		_, s := p.at(at.Loc.Pos)
		if s == nil {
			continue
		}
		var visit func(n, parent *syntax.Node)
		visit = func(n, parent *syntax.Node) {
			if n == nil {
				return
			}
			if n.Kind == "CallExpr" && callee(n) == "__ldg" && s.text(n) != "" {
				if address := s.text(n.Child(1)); address != "" {
					object := "*(" + address + ")"
					if parent != nil && postfix[parent.Kind] {
						object = "(" + object + ")"
					}
					edits := []Edit{{s.file.Name, n.Begin.Off, n.End.End(), object}}
					out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("read *(%s) without __ldg in line %d", address, s.file.line(n.Begin.Off))})
				}
			}
			if n.Kind != "MaterializeTemporaryExpr" && n.Kind != "ImplicitCastExpr" {
				parent = n
			}
			for _, c := range n.Inner {
				visit(c, parent)
			}
		}
		visit(s.node, nil)
	}
	return append(distinct(out), p.strengthened(f)...)
}
