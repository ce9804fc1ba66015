package memory

import (
	"bytes"
	"slices"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// HostSide returns patches without the edits on which no host code depends: the host side of a program is the same with the others, as long
// as lines stay where they are.
func HostSide(programs []*code.Program, patches []*code.Patch) (out []*code.Patch) {
	for _, patch := range patches {
		var left []code.Edit
		for _, e := range patch.Inline {
			if !slices.ContainsFunc(programs, func(p *code.Program) bool { return isOnlyOnDevice(p, e) }) {
				left = append(left, e)
			}
		}
		if len(left) > 0 {
			out = append(out, &code.Patch{Edits: left, Inline: left})
		}
	}
	return out
}

// isOnlyOnDevice reports whether an edit is within the body of a function that is compiled for the device only, so that the host compiler
// reads it and makes nothing of it.
func isOnlyOnDevice(p *code.Program, e code.Edit) bool {
	for _, fn := range p.Functions {
		if fn.File.Name == e.File && fn.Body.From < e.From && e.To < fn.Body.To {
			return isDeviceOnly(fn) && !outlives(e.Text)
		}
	}
	return false
}

// isDeviceOnly reports whether a function's body affects device code alone: the function does not run on the host, its type does
// not depend on the body, it is not constexpr, and its last line holds nothing else, as host code records columns there.
func isDeviceOnly(fn *code.Function) bool {
	if !code.OnGPU(fn) || fn.Node.Has("CUDAHostAttr") {
		return false
	}
	text := fn.File.Text
	for at := fn.Node.Begin.Off; at < fn.Body.From; {
		at = syntax.SkipBlank(text, at)
		word := syntax.WordAt(text, at)
		switch word {
		case "":
			at = syntax.SkipToken(text, at)
			continue
		case "auto", "decltype", "constexpr", "consteval", "requires", "noexcept":
			return false
		}
		at += len(word)
	}
	rest := text[fn.Body.To:]
	if n := bytes.IndexByte(rest, '\n'); n >= 0 {
		rest = rest[:n]
	}
	return syntax.SkipBlank(rest, 0) == len(rest)
}

// outlives reports whether a text may do more than to compute: directives, launches, which make kernels of templates, and declarations
// of what outlives the function.
func outlives(text string) bool {
	b := []byte(text)
	for at := 0; at < len(b); {
		at = syntax.SkipBlank(b, at)
		if at >= len(b) {
			break
		}
		word := syntax.WordAt(b, at)
		switch word {
		case "":
			if b[at] == '#' || bytes.HasPrefix(b[at:], []byte("<<<")) {
				return true
			}
			at = syntax.SkipToken(b, at)
			continue
		case "static", "extern", "template", "__device__", "__managed__", "__constant__", "__COUNTER__", "_Pragma":
			return true
		}
		at += len(word)
	}
	return false
}
