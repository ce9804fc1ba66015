package clang

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/shim"
)

// Host code can be made to tell the runtime of results of API calls that it never
// reads (shim/runtime/unread.cpp): what the compiler makes of the source shows them
// before anything is optimised. A result is unread where no instruction takes it,
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
	// pureUse is an instruction that is unread as a whole where its result is.
	pureUse = regexp.MustCompile(`^(?:phi|icmp|zext|sext|trunc|select|freeze) `)
	aName   = regexp.MustCompile(`%(?:[-\w.$]+|"[^"]*")`)
)

// errorTypes are the names of the error types in debugging information.
var errorTypes = map[string]unreadKind{"cudaError": unreadRuntime, "cudaError_enum": unreadDriver}

// unreadCall is a function whose result is an error.
type unreadCall struct {
	name string
	kind unreadKind
}

// tellUnread adds calls of the runtime after those whose result is unread.
func tellUnread(ir []byte) []byte {
	lines := strings.SplitAfter(string(ir), "\n")
	u := &unread{meta: map[string]string{}, returns: map[string]unreadCall{}}
	u.readDebug(lines)
	for i := 0; i < len(lines); {
		n := 1
		if strings.HasPrefix(lines[i], "define ") {
			for n < len(lines)-i && lines[i+n-1] != "}\n" {
				n++
			}
			u.function(lines[i : i+n])
		} else {
			u.out.WriteString(lines[i])
		}
		i += n
	}
	u.declare()
	return u.out.Bytes()
}

// unread rewrites one module.
type unread struct {
	out bytes.Buffer
	// meta is the debugging information by number, "!12"; returns are the functions
	// defined here that return an error, by symbol.
	meta    map[string]string
	returns map[string]unreadCall
	// names are the constants with names, in the order of their first use.
	names []string
}

// readDebug reads debugging information, and finds the functions that return the
// results of API calls without reading them: a function that looks at an error before
// it returns it has done its part.
func (u *unread) readDebug(lines []string) {
	for _, l := range lines {
		if strings.HasPrefix(l, "!") {
			if id, text, ok := strings.Cut(l, " = "); ok {
				u.meta[id] = text
			}
		}
	}
	wrappers := u.wrappers(lines)
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
	body []string
}

// wrappers are the functions that return an error, by symbol.
func (u *unread) wrappers(lines []string) map[string]wrapper {
	out := map[string]wrapper{}
	for i, l := range lines {
		text := u.subprogram(l)
		kind, ok := errorTypes[u.result(text)]
		if !ok {
			continue
		}
		symbol, _, _ := callee(l)
		name, _, _ := strings.Cut(debugField(text, "name"), "<")
		out[symbol] = wrapper{unreadCall{name, kind}, lines[i : i+slices.Index(lines[i:], "}\n")]}
	}
	return out
}

// subprogram is the description of the function that a line begins, or "".
func (u *unread) subprogram(define string) string {
	if !strings.HasPrefix(define, "define ") {
		return ""
	}
	_, id, ok := strings.Cut(define, " !dbg ")
	if !ok {
		return ""
	}
	return u.meta[strings.Fields(id)[0]]
}

// result is the name of the enumeration that a function returns, "" for anything else.
func (u *unread) result(subprogram string) string {
	types := u.meta[debugField(u.meta[debugField(subprogram, "type")], "types")]
	first, _, _ := strings.Cut(strings.TrimPrefix(types, "!{"), ",")
	text := u.meta[strings.TrimRight(first, "}\n")]
	for depth := 0; strings.Contains(text, "DW_TAG_typedef") && depth < maxTypeDepth; depth++ {
		text = u.meta[debugField(text, "baseType")]
	}
	if !strings.Contains(text, "DW_TAG_enumeration_type") {
		return ""
	}
	return debugField(text, "name")
}

// debugField returns a field of a line of debugging information, without quotes.
func debugField(text, field string) string {
	for _, before := range []string{"(", ", "} {
		if _, v, ok := strings.Cut(text, before+field+": "); ok {
			if q, ok := strings.CutPrefix(v, `"`); ok {
				v, _, _ = strings.Cut(q, `"`)
				return v
			}
			return v[:strings.IndexAny(v+",", ",)")]
		}
	}
	return ""
}

// forwards reports whether all that a function returns are results of calls that it
// does not read.
func (u *unread) forwards(body []string) bool {
	uses, defs, stores := map[string]int{}, map[string]string{}, map[string][]string{}
	returned := ""
	for i, l := range body {
		if i == 0 || isDebugUse(l) {
			continue
		}
		op := strings.TrimLeft(l, " ")
		if result, rest, ok := strings.Cut(op, " = "); ok && strings.HasPrefix(result, "%") {
			defs[result], op = rest, rest
		}
		for _, v := range aName.FindAllString(op, -1) {
			uses[v]++
		}
		if value, ptr, ok := storedTo(l); ok {
			stores[ptr] = append(stores[ptr], value)
		}
		if v, ok := strings.CutPrefix(op, "ret i32 "); ok {
			returned = aName.FindString(v)
		}
	}
	return returned != "" && u.isResult(returned, uses, defs, stores)
}

// isResult reports whether a value that is used once is the result of a call, directly
// or by way of a variable.
func (u *unread) isResult(v string, uses map[string]int, defs map[string]string, stores map[string][]string) bool {
	op := defs[v]
	if uses[v] != 1 || op == "" {
		return false
	}
	from, isLoad := strings.CutPrefix(op, "load i32, ptr ")
	if !isLoad {
		_, ok := u.called(op)
		return ok
	}
	variable, _, _ := strings.Cut(from, ",")
	if !strings.HasPrefix(defs[variable], "alloca i32,") || uses[variable] != len(stores[variable])+1 {
		return false
	}
	return !slices.ContainsFunc(stores[variable], func(v string) bool { return !u.isResult(v, uses, defs, stores) })
}

// function copies a function, with the calls of the runtime that it needs.
func (u *unread) function(lines []string) {
	uses := countUses(lines)
	stub, _, _ := callee(lines[0])
	var after map[string]string // what comes at the beginning of a block, by its label
	pending := ""
	for i, l := range lines {
		if pending != "" && !strings.HasPrefix(strings.TrimLeft(l, " "), "#dbg") && !isPhi(l) {
			u.out.WriteString(pending)
			pending = ""
		}
		u.out.WriteString(l)
		if label, _, ok := strings.Cut(l, ":"); ok && after[label] != "" && l[0] != ' ' {
			pending = after[label]
		}
		c, result, ok := u.unreadAt(l, uses)
		if !ok {
			continue
		}
		if strings.Contains(stub, "__device_stub__") {
			c = unreadCall{debugField(u.subprogram(lines[0]), "name"), unreadLaunch}
		}
		tell := u.tell(c, result, l)
		if !strings.Contains(l, " invoke ") {
			u.out.WriteString(tell)
			continue
		}
		if i+1 < len(lines) { // "to label %a unwind label %b"
			tell = u.tell(c, result, lines[i+1])
			if m := aName.FindString(lines[i+1]); m != "" {
				if after == nil {
					after = map[string]string{}
				}
				after[strings.Trim(m[1:], `"`)] = tell
			}
		}
	}
}

func isPhi(l string) bool {
	_, op, ok := strings.Cut(l, " = ")
	return ok && strings.HasPrefix(op, "phi ")
}

// unreadAt returns the call of a line whose result is an unread error, and the result.
func (u *unread) unreadAt(l string, uses map[string]int) (c unreadCall, result string, ok bool) {
	result, op, ok := strings.Cut(strings.TrimLeft(l, " "), " = ")
	if !ok || uses[result] > 0 || !strings.Contains(op, "call ") && !strings.HasPrefix(op, "invoke ") {
		return c, "", false
	}
	c, ok = u.called(op)
	return c, result, ok
}

// called returns the function of a call whose result is an error that is not read yet.
func (u *unread) called(op string) (unreadCall, bool) {
	symbol, _, _ := callee(op)
	if c, ok := u.returns[symbol]; ok {
		return c, true
	}
	name := callVersion.ReplaceAllString(symbol, "")
	kind, ok := resultCalls()[name]
	return unreadCall{name, kind}, ok
}

// tell is the call of the runtime for an unread result, at the position of a line.
func (u *unread) tell(c unreadCall, result, line string) string {
	name := c.name[:min(len(c.name), maxCallName)]
	n := slices.Index(u.names, name)
	if n < 0 {
		n = len(u.names)
		u.names = append(u.names, name)
	}
	return fmt.Sprintf("  call void @"+UnreadHook+"(i32 %s, i32 %d, ptr @"+UnreadHook+".%d)%s\n", result, c.kind, n, debugOf(strings.TrimSuffix(line, "\n")))
}

// declare adds what the calls of the runtime need.
func (u *unread) declare() {
	if len(u.names) == 0 {
		return
	}
	u.out.WriteString("\ndeclare void @" + UnreadHook + "(i32, i32, ptr)\n")
	for n, name := range u.names {
		fmt.Fprintf(&u.out, "@"+UnreadHook+".%d = private constant [%d x i8] c\"%s\\00\"\n", n, len(name)+1, irString(name))
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
