package memory

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// OrderWork waits for the first of two pieces of work before the second begins, the weakest wait first: the
// second's stream for an event in the first's, the host for the first's stream, and the host for the device.
func OrderWork(p *code.Program, f *finding.Finding) []*code.Patch {
	if !f.Repair.Placed() {
		return nil
	}
	fa, a := p.At(f.Repair.From.Pos)
	fz, z := p.At(f.Repair.To.Pos)
	if a == nil || z == nil {
		return nil
	}
	a, z = a.Written(), z.Written()
	if code.OnGPU(fz) {
		return childrenOrdered(fa, fz, a, z, fa == fz && canNameAt(z, fa, a))
	}
	checked := func(call string) string {
		if text := z.Checked(call); text != call {
			return text
		}
		return a.Checked(call)
	}
	var texts []string
	if first, ok := streamUsed(fa, a, a.Node); ok && fa == fz && canNameAt(z, fa, a) && !moveBehindDestroy(z, first) {
		if then, ok := streamUsed(fz, z, z.Node); ok && then != first && f.Repair.Kind == finding.OrderStreams {
			event := z.Unused(fmt.Sprintf("done%d", z.File.Line(z.From)))
			texts = append(texts, fmt.Sprintf("cudaEvent_t %[1]s;\n%[2]s;\n%[3]s;\n%[4]s;\n%[5]s;", event,
				checked("cudaEventCreateWithFlags(&"+event+", cudaEventDisableTiming)"), checked("cudaEventRecord("+event+", "+first+")"),
				checked("cudaStreamWaitEvent("+then+", "+event+", 0)"), checked("cudaEventDestroy("+event+")")))
		}
		texts = append(texts, checked("cudaStreamSynchronize("+first+")")+";")
	}
	texts = append(texts, checked("cudaDeviceSynchronize()")+";")
	var out []*code.Patch
	for _, text := range texts {
		c := code.Calls{Text: text}
		c.Before(z)
		out = append(out, c.Patches...)
	}
	return out
}

// moveBehindDestroy reports whether a stream is destroyed before s in its list: its work is completed, but nothing can be added.
func moveBehindDestroy(s *code.Statement, stream string) bool {
	return s.Outer != nil && slices.ContainsFunc(s.Outer.Inner, func(o *code.Statement) bool {
		return o.From < s.From && slices.ContainsFunc(code.Calling(o.Node, func(name string) bool {
			return name == "cudaStreamDestroy" || name == "cuStreamDestroy" || name == "cuStreamDestroy_v2"
		}),
			func(call *syntax.Node) bool { return o.Argument(code.Stripped(call.Child(1))) == stream })
	})
}

// Publish lets what a kernel writes be seen by other streams and the host before what the block writes then: a flag for which these wait.
func Publish(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range code.Places(f) {
		fn, s := p.At(at.Loc.Pos)
		if s == nil || !code.OnGPU(fn) || at.Access == finding.Read {
			continue
		}
		c := code.Calls{Text: "__threadfence_system();\n" + finding.Syncthreads + ";"}
		for ; s.Outer != nil; s = s.Outer {
			c.Behind(s)
		}
		out = append(out, c.Patches...)
	}
	return code.Distinct(out)
}

// streamUsed is the text of the stream in which a statement enqueues work, "0" for the default stream. ok is
// false if the statement makes no call, or if the stream's expression is unknown or cannot be copied, as in a macro.
func streamUsed(fn *code.Function, s *code.Statement, n *syntax.Node) (text string, ok bool) {
	if n == nil {
		return "", false
	}
	switch {
	case n.Kind == "CUDAKernelCallExpr":
		text, ok = "0", true
	case n.Kind == "CallExpr" && handled.MatchString(code.Callee(n)):
		text = streamOfHandle(fn, s, n)
		return text, text != ""
	case n.Kind == "CallExpr":
		text, ok = "0", true
	}
	if n.Desugared == code.StreamType && n.Kind != "CXXDefaultArgExpr" {
		text = s.Argument(code.Stripped(n))
		return text, text != ""
	}
	for _, c := range n.Inner {
		if t, found := streamUsed(fn, s, c); found && t != "0" {
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

// streamOfHandle is the stream that the handle of a library's call was given last before it in the function, "" where that is not known.
func streamOfHandle(fn *code.Function, s *code.Statement, call *syntax.Node) (stream string) {
	handle := s.Argument(code.Uncast(call.Child(1)))
	fn.Each(func(o *code.Statement) {
		if o.From >= s.From || len(o.Inner) > 0 {
			return
		}
		for _, set := range code.Calling(o.Node, setStream.MatchString) {
			if handle != "" && o.Argument(code.Uncast(set.Child(1))) == handle {
				stream = o.Argument(code.Uncast(set.Child(2)))
			}
		}
	})
	return stream
}

// canNameAt reports whether the variables of another statement of the function can be named at s as well.
func canNameAt(s *code.Statement, fn *code.Function, o *code.Statement) bool {
	ids := map[string]bool{}
	for _, v := range fn.Visible(s) {
		ids[v.ID] = true
	}
	for _, v := range fn.Visible(o) {
		if !ids[v.ID] && code.Mentions(o.Node, map[string]bool{v.ID: true}) {
			return false
		}
	}
	return true
}
