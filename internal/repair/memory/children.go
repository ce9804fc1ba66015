package memory

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/order"
)

// Streams of device code that are not made by the program (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism").
const (
	tailLaunch    = "cudaStreamTailLaunch"
	fireAndForget = "cudaStreamFireAndForget"
)

// childrenOrdered orders what two launches in device code do, the weakest order first: the second's stream waits for an event in the
// first's, both are in one stream, or the second follows the whole grid.
func childrenOrdered(fa, fz *code.Function, a, z *code.Statement, oneFunction bool) (out []*code.Patch) {
	first, known := streamUsed(fa, a, a.Node)
	then, ok := streamUsed(fz, z, z.Node)
	if oneFunction && a != z && known && ok && first != then && first != fireAndForget && first != tailLaunch {
		if then != fireAndForget && then != tailLaunch {
			event := z.Unused(fmt.Sprintf("done%d", z.File.Line(z.From)))
			c := code.Calls{Text: fmt.Sprintf("cudaEvent_t %[1]s;\ncudaEventCreateWithFlags(&%[1]s, cudaEventDisableTiming);\ncudaEventRecord(%[1]s, %[2]s);\ncudaStreamWaitEvent(%[3]s, %[1]s, 0);\ncudaEventDestroy(%[1]s);",
				event, first, then)}
			c.Before(z)
			out = append(out, c.Patches...)
		}
		out = append(out, launchedInto(z, first)...)
	}
	return append(out, launchedInto(z, tailLaunch)...)
}

// launchedInto makes the launches of a statement in another stream.
func launchedInto(s *code.Statement, stream string) (out []*code.Patch) {
	for _, l := range code.LaunchCalls(s.Node) {
		config := l.Child(1)
		if n := config.Child(4); n != nil && n.Kind != "CXXDefaultArgExpr" {
			out = append(out, code.Rewrite(s, code.UncastConstructor(n), stream))
			continue
		}
		last, more := config.Child(3), ", "+stream
		if last == nil || last.Kind == "CXXDefaultArgExpr" {
			last, more = config.Child(2), ", 0, "+stream
		}
		if last = code.UncastConstructor(last); s.Text(last) == "" {
			continue
		}
		edits := []code.Edit{s.Insert(last.End.End(), more)}
		out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("launch the kernel of line %d into %s", s.File.Line(s.From), stream)})
	}
	return code.Distinct(out)
}

// LaunchInTail lets a child grid follow the whole grid that launches it.
func LaunchInTail(p *code.Program, f *finding.Finding) []*code.Patch {
	if !f.Repair.Placed() {
		return nil
	}
	_, z := p.At(f.Repair.To.Pos)
	if z == nil {
		return nil
	}
	return launchedInto(z, tailLaunch)
}

// AwaitChild waits for a child grid before its results are used, where the program waits for children elsewhere: not all versions of
// CUDA let device code do so.
func AwaitChild(p *code.Program, f *finding.Finding) []*code.Patch {
	const wait = "cudaDeviceSynchronize"
	waits := false
	for _, fn := range p.Functions {
		if code.OnGPU(fn) {
			fn.Each(func(s *code.Statement) {
				waits = waits || len(code.Calling(s.Node, func(name string) bool { return name == wait })) > 0
			})
		}
	}
	if !waits || !f.Repair.Placed() {
		return nil
	}
	return order.InsertCall(p, &finding.Repair{Call: wait + "()", From: f.Repair.From, To: f.Repair.To})
}
