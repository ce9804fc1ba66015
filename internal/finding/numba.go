package finding

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// numbaNames reads what Numba mangles: a subset of the Itanium C++ ABI, in which types are those of
// Numba and characters that identifiers cannot have are escaped.
type numbaNames struct {
	rest   string
	failed bool
}

// numba returns a function's name as Python has it, "make.<locals>.scan", and the types of its
// parameters as Numba's signatures have them, "float32[::1]"; ok is false if Numba did not mangle it.
//
// Numba gives each function two ABI tags: "v" with its number, and the compressed flags that it was
// compiled with, in base64.
func numba(mangled string) (name string, params []string, ok bool) {
	text, ok := strings.CutPrefix(mangled, "_Z")
	if !ok {
		return "", nil, false
	}
	n := &numbaNames{rest: text}
	parts, tags := n.name()
	if n.failed || len(tags) != 2 || !version.MatchString(tags[0]) {
		return "", nil, false
	}
	if _, err := base64.StdEncoding.DecodeString(unescape(tags[1])); err != nil {
		return "", nil, false
	}
	for n.rest != "" && !n.failed {
		params = append(params, n.typ())
	}
	// Numba has put kernels into a namespace of its own, and scripts are the module __main__.
	for _, own := range []string{"cudapy", "__main__"} {
		if len(parts) > 1 && parts[0] == own {
			parts = parts[1:]
		}
	}
	return strings.Join(parts, "."), params, !n.failed
}

var version = regexp.MustCompile(`^v\d+$`)

func (n *numbaNames) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(n.rest, prefix)
	n.rest = rest
	return ok
}

func (n *numbaNames) digit() bool { return n.rest != "" && n.rest[0] >= '0' && n.rest[0] <= '9' }

// identifier is a text after its length.
func (n *numbaNames) identifier() string {
	end := strings.IndexFunc(n.rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = 0
	}
	size, err := strconv.Atoi(n.rest[:end])
	if err != nil || size > len(n.rest)-end {
		n.failed, n.rest = true, ""
		return ""
	}
	id := n.rest[end : end+size]
	n.rest = n.rest[end+size:]
	return id
}

// name is an identifier or several with N and E around them, and their ABI tags.
func (n *numbaNames) name() (parts, tags []string) {
	nested := n.skip("N")
	for parts = append(parts, n.part()); nested && n.digit(); {
		parts = append(parts, n.part())
	}
	for n.skip("B") {
		tags = append(tags, n.identifier())
	}
	if nested && !n.skip("E") {
		n.failed = true
	}
	return parts, tags
}

// numbaTypes are the types with codes.
var numbaTypes = map[byte]string{
	'v': "none", 'b': "boolean", 'h': "uint8", 'a': "int8", 't': "uint16", 's': "int16", 'j': "uint32", 'i': "int32",
	'y': "uint64", 'x': "int64", 'f': "float32", 'd': "float64",
}

// typ is a type, or an integer among the arguments of one.
func (n *numbaNames) typ() string {
	switch {
	case n.rest == "":
		n.failed = true
	case n.skip("Dh"):
		return "float16"
	case n.skip("L"):
		value, rest, ok := strings.Cut(n.rest, "E")
		n.rest, n.failed = rest, n.failed || !ok
		return strings.TrimPrefix(value, "i")
	case n.digit() || n.rest[0] == 'N':
		return n.template()
	case numbaTypes[n.rest[0]] != "":
		t := numbaTypes[n.rest[0]]
		n.rest = n.rest[1:]
		return t
	default:
		n.failed, n.rest = true, ""
	}
	return ""
}

// template is the name of a type, and its arguments.
func (n *numbaNames) template() string {
	nested := n.skip("N")
	name := unescape(n.identifier())
	for nested && n.digit() {
		name += "." + unescape(n.identifier())
	}
	var args []string
	if n.skip("I") {
		for !n.failed && !n.skip("E") {
			args = append(args, n.typ())
		}
	}
	if nested && !n.skip("E") {
		n.failed = true
	}
	switch {
	case len(args) == 0:
		return name
	case name == "Array" && len(args) > 2:
		if dims, err := strconv.Atoi(args[1]); err == nil && dims > 0 && dims < 100 {
			return args[0] + subscript(dims, args[2])
		}
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
}

// subscript is that of an array's type: [:,::1] is contiguous by rows (C), [::1,:] by columns (F).
func subscript(dims int, layout string) string {
	s := strings.Split(strings.Repeat(":", dims), "")
	switch layout {
	case "C":
		s[dims-1] = "::1"
	case "F":
		s[0] = "::1"
	}
	return "[" + strings.Join(s, ",") + "]"
}

// part is a part of a function's qualified name: an identifier, or one such as <locals>. Numba does
// not escape underscores, so that an escape may as well be a part of the identifier.
func (n *numbaNames) part() string {
	id := n.identifier()
	text := unescape(id)
	inner, angled := strings.CutPrefix(text, "<")
	if angled {
		inner = strings.TrimSuffix(inner, ">")
	}
	if strings.IndexFunc(inner, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) >= 0 {
		return id
	}
	return text
}

var escape = regexp.MustCompile(`_[0-9a-f]{2}`)

// unescape undoes "_xx", the bytes in hexadecimal of characters other than letters, digits and underscores.
func unescape(id string) string {
	text := escape.ReplaceAllStringFunc(id, func(e string) string {
		b, _ := strconv.ParseUint(e[1:], 16, 8)
		if c := rune(b); c < utf8.RuneSelf && (c == '_' || !unicode.IsGraphic(c) || unicode.IsLetter(c) || unicode.IsDigit(c)) {
			return e
		}
		return string([]byte{byte(b)})
	})
	if !utf8.ValidString(text) {
		return id
	}
	return text
}
