package cutext

import (
	"bytes"
	"slices"
	"strings"
)

// Launches in device code ("CUDA C++ Programming Guide", "CUDA Dynamic
// Parallelism")
//
// clang refuses them: a device function must not refer to a kernel. So kernels
// that device code launches are made functions of both sides for the device
// pass, and a launch becomes a call with the configuration behind it,
//
//	child<<<grid, block>>>(x);      child(x), ::__warpgrind_launch(grid, block);
//
// which settles overloads, template arguments and conversions as usual. In the
// IR (passes, childgrid.go) the function is a kernel again, and the call a launch. The
// host pass, which makes no code of device functions, gets them without bodies.

// childGlobal stands for __global__ in front of kernels that device code
// launches; warpgrind/nested.h defines it.
const childGlobal = "__wg_child_global__"

// ChildGrids is what the files of a unit say about launches in device code.
type ChildGrids struct {
	// kernels are the names of those that device code launches, qualifiers the
	// words that make a function one of the device.
	kernels, qualifiers map[string]bool
}

// runtimeCalls are functions of the runtime API that device code has too.
var runtimeCalls = map[string]bool{
	"cudaDeviceSynchronize": true, "cudaGetParameterBuffer": true, "cudaGetParameterBufferV2": true,
	"cudaLaunchDevice": true, "cudaLaunchDeviceV2": true, "cudaGetLastError": true, "cudaPeekAtLastError": true,
	"cudaGetErrorString": true, "cudaGetErrorName": true, "cudaGetDevice": true, "cudaGetDeviceCount": true,
	"cudaDeviceGetAttribute": true, "cudaRuntimeGetVersion": true, "cudaStreamCreateWithFlags": true,
	"cudaStreamDestroy": true, "cudaStreamWaitEvent": true, "cudaEventCreateWithFlags": true, "cudaEventRecord": true,
	"cudaEventDestroy": true, "cudaMemcpyAsync": true, "cudaMemsetAsync": true, "cudaMalloc": true, "cudaFree": true,
}

// FindChildGrids looks for launches, and calls of the runtime API, in device code;
// nil if there are none.
func FindChildGrids(files []*Text) *ChildGrids {
	n := &ChildGrids{kernels: map[string]bool{}, qualifiers: map[string]bool{"__global__": true, "__device__": true}}
	for _, f := range files {
		n.macros(f)
	}
	calls := false
	for _, f := range files {
		calls = calls || n.calls(f)
		for _, l := range n.launches(f) {
			if l.device && l.name != "" {
				n.kernels[l.name] = true
			}
		}
	}
	if len(n.kernels) == 0 && !calls {
		return nil
	}
	return n
}

// calls reports whether a function of the device alone calls the runtime API.
func (n *ChildGrids) calls(t *Text) bool {
	text := t.src
	if !bytes.Contains(text, []byte("cuda")) || !bytes.Contains(text, []byte("__")) {
		return false
	}
	toks := t.tokens(true)
	for _, s := range n.scopes(text, toks) {
		for i := s.open; i < s.close && !s.both; i++ {
			if t := toks[i]; t.kind == tokenIdent && runtimeCalls[string(text[t.pos:t.end])] && toks[i+1].is(text, "(") {
				return true
			}
		}
	}
	return false
}

// macros notes the user's names for qualifiers: #define KERNEL __global__ void.
func (n *ChildGrids) macros(f *Text) {
	text := f.src
	for _, t := range f.tokens(true) {
		if t.kind != tokenDirective {
			continue
		}
		words := strings.Fields(string(text[t.pos+1 : t.end]))
		if len(words) < 3 || words[0] != "define" || strings.Contains(words[1], "(") {
			continue
		}
		if slices.ContainsFunc(words[2:], func(w string) bool { return n.qualifiers[w] }) {
			n.qualifiers[words[1]] = true
		}
	}
}

// launch is a launch in the text, by token: from the first < of the chevrons
// to the last >, and the brackets of the arguments.
type launch struct {
	open, close, args, end int
	// name is the kernel's, without namespaces and template arguments.
	name string
	// device is set in device code.
	device bool
	// body is the outermost function of the device alone that it is in.
	body span
}

type span struct{ open, close int }

// launches finds the launches of a text.
func (n *ChildGrids) launches(t *Text) []launch {
	text := t.src
	if !bytes.Contains(text, []byte("<<<")) {
		return nil
	}
	toks := t.tokens(true)
	scopes := n.scopes(text, toks)
	var out []launch
	for i := 0; i+2 < len(toks); i++ {
		if !chevrons(text, toks, i, '<') {
			continue
		}
		if l, ok := launchAt(text, toks, i); ok {
			for _, s := range scopes {
				if s.open < i && i < s.close {
					l.device = true
					if !s.both && l.body.close == 0 {
						l.body = s.span
					}
				}
			}
			out = append(out, l)
			i = l.end
		}
	}
	return out
}

// chevrons tells whether three of them begin at toks[i].
func chevrons(text []byte, toks []token, i int, c byte) bool {
	if i+2 >= len(toks) {
		return false
	}
	p := toks[i].pos
	return toks[i].kind == tokenPunct && text[p] == c && toks[i+1].pos == p+1 && text[p+1] == c &&
		toks[i+2].pos == p+2 && text[p+2] == c
}

// launchAt reads the launch whose chevrons open at toks[i].
func launchAt(text []byte, toks []token, i int) (launch, bool) {
	l := launch{open: i, name: kernelName(text, toks, i)}
	for k := i + 3; k < len(toks); k++ {
		switch {
		case chevrons(text, toks, k, '>'):
			l.close, l.args = k+2, k+3
			if l.args >= len(toks) || !toks[l.args].is(text, "(") {
				return l, false
			}
			l.end = matching(text, toks, l.args)
			return l, l.end > 0
		case toks[k].is(text, "(") || toks[k].is(text, "[") || toks[k].is(text, "{"):
			end := matching(text, toks, k)
			if end < 0 {
				return l, false
			}
			k = end
		case toks[k].is(text, ";") || toks[k].is(text, ")"):
			return l, false
		}
	}
	return l, false
}

// kernelName is the name in front of the chevrons at toks[i]; "" if there is
// none, as where a function pointer is called.
func kernelName(text []byte, toks []token, i int) string {
	k := i - 1
	if k >= 0 && toks[k].is(text, ">") {
		for depth := 0; k >= 0; k-- {
			if toks[k].is(text, ">") {
				depth++
			} else if toks[k].is(text, "<") {
				depth--
			}
			if depth == 0 {
				break
			}
		}
		k--
	}
	if k < 0 || toks[k].kind != tokenIdent {
		return ""
	}
	return string(text[toks[k].pos:toks[k].end])
}

// scope is a body of device code; both is set if the host has it as well.
type scope struct {
	span
	both bool
}

// scopes finds the bodies of functions and lambdas of the device, outer ones
// first.
func (n *ChildGrids) scopes(text []byte, toks []token) []scope {
	var out []scope
	first := 0 // the token with which the declaration or statement begins
	for i, t := range toks {
		switch {
		case t.kind == tokenDirective || t.is(text, ";") || t.is(text, "}"):
			first = i + 1
		case t.is(text, "{"):
			device, host, call := n.qualified(text, toks[first:i])
			if end := matching(text, toks, i); device && call && end > 0 {
				out = append(out, scope{span{i, end}, host})
			}
			first = i + 1
		}
	}
	return out
}

// qualified looks at the words in front of a brace: whether they make a
// function of the device, also of the host, and have brackets.
func (n *ChildGrids) qualified(text []byte, toks []token) (device, host, call bool) {
	for _, t := range toks {
		switch {
		case t.is(text, ")"):
			call = true
		case t.kind == tokenIdent && string(text[t.pos:t.end]) == "__host__":
			host = true
		case t.kind == tokenIdent && n.qualifiers[string(text[t.pos:t.end])]:
			device = true
		}
	}
	return device, host, call
}

// Device is a text for the device pass.
func (n *ChildGrids) Device(t *Text) []byte {
	text, toks := t.src, t.tokens(true)
	edits := n.definitions(text, toks)
	for _, l := range n.launches(t) {
		if !l.device && !n.kernels[l.name] {
			continue
		}
		from, to := toks[l.open].pos, toks[l.close].end
		end := toks[l.end].end
		edits = append(edits, edit{from, to, ""}, edit{end, end, ", ::__warpgrind_launch(" + string(text[from+3:to-3]) + ")"})
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.pos - b.pos })
	return apply(text, edits)
}

// definitions replaces __global__ in front of the kernels that device code
// launches.
func (n *ChildGrids) definitions(text []byte, toks []token) []edit {
	var edits []edit
	for i, t := range toks {
		if t.kind == tokenIdent && t.is(text, "__global__") && n.kernels[declared(text, toks[i+1:])] {
			edits = append(edits, edit{t.pos, t.end, childGlobal})
		}
	}
	return edits
}

// declared is the name of the function whose declaration continues with toks.
func declared(text []byte, toks []token) string {
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		switch {
		case t.is(text, ";") || t.is(text, "{") || t.is(text, "}") || t.is(text, "="):
			return ""
		case !t.is(text, "("):
			continue
		}
		name := kernelName(text, toks, i)
		end := matching(text, toks, i)
		if end < 0 || !attributes[name] {
			return name
		}
		i = end
	}
	return ""
}

// attributes take arguments in brackets and are not a function's name.
var attributes = map[string]bool{"__launch_bounds__": true, "__attribute__": true, "__cluster_dims__": true,
	"__maxnreg__": true, "__block_size__": true, "alignas": true, "": true}

// Host is a text for the host pass: functions of the device alone that launch
// kernels lose their bodies, but not their lines.
func (n *ChildGrids) Host(t *Text) []byte {
	text, toks := t.src, t.tokens(true)
	var edits []edit
	for _, l := range n.launches(t) {
		if l.body.close == 0 {
			continue
		}
		from, to := toks[l.body.open].end, toks[l.body.close].pos
		if k := len(edits); k > 0 && edits[k-1].pos == from {
			continue
		}
		lines := bytes.Count(text[from:to], []byte("\n"))
		edits = append(edits, edit{from, to, strings.Repeat("\n", lines)})
	}
	return apply(text, edits)
}
