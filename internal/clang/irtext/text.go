package irtext

import (
	"regexp"
	"strconv"
	"strings"
)

// CutType splits a type off the front: "i32", "<4 x float>", "[2 x i64]",
// "{ i8, i32 }", "%struct.S", "ptr addrspace(3)".
func CutType(s string) (typ, rest string) {
	if s == "" {
		return "", s
	}
	end := 0
	switch s[0] {
	case '<', '[', '{':
		end = MatchBracket(s)
	case '%':
		end = NameEnd(s)
	default:
		for end < len(s) && s[end] != ' ' && s[end] != ',' && s[end] != ')' && s[end] != '*' {
			if s[end] == '(' {
				break
			}
			end++
		}
	}
	if strings.HasPrefix(s[end:], " addrspace(") {
		if i := strings.IndexByte(s[end:], ')'); i >= 0 {
			end += i + 1
		}
	}
	return s[:end], s[end:]
}

// CutOperand splits an operand off the front: a name, a number, a constant
// expression or an aggregate constant.
func CutOperand(s string) (op, rest string) {
	depth, quoted := 0, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if quoted {
			quoted = c != '"'
			continue
		}
		switch c {
		case '"':
			quoted = true
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			if depth == 0 {
				return s[:i], s[i:]
			}
			depth--
		case ',':
			if depth == 0 {
				return s[:i], s[i:]
			}
		case ' ':
			if depth == 0 && !continues(s[:i], s[i+1:]) {
				return s[:i], s[i:]
			}
		}
	}
	return s, ""
}

// continues reports whether an operand continues after a space: constant
// expressions write "getelementptr inbounds (", "addrspacecast (", "splat (".
func continues(before, after string) bool {
	if before == "" || before[0] == '%' || before[0] == '@' {
		return false
	}
	switch before[0] {
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return false
	}
	return strings.HasPrefix(after, "(") || strings.HasPrefix(after, "inbounds") ||
		strings.HasPrefix(after, "nuw") || strings.HasPrefix(after, "nusw") || strings.HasPrefix(after, "inrange")
}

// MatchBracket returns the index after the bracket that closes s[0].
func MatchBracket(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<', '[', '{', '(':
			depth++
		case '>', ']', '}', ')':
			depth--
			if depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// NameEnd returns the length of the %name or @name at the front of s.
func NameEnd(s string) int {
	if len(s) > 1 && s[1] == '"' {
		if i := strings.IndexByte(s[2:], '"'); i >= 0 {
			return i + 3
		}
		return len(s)
	}
	i := 1
	for i < len(s) && IsNameByte(s[i]) {
		i++
	}
	return i
}

func IsNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '$' || c == '-'
}

// AddrSpace returns the number in "ptr addrspace(N)", 0 for "ptr".
func AddrSpace(ptrType string) int {
	s, found := strings.CutPrefix(ptrType, "ptr addrspace(")
	if !found {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSuffix(s, ")"))
	return n
}

// Address spaces of NVPTX (LLVM, "User Guide for NVPTX Back-end").
const (
	SpaceGeneric = 0
	SpaceGlobal  = 1
	SpaceShared  = 3
	SpaceConst   = 4
	SpaceLocal   = 5
	SpaceParam   = 101
)

// TypeBits returns the size in bits of a scalar type or vector of scalars, 0
// if the type is another or its size is not a power of two of whole bytes.
func TypeBits(typ string) int {
	bits := 0
	switch typ {
	case "half", "bfloat":
		bits = 16
	case "float":
		bits = 32
	case "double":
		bits = 64
	default:
		switch {
		case strings.HasPrefix(typ, "ptr"):
			bits = 64
		case strings.HasPrefix(typ, "i"):
			bits, _ = strconv.Atoi(typ[1:])
		case strings.HasPrefix(typ, "<"):
			n, elem, _ := strings.Cut(strings.Trim(typ, "<>"), " x ")
			count, _ := strconv.Atoi(n)
			bits = count * TypeBits(elem)
		}
	}
	if bits < 8 || bits&(bits-1) != 0 {
		return 0
	}
	return bits
}

// CutItem splits the first of a list of comma-separated parameters off.
func CutItem(s string) (first, rest string) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				return s[:i], strings.TrimPrefix(s[i+1:], " ")
			}
		}
	}
	return s, ""
}

// DropMetadata takes one ", !kind !N" attachment out of a tail.
func DropMetadata(tail, kind string) string {
	i := strings.Index(tail, ", "+kind+" ")
	if i < 0 {
		return tail
	}
	rest := tail[i+2:]
	j := strings.Index(rest, ", ")
	if j < 0 {
		return tail[:i]
	}
	return tail[:i] + rest[j:]
}

// DebugOf returns the ", !dbg !N" of a tail, or "".
func DebugOf(tail string) string {
	i := strings.Index(tail, ", !dbg !")
	if i < 0 {
		return ""
	}
	s := tail[i:]
	if j := strings.Index(s[2:], ","); j >= 0 {
		s = s[:j+2]
	}
	return s
}

// Metadata returns the node of an attachment, "!12", or "".
func Metadata(s, kind string) string {
	_, rest, ok := strings.Cut(s, ", "+kind+" ")
	if !ok {
		return ""
	}
	node, _, _ := strings.Cut(rest, ",")
	return node
}

// CutPointer splits "ptr %x, rest" up.
func CutPointer(s string) (ptr, rest string, ok bool) {
	typ, s := CutType(s)
	ptr, rest = CutOperand(strings.TrimPrefix(s, " "))
	return ptr, strings.TrimPrefix(rest, ", "), strings.HasPrefix(typ, "ptr")
}

// Pointer is a pointer argument of a memory intrinsic.
type Pointer struct {
	Type, Op string
	Align    int
}

// CutArgument reads "ptr addrspace(3) noundef align 16 %x" off the front.
func CutArgument(s string) (p Pointer, rest string) {
	p.Type, s = CutType(s)
	p.Align = 1
	for {
		s = strings.TrimPrefix(s, " ")
		switch {
		case strings.HasPrefix(s, "align "):
			n := len("align ")
			for n < len(s) && s[n] >= '0' && s[n] <= '9' {
				n++
			}
			p.Align, _ = strconv.Atoi(s[len("align "):n])
			s = s[n:]
		case strings.HasPrefix(s, "dereferenceable"):
			s = s[strings.IndexByte(s, ')')+1:]
		case strings.HasPrefix(s, "noundef "), strings.HasPrefix(s, "nonnull "),
			strings.HasPrefix(s, "readonly "), strings.HasPrefix(s, "writeonly "),
			strings.HasPrefix(s, "nocapture "), strings.HasPrefix(s, "noalias "):
			s = s[strings.IndexByte(s, ' ')+1:]
		default:
			p.Op, rest = CutOperand(s)
			return p, strings.TrimPrefix(rest, ", ")
		}
	}
}

// CutConstant reads "i64 N" off the front.
func CutConstant(s string) (n int64, rest string, ok bool) {
	typ, s := CutType(s)
	op, rest := CutOperand(strings.TrimPrefix(s, " "))
	n, err := strconv.ParseInt(op, 10, 64)
	return n, strings.TrimPrefix(rest, ", "), err == nil && strings.HasPrefix(typ, "i")
}

var valueName = regexp.MustCompile(`%(?:"[^"]*"|[-\w.$]+)`)

// Values finds the names of local values in a text.
func Values(text string) []string { return valueName.FindAllString(text, -1) }
