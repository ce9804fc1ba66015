package static

import (
	"bytes"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// HostCode is what host code says of kernels.
type HostCode struct {
	// Launches are the launches by the kernel's name as PTX has it, each once;
	// what is no constant is not known.
	Launches map[string][]Launch
	// Names are the names of the kernels' parameters.
	Names map[string][]string
}

var (
	pushCall = regexp.MustCompile(`@__cudaPushCallConfiguration\((.*)\)`)
	stubCall = regexp.MustCompile(`(?:call|invoke) void @("?[\w$.]*__device_stub__[\w$.]*"?)\((.*)\)`)
	stubDef  = regexp.MustCompile(`@("?[\w$.]*__device_stub__[\w$.]*"?)\((.*?)\)(?: local_unnamed_addr| unnamed_addr)? #\d+`)
	stubName = regexp.MustCompile(`(\d+)__device_stub__`)
)

// ReadHost reads launches and parameters' names out of host code in LLVM's
// language, made with stubs that are not inlined.
func ReadHost(ir []byte) *HostCode {
	h := &HostCode{Launches: map[string][]Launch{}, Names: map[string][]string{}}
	var config *Launch
	for line := range bytes.Lines(ir) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "define ") {
			config = nil
			if m := stubDef.FindStringSubmatch(text); m != nil {
				h.Names[kernelOf(m[1])] = parameterNames(arguments(m[2]))
			}
			continue
		}
		if m := pushCall.FindStringSubmatch(text); m != nil && !strings.HasPrefix(text, "declare") {
			config = configuration(arguments(m[1]))
			continue
		}
		if m := stubCall.FindStringSubmatch(text); m != nil && config != nil {
			h.add(kernelOf(m[1]), *config, arguments(m[2]))
		}
	}
	return h
}

func (h *HostCode) add(kernel string, l Launch, args []string) {
	l.Params, l.arguments = map[int]uint64{}, len(args)
	for i, a := range args {
		if v, ok := scalar(a); ok {
			l.Params[i] = v
		}
	}
	if !slices.ContainsFunc(h.Launches[kernel], l.Equal) {
		h.Launches[kernel] = append(h.Launches[kernel], l)
	}
}

// Equal reports whether the same is known of two launches.
func (l Launch) Equal(o Launch) bool {
	return l.Block == o.Block && l.Grid == o.Grid && l.Shared == o.Shared && maps.Equal(l.Params, o.Params)
}

// parameterNames takes the names out of "ptr noundef %data", "" where there is
// only a number.
func parameterNames(params []string) []string {
	out := make([]string, len(params))
	for i, p := range params {
		_, name, _ := strings.Cut(p, "%")
		name = strings.TrimSuffix(name, ".coerce")
		if name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsAny(name, " %") {
			out[i] = name
		}
	}
	return out
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
