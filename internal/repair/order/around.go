package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Between are the calls that may order two accesses, by the repair of a finding that has no place or
// whose place holds no call: the weakest first.
var Between = map[finding.RepairKind][]string{
	finding.AddBarrier:     {finding.Syncthreads},
	finding.AddSyncwarp:    {finding.Syncwarp, finding.Syncthreads},
	finding.AddFence:       {BlockFence, "__threadfence()", "__threadfence_system()", finding.Syncthreads},
	finding.SplitBranch:    {finding.Syncthreads},
	finding.MakeAtomic:     {finding.Syncthreads},
	finding.CountedBarrier: {finding.Syncthreads},
	finding.TakeLock:       {finding.Syncthreads},
	finding.ClusterBarrier: {clusterSync},
	finding.SplitKernel:    {finding.GridSync},
	finding.WaitForCopy:    {waitAll, waitAll + ";\n" + finding.Syncthreads},
	finding.WaitThere:      {waitAll, waitAll + ";\n" + finding.Syncthreads},
	finding.WaitForAll:     {waitAll + ";\n" + finding.Syncthreads, finding.Syncthreads},
	finding.GridWait:       {"cudaGridDependencySynchronize()"},
	finding.FenceRegisters: {`asm volatile("wgmma.fence.sync.aligned;" ::: "memory")`},
	finding.WaitForProduct: {`asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory")`, `asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory")`},
	finding.WaitForTensor:  {`asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory")`},
	finding.AddProxyFence:  {`asm volatile("fence.proxy.async;" ::: "memory")`},
	finding.AddTensorFence: {fenceAfter, fenceBefore},
}

// BlockFence is the weakest fence.
const BlockFence = "__threadfence_block()"

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

// waitCalls are the calls between two accesses of a kind of repair, those for the program's own operations first.
func waitCalls(p *code.Program, kind finding.RepairKind) (out []string) {
	if kind == finding.WaitForCopy || kind == finding.WaitThere || kind == finding.WaitForAll {
		instructions := instructionsOf(p)
		for _, w := range ownWaits {
			if slices.ContainsFunc(instructions, w.has) {
				out = append(out, w.calls...)
			}
		}
	}
	return append(out, Between[kind]...)
}

// instructionsOf are those of the program's inline assembly.
func instructionsOf(p *code.Program) (out []*ptx.Inline) {
	for _, fn := range p.Functions {
		for _, a := range code.AssembliesIn(fn.Body) {
			for i := range a.Instructions {
				out = append(out, &a.Instructions[i])
			}
		}
	}
	return out
}

// CallAround adds a call between the accesses of a finding, wherever one can come after the other.
func CallAround(p *code.Program, f *finding.Finding) []*code.Patch {
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
	var ordered, out []*code.Patch
	for _, call := range waitCalls(p, f.Repair.Kind) {
		for _, ends := range pairs {
			from, to := finding.Point{Pos: ends[0]}, finding.Point{Pos: ends[1]}
			call := spellCall(p, call, ends[0].File)
			r := finding.Repair{Call: call, From: &from, To: &to}
			all := InsertCall(p, &r)
			made, split := code.First(4, KeepConverged(p, slices.Clone(all))), splitBranch(p, &r)
			if len(made) == 0 {
				made = code.First(1, all) // which tells why there is none
			}
			switch {
			case ofRegisters[f.Repair.Kind]: // which compilers write earlier than the statement ends
				made = append(CallBeside(p, f.Primary.Loc.Pos, call), made...)
			case strings.HasPrefix(call, finding.Syncwarp):
				made = append(made, split...)
			case f.Repair.Kind == finding.CountedBarrier: // each branch would need one
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
	return code.Distinct(append(ordered, out...))
}

// ofRegisters are the kinds of repair for accesses to registers that an asynchronous operation uses.
var ofRegisters = map[finding.RepairKind]bool{finding.FenceRegisters: true, finding.WaitForProduct: true}

// called is where the kernel calls the function that an access is in; for one of the kernel's own its place.
func called(at finding.Place) source.Pos {
	if n := len(at.Loc.InlinedAt); n > 0 {
		return at.Loc.InlinedAt[n-1]
	}
	return at.Loc.Pos
}

// splitBranch ends the branch around two statements between them, adds a call and continues the branch:
// a barrier that all threads of the block come to.
func splitBranch(p *code.Program, r *finding.Repair) []*code.Patch {
	_, from := p.At(r.From.Pos)
	_, to := p.At(r.To.Pos)
	if from == nil || to == nil {
		return nil
	}
	a, b, common := code.Fork(from, to)
	if common < 2 || common >= len(a) || common >= len(b) || a[common].From >= b[common].From {
		return nil
	}
	list, branch := a[common-1], a[common-2]
	if !list.IsList() || branch.Node.Kind != "IfStmt" || branch.Node.Else || len(branch.Node.Inner) != 2 {
		return nil
	}
	condition := branch.Text(branch.Node.Child(0))
	declared, hoisted, ok := outlived(list, b[common])
	if condition == "" || !ok {
		return nil
	}
	s, indent := b[common], "\n"+branch.Indent()
	line, begin := s.File.Lines[s.File.Line(s.From)-1], branch.Indent()
	if strings.TrimSpace(string(s.File.Text[line:s.From])) != "" {
		line, begin = s.From, indent
	}
	parts := slices.Concat([]string{"}"}, code.CallLines(r.Call), []string{"if (" + condition + ") {"})
	before := func(sep string) []code.Edit {
		if declared == nil {
			return nil
		}
		return append([]code.Edit{s.Insert(branch.From, strings.Join(declared, sep)+sep)}, hoisted...)
	}
	return []*code.Patch{{
		Edits:  append(before(indent), s.Insert(line, begin+strings.Join(parts, indent)+"\n")),
		Inline: append(before(" "), s.Insert(s.From, strings.Join(parts, " ")+" ")),
		What:   fmt.Sprintf("end the branch before line %d, add %s, and continue it", s.File.Line(s.From), code.InOneLine(r.Call)),
	}}
}

// WidenScopes lets the atomic functions and fences of a statement be those of the device instead of
// those of the block (CUDA C++ Programming Guide, "Atomic Functions", "Memory Fence Functions").
func WidenScopes(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, at := range code.Places(f) {
		fn, s := p.At(at.Loc.Pos)
		if s == nil {
			continue
		}
		own := widenBlockScope(s, s.Node)
		out = append(out, own...)
		if len(own) == 0 { // what synchronizes is another statement
			out = append(out, widenBlockScope(fn.Body, fn.Body.Node)...)
		}
	}
	if out = code.Distinct(out); len(out) > 1 { // both sides
		out = append([]*code.Patch{code.Join(out...)}, out...)
	}
	var all []*code.Patch // what else the functions do in that scope
	for _, fn := range code.FunctionsOf(p, f) {
		all = append(all, widenBlockScope(fn.Body, fn.Body.Node)...)
	}
	if all = code.Distinct(all); len(all) > 1 {
		out = slices.Insert(out, min(1, len(out)), code.Join(all...))
	}
	out = append(out, Rescope(p, "thread_scope_device", "thread_scope_block", "thread_scope_thread")...)
	out = append(out, slices.Concat(Rescope(p, "scope_cluster", "scope_cta"), Rescope(p, "scope_gpu", "scope_cta", "scope_cluster"))...)
	out = append(out, forSystem(p, f)...)
	return code.Distinct(append(out, Rescope(p, "thread_scope_system", "thread_scope_device", "thread_scope_block", "thread_scope_thread")...))
}

// widenBlockScope are patches that rename the calls of functions with the scope of a block.
func widenBlockScope(s *code.Statement, n *syntax.Node) (out []*code.Patch) {
	if n == nil {
		return nil
	}
	if n.Kind == "CallExpr" {
		name := code.Callee(n)
		at := code.Stripped(n.Child(0))
		if wide, ok := strings.CutSuffix(name, "_block"); ok && s.Text(at) == name {
			edits := []code.Edit{s.File.Replace(at.Begin.Off, at.End.End(), wide)}
			out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("use %s in line %d", wide, s.File.Line(at.Begin.Off))})
		}
	}
	for _, c := range n.Inner {
		out = append(out, widenBlockScope(s, c)...)
	}
	return out
}

// MakeVolatile makes the accesses of a finding volatile.
func MakeVolatile(p *code.Program, f *finding.Finding) []*code.Patch {
	var at []source.Pos
	for _, place := range code.Places(f) {
		at = append(at, place.Loc.Pos)
	}
	each := makeVolatileAt(p, at...)
	if len(each) < 2 {
		return each
	}
	return append(each, code.Join(each...))
}

// makeVolatileAt makes the accesses at some places volatile.
func makeVolatileAt(p *code.Program, places ...source.Pos) (each []*code.Patch) {
	for _, at := range places {
		_, s, off := p.Place(at)
		if s == nil {
			continue
		}
		if n := objectAt(s, s.Node, off); n != nil {
			text := s.Text(n)
			if text == "" || strings.HasPrefix(n.Desugared, "volatile ") {
				continue
			}
			edits := []code.Edit{s.File.Replace(n.Begin.Off, n.End.End(), fmt.Sprintf("*(volatile %s *)&%s", n.Desugared, text))}
			each = append(each, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("make the access to %s in line %d volatile", text, s.File.Line(n.Begin.Off))})
		}
	}
	return code.Distinct(each)
}

// objectAt is the object in memory that an expression accesses at an offset: the first one, where
// none is there.
func objectAt(s *code.Statement, n *syntax.Node, off int) *syntax.Node {
	var first, found *syntax.Node
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Category == "lvalue" && !n.Begin.Macro && code.Arithmetic[n.Desugared] &&
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

// ReadCoherently lets the reads of a finding not take the read-only path: a plain read for __ldg, or a volatile one.
func ReadCoherently(p *code.Program, f *finding.Finding) []*code.Patch {
	var out []*code.Patch
	for _, at := range code.Places(f) {
		_, s := p.At(at.Loc.Pos)
		if s == nil {
			continue
		}
		var visit func(n, parent *syntax.Node)
		visit = func(n, parent *syntax.Node) {
			if n == nil {
				return
			}
			if n.Kind == "CallExpr" && code.Callee(n) == "__ldg" && s.Text(n) != "" {
				if address := s.Text(n.Child(1)); address != "" {
					object := "*(" + address + ")"
					if parent != nil && postfix[parent.Kind] {
						object = "(" + object + ")"
					}
					edits := []code.Edit{s.File.Replace(n.Begin.Off, n.End.End(), object)}
					out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("read *(%s) without __ldg in line %d", address, s.File.Line(n.Begin.Off))})
				}
			}
			if n.Kind != "MaterializeTemporaryExpr" && n.Kind != "ImplicitCastExpr" {
				parent = n
			}
			for _, c := range n.Inner {
				visit(c, parent)
			}
		}
		visit(s.Node, nil)
	}
	return append(code.Distinct(out), MakeVolatile(p, f)...)
}
