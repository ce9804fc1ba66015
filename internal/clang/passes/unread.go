package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/shim"
)

// Host code can be made to tell the runtime of results of API calls that it never
// reads (shim/runtime/unread.cpp): what the compiler makes of the source shows them
// before anything is optimized. A result is unread where no instruction takes it,
// or where it goes to a local variable that nothing loads. That holds for API
// functions and for functions of the program that return an API's error type.

// unreadKind is what the runtime does with an unread result; the values are those of
// shim/runtime/unread.cpp.
type unreadKind int

const (
	unreadRuntime unreadKind = iota
	unreadDriver
	// unreadGet and unreadPeek are cudaGetLastError and cudaPeekAtLastError.
	unreadGet
	unreadPeek
	// unreadLaunch is the launch in a kernel's stub.
	unreadLaunch
)

// UnreadHook is the function of the runtime that code calls with a result that it does
// not read.
const UnreadHook = "__warpgrind_unread"

// maxCallName bounds the name that goes to the runtime.
const maxCallName = 200

// resultCalls are the API functions that return an error, by name, as the headers
// declare them.
var resultCalls = sync.OnceValue(func() map[string]unreadKind {
	calls := map[string]unreadKind{}
	for file, kind := range map[string]unreadKind{"cuda_runtime_api.h": unreadRuntime, "cuda.h": unreadDriver, "cudaProfiler.h": unreadDriver} {
		text, err := shim.Files.ReadFile("include/" + file)
		if err != nil {
			panic(err) // the file is embedded
		}
		for _, m := range resultDeclaration.FindAllSubmatch(text, -1) {
			calls[string(m[1])] = kind
		}
	}
	calls["cudaGetLastError"], calls["cudaPeekAtLastError"] = unreadGet, unreadPeek
	return calls
})

var (
	resultDeclaration = regexp.MustCompile(`\b(?:cudaError_t|CUresult)\s+(\w+)\(`)
	callVersion       = regexp.MustCompile(`(?:_v\d+|_ptsz|_ptds)+$`)
)

// errorTypes are the names of the error types in debugging information.
var errorTypes = map[string]unreadKind{"cudaError": unreadRuntime, "cudaError_enum": unreadDriver}

// unreadCall is a function whose result is an error.
type unreadCall struct {
	name string
	kind unreadKind
}

// tellUnread adds calls of the runtime after those whose result is unread.
func tellUnread(m *irtext.Module, _ *State) {
	u := &unread{nodes: m.Nodes(), returns: map[string]unreadCall{}}
	u.findWrappers(m)
	m.Functions(&u.out, u.function)
	u.declare()
	m.Replace(&u.out)
}

// unread rewrites one module.
type unread struct {
	out   irtext.Builder
	nodes irtext.Nodes
	// returns are the functions defined here that return an error, by symbol.
	returns map[string]unreadCall
	// names are the constants with names, in the order of their first use.
	names []string
}

// findWrappers finds the functions that return the results of API calls without reading
// them: a function that looks at an error before it returns it has done its part.
func (u *unread) findWrappers(m *irtext.Module) {
	wrappers := u.wrappers(m)
	for found := true; found; {
		found = false
		for symbol, w := range wrappers {
			if _, ok := u.returns[symbol]; !ok && u.forwards(w.body) {
				u.returns[symbol], found = w.unreadCall, true
			}
		}
	}
}

// wrapper is a function that returns an error.
type wrapper struct {
	unreadCall
	body []*irtext.Line
}

// wrappers are the functions that return an error, by symbol.
func (u *unread) wrappers(m *irtext.Module) map[string]wrapper {
	out := map[string]wrapper{}
	for i, l := range m.Lines {
		n := u.subprogram(l)
		kind, ok := errorTypes[u.result(n)]
		if !ok {
			continue
		}
		symbol, _, _ := l.Call()
		name, _, _ := strings.Cut(n.Quoted("name"), "<")
		out[symbol] = wrapper{unreadCall{name, kind}, m.Body(i)}
	}
	return out
}

// subprogram is the description of the function that a line begins.
func (u *unread) subprogram(define *irtext.Line) irtext.Node {
	if !define.Defines() {
		return irtext.Node{}
	}
	_, id, ok := strings.Cut(define.Text, " !dbg !")
	if !ok {
		return irtext.Node{}
	}
	return u.nodes[irtext.LeadingInt(id)]
}

// result is the name of the enumeration that a function returns, "" for anything else.
func (u *unread) result(subprogram irtext.Node) string {
	types := u.nodes[u.nodes[subprogram.Ref("type")].Ref("types")]
	first, _, _ := strings.Cut(types.Body, ",")
	if !strings.HasPrefix(first, "!") {
		return ""
	}
	n := u.nodes[irtext.LeadingInt(first[1:])]
	for depth := 0; n.Is("tag", "DW_TAG_typedef") && depth < maxTypeDepth; depth++ {
		n = u.nodes[n.Ref("baseType")]
	}
	if !n.Is("tag", "DW_TAG_enumeration_type") {
		return ""
	}
	return n.Quoted("name")
}

// forwards reports whether all that a function returns are results of calls that it
// does not read.
func (u *unread) forwards(body []*irtext.Line) bool {
	uses := usesOf(body)
	returned := ""
	for _, l := range body[1:] {
		if l.HasPrefix("  ret i32 %") {
			returned = l.Values()[0]
		}
	}
	return returned != "" && u.isResult(returned, uses)
}

// isResult reports whether a value that is used once is the result of a call, directly
// or by way of a variable.
func (u *unread) isResult(v string, of *valueUses) bool {
	def := of.defs[v]
	if of.uses[v] != 1 || def == nil {
		return false
	}
	a, isLoad := def.Access()
	if !isLoad {
		_, ok := u.called(def)
		return ok
	}
	variable := of.defs[a.Ptr]
	if a.Type != "i32" || variable == nil || !isVariable(variable) || of.uses[a.Ptr] != len(of.stores[a.Ptr])+1 {
		return false
	}
	return !slices.ContainsFunc(of.stores[a.Ptr], func(s irtext.Access) bool { return !u.isResult(s.Value, of) })
}

// function copies a function, with the calls of the runtime that it needs.
func (u *unread) function(lines []*irtext.Line) {
	of := usesOf(lines)
	uses := of.live()
	stub, _, _ := lines[0].Call()
	var after map[string]string // what comes at the beginning of a block, by its label
	pending := ""
	for i, l := range lines {
		_, op, _ := l.Op()
		if pending != "" && !strings.HasPrefix(strings.TrimLeft(l.Text, " "), "#dbg") && op != "phi" {
			u.out.WriteString(pending)
			pending = ""
		}
		u.out.Keep(l)
		if label, ok := blockLabel(l); ok && after[label] != "" {
			pending = after[label]
		}
		c, result, ok := u.unreadAt(l, uses)
		if !ok || testsPointer(lines[i:], of) {
			continue
		}
		if strings.Contains(stub, "__device_stub__") {
			c = unreadCall{u.subprogram(lines[0]).Quoted("name"), unreadLaunch}
		}
		tell := u.tell(c, result, l)
		if !l.Contains(" invoke ") {
			u.out.WriteString(tell)
			continue
		}
		if i+1 < len(lines) { // "to label %a unwind label %b"
			tell = u.tell(c, result, lines[i+1])
			if labels := lines[i+1].Values(); len(labels) > 0 {
				if after == nil {
					after = map[string]string{}
				}
				after[strings.Trim(labels[0][1:], `"`)] = tell
			}
		}
	}
}

// unreadAt returns the call of a line whose result is an unread error, and the result.
func (u *unread) unreadAt(l *irtext.Line, uses map[string]int) (c unreadCall, result string, ok bool) {
	result, op, ok := l.Definition()
	if !ok || uses[result] > 0 || !strings.Contains(op, "call ") && !strings.HasPrefix(op, "invoke ") {
		return c, "", false
	}
	c, ok = u.called(l)
	return c, result, ok
}

// testsPointer reports whether a function compares the pointer that a call should set with null
// instead of reading the error: where it first reads the variable after the call, in the first of
// the lines.
func testsPointer(lines []*irtext.Line, of *valueUses) bool {
	if len(of.tested) == 0 {
		return false
	}
	set := lines[0].Values()[1:]
	for _, l := range lines[1:] {
		if a, ok := l.Access(); ok && !a.Store && slices.Contains(set, a.Ptr) {
			name, _, _ := l.Definition()
			return of.tested[name]
		}
	}
	return false
}

// called returns the function of a call whose result is an error that is not read yet.
func (u *unread) called(l *irtext.Line) (unreadCall, bool) {
	symbol, _, _ := l.Call()
	if c, ok := u.returns[symbol]; ok {
		return c, true
	}
	name := callVersion.ReplaceAllString(symbol, "")
	kind, ok := resultCalls()[name]
	return unreadCall{name, kind}, ok
}

// tell is the call of the runtime for an unread result, at the position of a line.
func (u *unread) tell(c unreadCall, result string, at *irtext.Line) string {
	name := c.name[:min(len(c.name), maxCallName)]
	n := slices.Index(u.names, name)
	if n < 0 {
		n = len(u.names)
		u.names = append(u.names, name)
	}
	return fmt.Sprintf("  call void @"+UnreadHook+"(i32 %s, i32 %d, ptr @"+UnreadHook+".%d)%s\n", result, c.kind, n, at.Debug())
}

// declare adds what the calls of the runtime need.
func (u *unread) declare() {
	if len(u.names) == 0 {
		return
	}
	u.out.WriteString("\ndeclare void @" + UnreadHook + "(i32, i32, ptr)\n")
	for n, name := range u.names {
		u.out.Printf("@"+UnreadHook+".%d = private constant [%d x i8] c\"%s\\00\"\n", n, len(name)+1, irString(name))
	}
}

// irString is text between the quotation marks of a constant.
func irString(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < ' ' || c > '~' || c == '"' || c == '\\' {
			b.WriteString(`\` + strings.ToUpper(strconv.FormatInt(int64(c)|0x100, 16)[1:]))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
