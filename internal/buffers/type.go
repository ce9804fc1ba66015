// Package buffers looks at the device's memory as a user does: as named arrays
// of typed elements, which can be kept, written to files and compared.
package buffers

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// Type is the type of a buffer's elements. The zero Type is an unknown one,
// whose elements are words of 4 bytes, written in hexadecimal.
type Type struct {
	// Name is as in C++: "unsigned int".
	Name string
	// Size is the bytes of an element.
	Size int
	kind kind
}

type kind uint8

const (
	unknown kind = iota
	signed
	unsigned
	floating
	brain // bfloat16
)

// types are the scalar types by their demangled names.
var types = map[string]Type{
	"bool": {"bool", 1, unsigned}, "char": {"char", 1, signed}, "signed char": {"signed char", 1, signed},
	"unsigned char": {"unsigned char", 1, unsigned}, "short": {"short", 2, signed},
	"unsigned short": {"unsigned short", 2, unsigned}, "int": {"int", 4, signed},
	"unsigned int": {"unsigned int", 4, unsigned}, "long": {"long", 8, signed},
	"unsigned long": {"unsigned long", 8, unsigned}, "long long": {"long long", 8, signed},
	"unsigned long long": {"unsigned long long", 8, unsigned}, "float": {"float", 4, floating},
	"double": {"double", 8, floating}, "__half": {"__half", 2, floating}, "__nv_bfloat16": {"__nv_bfloat16", 2, brain},
}

// vectors are the element types of CUDA's vector types.
var vectors = map[string]string{
	"char": "char", "uchar": "unsigned char", "short": "short", "ushort": "unsigned short", "int": "int",
	"uint": "unsigned int", "long": "long", "ulong": "unsigned long", "longlong": "long long",
	"ulonglong": "unsigned long long", "float": "float", "double": "double",
}

// ParseType returns the type of a C++ type's elements: that of float4 is float.
// ok is false for other than arithmetic types.
func ParseType(name string) (t Type, ok bool) {
	name = strings.TrimSpace(name)
	for _, q := range []string{" const", " volatile"} {
		name = strings.ReplaceAll(name, q, "")
	}
	name = strings.TrimPrefix(strings.TrimPrefix(name, "const "), "volatile ")
	if t, ok := types[name]; ok {
		return t, true
	}
	switch name {
	case "__half2":
		return types["__half"], true
	case "__nv_bfloat162":
		return types["__nv_bfloat16"], true
	}
	if base := strings.TrimRight(name, "1234"); len(base) == len(name)-1 {
		if e, ok := vectors[base]; ok {
			return types[e], true
		}
	}
	return Type{}, false
}

// Pointee is the type that a parameter's C++ type points to, if it is a
// pointer to elements of a known type.
func Pointee(param string) (Type, bool) {
	for _, q := range []string{" const", " volatile", " __restrict", " restrict"} {
		param = strings.TrimSuffix(param, q)
	}
	p, ok := strings.CutSuffix(strings.TrimSpace(param), "*")
	if !ok {
		return Type{}, false
	}
	return ParseType(p)
}

// ParamTypes are the C++ types of a kernel's parameters, from its mangled name;
// nil where that does not have them.
func ParamTypes(mangled string) []string {
	d := finding.Demangle(mangled)
	if d == mangled || !strings.HasSuffix(d, ")") {
		return nil
	}
	depth, end := 0, len(d)-1
	var out []string
	for i := len(d) - 1; i >= 0; i-- {
		switch d[i] {
		case ')', '>', ']', '}':
			depth++
		case '(', '<', '[', '{':
			depth--
		}
		if depth == 1 && d[i] == ',' || depth == 0 {
			out = append([]string{strings.TrimSpace(d[i+1 : end])}, out...)
			end = i
		}
		if depth == 0 {
			break
		}
	}
	if len(out) == 1 && (out[0] == "" || out[0] == "void") {
		return []string{}
	}
	return out
}

// String is the type's name, or "bytes" for an unknown type.
func (t Type) String() string {
	if t.Name == "" {
		return "word"
	}
	return t.Name
}

// size is the bytes of an element.
func (t Type) size() int {
	if t.Size == 0 {
		return 4
	}
	return t.Size
}

// Elems is how many elements n bytes hold; an incomplete last one counts.
func (t Type) Elems(n int) int { return (n + t.size() - 1) / t.size() }

// Elem returns the bytes of element i of b.
func (t Type) Elem(b []byte, i int) []byte {
	from := min(i*t.size(), len(b))
	return b[from:min(from+t.size(), len(b))]
}

// Format writes an element so that reading it back gives the same value.
func (t Type) Format(b []byte) string {
	if len(b) != t.size() || t.kind == unknown {
		return hex(b)
	}
	v := bitsOf(b)
	switch t.kind {
	case signed:
		shift := 64 - 8*t.Size
		return strconv.FormatInt(int64(v<<shift)>>shift, 10)
	case unsigned:
		return strconv.FormatUint(v, 10)
	case brain:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v)<<16)), 'g', -1, 32)
	}
	switch t.Size {
	case 2:
		return strconv.FormatFloat(half(uint16(v)), 'g', -1, 32)
	case 4:
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
	}
	return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64)
}

func bitsOf(b []byte) uint64 {
	var w [8]byte
	copy(w[:], b)
	return binary.LittleEndian.Uint64(w[:])
}

// hex writes little-endian bytes as a number.
func hex(b []byte) string {
	s := "0x"
	for i := len(b) - 1; i >= 0; i-- {
		s += fmt.Sprintf("%02x", b[i])
	}
	return s
}

// half converts an IEEE 754 binary16 number.
func half(h uint16) float64 {
	sign, exp, frac := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 != 0 {
		sign = -1
	}
	switch exp {
	case 0:
		return sign * math.Ldexp(frac, -24)
	case 31:
		if frac != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+frac, exp-25)
}
