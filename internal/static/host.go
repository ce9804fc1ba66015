package static

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/solve"
)

// HostCode is what host code says of kernels, by their names as PTX has them.
// The zero HostCode says nothing.
type HostCode struct {
	calls map[string][]call
	stubs map[string][]argument
}

// call is a launch in host code.
type call struct {
	config Launch
	args   []hostArgument
}

// terms are what the launch depends on.
func (c call) terms() []*solve.Term {
	all := c.config.facts.terms()
	for _, a := range c.args {
		for _, t := range []*solve.Term{a.value, a.size} {
			if t != nil {
				all = append(all, t)
			}
		}
	}
	return all
}

// hostArgument is what host code passes: a number, known where it is a constant, and as a term where it is an
// integer that is computed; or a pointer, with the variable that it was read from and the bytes of its allocation.
type hostArgument struct {
	bits  uint64
	known bool
	value *solve.Term
	array string
	size  *solve.Term
}

// argument is one of a stub's: a kernel's parameter, or a word of it.
type argument struct {
	name string
	// structure is set if it is a word of eight bytes of a structure, the one at
	// offset.
	structure bool
	offset    int
	restrict  bool
}

const pushConfiguration, stubMark = "__cudaPushCallConfiguration", "__device_stub__"

// Read adds the launches and parameters' names in host code in LLVM's language,
// made with stubs that are not inlined.
func (h *HostCode) Read(ir []byte) {
	if h.calls == nil {
		h.calls, h.stubs = map[string][]call{}, map[string][]argument{}
	}
	m := irtext.Parse(ir)
	p := newPointers(m)
	calls := calledWith{}
	for _, l := range m.Lines {
		calls.note(l)
	}
	for i, l := range m.Lines {
		if body := m.Body(i); body != nil {
			if name, params, _ := l.Call(); strings.Contains(name, stubMark) {
				h.stubs[kernelOf(name)] = stubArguments(arguments(params))
				continue
			}
			h.launches(newHostFunc(body), p, calls)
		}
	}
}

// launches reads those of a function: a configuration, then the call of a stub.
func (h *HostCode) launches(f *hostFunc, p *pointers, calls calledWith) {
	if !slices.ContainsFunc(f.lines, func(l *irtext.Line) bool { return l.Contains(pushConfiguration) }) {
		return
	}
	f.connect()
	p.function(f)
	var config *Launch
	for i, l := range f.lines[1:] {
		name, args, _ := l.Call()
		switch {
		case name == pushConfiguration:
			config = f.configuration(arguments(args), i+1)
		case strings.Contains(name, stubMark) && config != nil:
			c := call{config: *config}
			c.config.facts.when = f.conditions(i + 1)
			for _, a := range arguments(args) {
				c.args = append(c.args, f.passed(a, p, i+1))
			}
			c.config.facts.hints = f.hints(c.terms(), calls)
			h.calls[kernelOf(name)] = append(h.calls[kernelOf(name)], c)
		}
	}
}

// passed reads an argument of a launch in a line.
func (f *hostFunc) passed(arg string, p *pointers, line int) (a hostArgument) {
	if a.array = p.array(arg); a.array != "" {
		a.size = p.size(a.array, line)
		return a
	}
	if a.bits, a.known = scalar(arg); a.known {
		return a
	}
	if a.value = f.argument(arg); a.value == nil {
		return a
	}
	if a.value.Sort() == solve.Bool {
		a.value = solve.Ite(a.value, solve.BV(1, 8), solve.BV(0, 8))
	}
	return a
}

// stubArguments takes the names out of "ptr noundef %data", "" where there is
// only a number. Clang passes a structure of at most 16 bytes as one word or two,
// "%s.coerce" or "%s.coerce0" and "%s.coerce1".
func stubArguments(params []string) []argument {
	out := make([]argument, len(params))
	for i, p := range params {
		name, word := "", ""
		out[i].restrict = slices.Contains(strings.Fields(p), "noalias")
		if at := strings.LastIndex(p, "%"); at >= 0 {
			name = p[at+1:]
		}
		name, word, out[i].structure = strings.Cut(name, ".coerce")
		if word == "1" {
			out[i].offset = 8
		}
		if name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsAny(name, " )") {
			out[i].name = name
		}
	}
	return out
}

// Names are the names of a kernel's parameters in the source, "" for those that
// have none; nil where they are not known.
func (h *HostCode) Names(f *ptx.Func) []string {
	stub := h.stubs[f.Name]
	places, ok := place(stub, f)
	if !ok || len(stub) == 0 {
		return nil
	}
	names := make([]string, len(f.Params))
	for i, p := range places {
		names[p.Param] = stub[i].name
	}
	return names
}

// Launches are the launches of a kernel, each once; what is not a constant is not
// known. Where the host code has none it is one of which nothing is known.
func (h *HostCode) Launches(f *ptx.Func) []Launch {
	var out []Launch
	restricted := h.restricted(f)
	for _, c := range h.calls[f.Name] {
		l := c.config
		l.restricted = restricted
		h.give(&l, c.args, f)
		l.fix(f)
		if !slices.ContainsFunc(out, l.Equal) {
			out = append(out, l)
		}
	}
	if out == nil {
		out = []Launch{{Shared: -1, restricted: restricted}}
	}
	return out
}

// give fills in a call's arguments.
func (h *HostCode) give(l *Launch, args []hostArgument, f *ptx.Func) {
	l.Params, l.words, l.arrays = map[Part]uint64{}, map[Part]uint64{}, map[Part]int{}
	l.facts.params, l.facts.sizes = map[Part]*solve.Term{}, map[Part]*solve.Term{}
	stub := h.stubs[f.Name]
	if len(stub) == 0 { // of another file
		stub = make([]argument, len(args))
	}
	places, ok := place(stub, f)
	if !ok || len(places) != len(args) {
		return
	}
	numbers := map[string]int{}
	for i, p := range places {
		switch a := args[i]; {
		case a.array != "":
			if numbers[a.array] == 0 {
				numbers[a.array] = len(numbers) + 1
			}
			l.arrays[p] = numbers[a.array]
			if a.size != nil {
				l.facts.sizes[p] = a.size
			}
		case a.value != nil:
			l.facts.params[p] = a.value
		case !a.known:
		case structure(f.Params[p.Param]):
			l.words[p] = a.bits
		default:
			l.Params[p] = a.bits
		}
	}
}

// place finds the parts of a kernel's parameters that a stub's arguments are. A
// structure without members is a parameter of one byte, and no argument.
func place(stub []argument, f *ptx.Func) (parts []Part, ok bool) {
	given, empty := 0, 0
	for _, a := range stub {
		if a.offset == 0 {
			given++
		}
	}
	for _, v := range f.Params {
		if structure(v) && v.Size() == 1 {
			empty++
		}
	}
	leave := given != len(f.Params)
	if leave && given+empty != len(f.Params) {
		return nil, false
	}
	at := -1
	for _, a := range stub {
		if a.offset == 0 {
			at++
			for leave && at < len(f.Params) && structure(f.Params[at]) && f.Params[at].Size() == 1 {
				at++
			}
		}
		if at < 0 || at >= len(f.Params) || a.structure && !structure(f.Params[at]) {
			return nil, false
		}
		parts = append(parts, Part{at, a.offset})
	}
	return parts, true
}

// structure reports whether v is a parameter of a structure's type: PTX has bytes for it.
func structure(v *ptx.Variable) bool { return len(v.Dims) > 0 }

// Equal reports whether the same is known of two launches.
func (l Launch) Equal(o Launch) bool {
	return l.Block == o.Block && l.Grid == o.Grid && l.Shared == o.Shared && maps.Equal(l.Params, o.Params) && maps.Equal(l.words, o.words) &&
		maps.Equal(l.arrays, o.arrays) && l.AssumeDistinct == o.AssumeDistinct && l.facts.equal(o.facts)
}

// configuration reads grid and block, each as a word of x and y and one of z,
// and the bytes of dynamic shared memory.
func (f *hostFunc) configuration(args []string, line int) *Launch {
	if len(args) < 5 {
		return nil
	}
	l := &Launch{Shared: -1}
	for i, dim := range []struct {
		known *[3]uint32
		terms *[3]*solve.Term
	}{{&l.Grid, &l.facts.grid}, {&l.Block, &l.facts.block}} {
		xy, _ := operandOf(args[2*i])
		for d, t := range [3]*solve.Term{f.half(xy, false), f.half(xy, true), f.argument(args[2*i+1])} {
			if t == nil {
				continue
			}
			if v, ok := t.Constant(); ok {
				dim.known[d] = uint32(v)
			} else {
				dim.terms[d] = t
			}
		}
	}
	if n, ok := scalar(args[4]); ok {
		l.Shared = int64(n)
	}
	return l
}

// operandOf is the last word of an argument: what is passed.
func operandOf(arg string) (op string, ok bool) {
	words := strings.Fields(arg)
	if len(words) == 0 {
		return "", false
	}
	return words[len(words)-1], true
}

// arguments splits at the commas that are in no parentheses or quotes.
func arguments(text string) []string {
	var out []string
	depth, start, quoted := 0, 0, false
	for i, c := range text {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case strings.ContainsRune("([{<", c):
			depth++
		case strings.ContainsRune(")]}>", c):
			depth--
		case c == ',' && depth == 0:
			out = append(out, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(text[start:]); rest != "" {
		out = append(out, rest)
	}
	return out
}

// scalar reads the value of "i32 noundef 7" or "float 1.5e+00" as bits.
func scalar(arg string) (uint64, bool) {
	words := strings.Fields(arg)
	if len(words) < 2 {
		return 0, false
	}
	last := words[len(words)-1]
	switch {
	case last == "true":
		return 1, true
	case last == "false" || last == "null" && words[0] != "ptr":
		return 0, true
	case words[0] == "float" || words[0] == "double":
		return float(words[0], last)
	case !strings.HasPrefix(words[0], "i"):
		return 0, false
	}
	if v, err := strconv.ParseInt(last, 10, 64); err == nil {
		bits, err := strconv.Atoi(words[0][1:])
		if err == nil && bits < 64 {
			return uint64(v) & (1<<bits - 1), true
		}
		return uint64(v), err == nil && bits == 64
	}
	return 0, false
}

// kernelOf is the name of the kernel that a stub launches.
func kernelOf(stub string) string {
	stub = strings.Trim(stub, `"`)
	at := strings.Index(stub, stubMark)
	digits := at
	for digits > 0 && stub[digits-1] >= '0' && stub[digits-1] <= '9' {
		digits--
	}
	length := stub[digits:at]
	if n, err := strconv.Atoi(length); err == nil {
		length = strconv.Itoa(n - len(stubMark))
	}
	return stub[:digits] + length + stub[at+len(stubMark):]
}
