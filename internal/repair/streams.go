package repair

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// streamType is what cudaStream_t and CUstream name, as clang prints it.
const streamType = "struct CUstream_st *"

// ordered waits for the first of two pieces of work before the second begins, the weakest wait first: the
// second's stream for an event in the first's, the host for the first's stream, and the host for the device.
func (p *Program) ordered(f *finding.Finding) []*Patch {
	if !f.Repair.Placed() {
		return nil
	}
	fa, a := p.at(f.Repair.From.Pos)
	fz, z := p.at(f.Repair.To.Pos)
	if a == nil || z == nil {
		return nil
	}
	a, z = a.written(), z.written()
	if onGPU(fz) {
		return childrenOrdered(fa, fz, a, z, fa == fz && z.canName(fa, a))
	}
	checked := func(call string) string {
		if text := z.checked(call); text != call {
			return text
		}
		return a.checked(call)
	}
	var texts []string
	if first, ok := fa.usedStream(a, a.node); ok && fa == fz && z.canName(fa, a) && !z.behindDestroy(first) {
		if then, ok := fz.usedStream(z, z.node); ok && then != first && f.Repair.Kind == "stream-order" {
			event := z.unused(fmt.Sprintf("done%d", z.file.line(z.from)))
			texts = append(texts, fmt.Sprintf("cudaEvent_t %[1]s;\n%[2]s;\n%[3]s;\n%[4]s;\n%[5]s;", event,
				checked("cudaEventCreateWithFlags(&"+event+", cudaEventDisableTiming)"), checked("cudaEventRecord("+event+", "+first+")"),
				checked("cudaStreamWaitEvent("+then+", "+event+", 0)"), checked("cudaEventDestroy("+event+")")))
		}
		texts = append(texts, checked("cudaStreamSynchronize("+first+")")+";")
	}
	texts = append(texts, checked("cudaDeviceSynchronize()")+";")
	var out []*Patch
	for _, text := range texts {
		c := calls{text: text}
		c.before(z)
		out = append(out, c.patches...)
	}
	return out
}

// behindDestroy reports whether a stream is destroyed before s in its list: its work is completed, but nothing can be added.
func (s *statement) behindDestroy(stream string) bool {
	return s.outer != nil && slices.ContainsFunc(s.outer.inner, func(o *statement) bool {
		return o.from < s.from && slices.ContainsFunc(calling(o.node, func(name string) bool {
			return name == "cudaStreamDestroy" || name == "cuStreamDestroy" || name == "cuStreamDestroy_v2"
		}),
			func(call *syntax.Node) bool { return o.argument(stripped(call.Child(1))) == stream })
	})
}

// published lets what a kernel writes be seen by other streams and the host before what the block writes then: a flag for which these wait.
func published(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range places(f) {
		fn, s := p.at(at.Loc.Pos)
		if s == nil || !onGPU(fn) || at.Access == finding.Read {
			continue
		}
		c := calls{text: "__threadfence_system();\n" + finding.Syncthreads + ";"}
		for ; s.outer != nil; s = s.outer {
			c.behind(s)
		}
		out = append(out, c.patches...)
	}
	return distinct(out)
}

// usedStream is the text of the stream in which a statement enqueues work, "0" for the default stream. ok is
// false if the statement makes no call, or if the stream's expression is unknown or cannot be copied, as in a macro.
func (fn *function) usedStream(s *statement, n *syntax.Node) (text string, ok bool) {
	if n == nil {
		return "", false
	}
	switch {
	case n.Kind == "CUDAKernelCallExpr":
		text, ok = "0", true
	case n.Kind == "CallExpr" && handled.MatchString(callee(n)):
		text = fn.handleStream(s, n)
		return text, text != ""
	case n.Kind == "CallExpr":
		text, ok = "0", true
	}
	if n.Desugared == streamType && n.Kind != "CXXDefaultArgExpr" {
		text = s.argument(stripped(n))
		return text, text != ""
	}
	for _, c := range n.Inner {
		if t, found := fn.usedStream(s, c); found && t != "0" {
			return t, true
		} else if ok = ok || found; found && text == "" {
			text = t
		}
	}
	return text, ok
}

// handled matches the functions of libraries that enqueue work in the stream of their first argument, a handle or a plan, and setStream
// those that give it one ("cuBLAS", "cublasSetStream"; "cuFFT", "cufftSetStream"; "cuSPARSE", "cusparseSetStream"; and so on).
var (
	handled   = regexp.MustCompile(`^(cublas|cufft|cusparse|cusolver|curand)[A-Z]`)
	setStream = regexp.MustCompile(`^(cublas|cufft|cusparse|cusolver\w*|curand)SetStream(_v2)?$`)
)

// handleStream is the stream that the handle of a library's call was given last before it in the function, "" where that is not known.
func (fn *function) handleStream(s *statement, call *syntax.Node) (stream string) {
	handle := s.argument(uncast(call.Child(1)))
	fn.each(func(o *statement) {
		if o.from >= s.from || len(o.inner) > 0 {
			return
		}
		for _, set := range calling(o.node, setStream.MatchString) {
			if handle != "" && o.argument(uncast(set.Child(1))) == handle {
				stream = o.argument(uncast(set.Child(2)))
			}
		}
	})
	return stream
}

// canName reports whether the variables of another statement of the function can be named at s as well.
func (s *statement) canName(fn *function, o *statement) bool {
	ids := map[string]bool{}
	for _, v := range fn.visible(s) {
		ids[v.ID] = true
	}
	for _, v := range fn.visible(o) {
		if !ids[v.ID] && mentions(o.node, map[string]bool{v.ID: true}) {
			return false
		}
	}
	return true
}

// checked is a call made as those of the statement are: with the macro that one of them is the argument of.
func (s *statement) checked(call string) string {
	if name := s.node.Begin; name.Macro && s.argumentOf(s.node) {
		return syntax.WordAt(s.file.Text, name.Off) + "(" + call + ")"
	}
	return call
}

// argumentOf reports whether a call stands in the argument of a macro.
func (s *statement) argumentOf(n *syntax.Node) bool {
	if n == nil {
		return false
	}
	if n.Kind == "CallExpr" && n.Begin.Arg > 0 {
		return true
	}
	for _, c := range n.Inner {
		if s.argumentOf(c) {
			return true
		}
	}
	return false
}
