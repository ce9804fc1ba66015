package static

import (
	"bytes"
	"iter"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// HostCode is what host code says of kernels, by their names as PTX has them.
// The zero HostCode says nothing.
type HostCode struct {
	calls map[string][]call
	stubs map[string][]argument
}

// call is a launch in host code, with what of its arguments is constant.
type call struct {
	config Launch
	args   []hostArgument
}

// hostArgument is the value of a constant, or the variable whose allocation a
// pointer is to.
type hostArgument struct {
	bits  uint64
	known bool
	array string
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

var (
	pushCall = regexp.MustCompile(`@__cudaPushCallConfiguration\((.*)\)`)
	stubCall = regexp.MustCompile(`(?:call|invoke) void @("?[\w$.]*__device_stub__[\w$.]*"?)\((.*)\)`)
	stubDef  = regexp.MustCompile(`@("?[\w$.]*__device_stub__[\w$.]*"?)\((.*?)\)(?: local_unnamed_addr| unnamed_addr)? #\d+`)
	stubName = regexp.MustCompile(`(\d+)__device_stub__`)
)

// Read adds the launches and parameters' names in host code in LLVM's language,
// made with stubs that are not inlined.
func (h *HostCode) Read(ir []byte) {
	if h.calls == nil {
		h.calls, h.stubs = map[string][]call{}, map[string][]argument{}
	}
	var lines []string
	for line := range bytes.Lines(ir) {
		lines = append(lines, strings.TrimSpace(string(line)))
	}
	p := newPointers()
	for body := range functions(lines) { // all, for the variables that they share
		p.function(body)
	}
	for body := range functions(lines) {
		p.function(body)
		h.function(body, p)
	}
}

// functions are the lines before the first function, then those of each function.
func functions(lines []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		start := 0
		for i, l := range lines {
			if strings.HasPrefix(l, "define ") {
				if !yield(lines[start:i]) {
					return
				}
				start = i
			}
		}
		yield(lines[start:])
	}
}

// function reads a stub's parameters, or the launches of another function.
func (h *HostCode) function(lines []string, p *pointers) {
	var config *Launch
	for i, text := range lines {
		if m := stubDef.FindStringSubmatch(text); i == 0 && strings.HasPrefix(text, "define ") && m != nil {
			h.stubs[kernelOf(m[1])] = stubArguments(arguments(m[2]))
		} else if m := pushCall.FindStringSubmatch(text); m != nil && !strings.HasPrefix(text, "declare") {
			config = configuration(arguments(m[1]))
		} else if m := stubCall.FindStringSubmatch(text); m != nil && config != nil {
			c := call{config: *config}
			for _, a := range arguments(m[2]) {
				bits, known := scalar(a)
				c.args = append(c.args, hostArgument{bits, known, p.array(a)})
			}
			kernel := kernelOf(m[1])
			h.calls[kernel] = append(h.calls[kernel], c)
		}
	}
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

// structure reports a parameter of a structure's type: PTX has bytes for it.
func structure(v *ptx.Variable) bool { return len(v.Dims) > 0 }

// Equal reports whether the same is known of two launches.
func (l Launch) Equal(o Launch) bool {
	return l.Block == o.Block && l.Grid == o.Grid && l.Shared == o.Shared && maps.Equal(l.Params, o.Params) && maps.Equal(l.words, o.words) &&
		maps.Equal(l.arrays, o.arrays) && l.AssumeDistinct == o.AssumeDistinct
}

// configuration reads grid and block, each as a word of x and y and one of z,
// and the bytes of dynamic shared memory.
func configuration(args []string) *Launch {
	if len(args) < 5 {
		return nil
	}
	l := &Launch{Shared: -1}
	for i, dim := range []*[3]uint32{&l.Grid, &l.Block} {
		if xy, ok := scalar(args[2*i]); ok {
			dim[0], dim[1] = uint32(xy), uint32(xy>>32)
		}
		if z, ok := scalar(args[2*i+1]); ok {
			dim[2] = uint32(z)
		}
	}
	if n, ok := scalar(args[4]); ok {
		l.Shared = int64(n)
	}
	return l
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

// float reads LLVM's floating-point constants: decimal, or the bits of a double
// in hexadecimal.
func float(kind, text string) (uint64, bool) {
	var d float64
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		bits, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			return 0, false
		}
		d = math.Float64frombits(bits)
	} else {
		var err error
		if d, err = strconv.ParseFloat(text, 64); err != nil {
			return 0, false
		}
	}
	if kind == "float" {
		return uint64(math.Float32bits(float32(d))), true
	}
	return math.Float64bits(d), true
}

// kernelOf is the name of the kernel that a stub launches.
func kernelOf(stub string) string {
	stub = strings.Trim(stub, `"`)
	name := stubName.ReplaceAllStringFunc(stub, func(m string) string {
		n, err := strconv.Atoi(strings.TrimSuffix(m, "__device_stub__"))
		if err != nil {
			return m
		}
		return strconv.Itoa(n - len("__device_stub__"))
	})
	return strings.Replace(name, "__device_stub__", "", 1)
}
