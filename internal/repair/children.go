package repair

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Streams of device code that are not made by the program (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism").
const (
	tailLaunch    = "cudaStreamTailLaunch"
	fireAndForget = "cudaStreamFireAndForget"
)

// childrenOrdered orders what two launches in device code do, the weakest order first: the second's stream waits for an event in the
// first's, both are in one stream, or the second follows the whole grid.
func childrenOrdered(fa, fz *function, a, z *statement, oneFunction bool) (out []*Patch) {
	first, known := fa.usedStream(a, a.node)
	then, ok := fz.usedStream(z, z.node)
	if oneFunction && a != z && known && ok && first != then && first != fireAndForget && first != tailLaunch {
		if then != fireAndForget && then != tailLaunch {
			event := z.unused(fmt.Sprintf("done%d", z.file.line(z.from)))
			c := calls{text: fmt.Sprintf("cudaEvent_t %[1]s;\ncudaEventCreateWithFlags(&%[1]s, cudaEventDisableTiming);\ncudaEventRecord(%[1]s, %[2]s);\ncudaStreamWaitEvent(%[3]s, %[1]s, 0);\ncudaEventDestroy(%[1]s);",
				event, first, then)}
			c.before(z)
			out = append(out, c.patches...)
		}
		out = append(out, launchedInto(z, first)...)
	}
	return append(out, launchedInto(z, tailLaunch)...)
}

// launchedInto makes the launches of a statement in another stream.
func launchedInto(s *statement, stream string) (out []*Patch) {
	for _, l := range launchCalls(s.node) {
		config := l.Child(1)
		if n := config.Child(4); n != nil && n.Kind != "CXXDefaultArgExpr" {
			out = append(out, rewrite(s, uncastConstructor(n), stream))
			continue
		}
		last, more := config.Child(3), ", "+stream
		if last == nil || last.Kind == "CXXDefaultArgExpr" {
			last, more = config.Child(2), ", 0, "+stream
		}
		if last = uncastConstructor(last); s.text(last) == "" {
			continue
		}
		edits := []Edit{s.insert(last.End.End(), more)}
		out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("launch the kernel of line %d into %s", s.file.line(s.from), stream)})
	}
	return distinct(out)
}

// tailLaunched lets a child grid follow the whole grid that launches it.
func tailLaunched(p *Program, f *finding.Finding) []*Patch {
	if !f.Repair.Placed() {
		return nil
	}
	_, z := p.at(f.Repair.To.Pos)
	if z == nil {
		return nil
	}
	return launchedInto(z, tailLaunch)
}

// childAwaited waits for a child grid before its results are used, where the program waits for children elsewhere: not all versions of
// CUDA let device code do so.
func childAwaited(p *Program, f *finding.Finding) []*Patch {
	const wait = "cudaDeviceSynchronize"
	waits := false
	for _, fn := range p.functions {
		if onGPU(fn) {
			fn.each(func(s *statement) {
				waits = waits || len(calling(s.node, func(name string) bool { return name == wait })) > 0
			})
		}
	}
	if !waits || !f.Repair.Placed() {
		return nil
	}
	return p.insertions(&finding.Repair{Call: wait + "()", From: f.Repair.From, To: f.Repair.To})
}
