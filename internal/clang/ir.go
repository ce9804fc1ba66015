package clang

import (
	"strconv"
	"strings"
)

// The rewriting of LLVM IR works on its text, a line at a time: clang and opt
// print one instruction a line, and what is not recognised is kept as it is.
// Only the shapes that LLVM itself prints are understood.

// memAccess is a load or store instruction, split up.
type memAccess struct {
	// result is "%x = " for a load, "" for a store.
	result string
	store  bool
	// typ is the type of the value, value the stored operand.
	typ, value string
	// ptrType is "ptr" or "ptr addrspace(N)", ptr the operand.
	ptrType, ptr string
	volatile     bool
	atomic       bool
	// scope and order belong to atomics; scope may be "".
	scope, order string
	// align in bytes; 0 if not given.
	align int
	// tail is what follows the alignment, with its leading comma.
	tail string
}

// parseAccess reads a line that holds a load or store; ok is false for any
// other line.
func parseAccess(line string) (a memAccess, ok bool) {
	rest, found := strings.CutPrefix(line, "  ")
	if !found {
		return a, false
	}
	if r, isStore := strings.CutPrefix(rest, "store "); isStore {
		a.store, rest = true, r
	} else {
		eq := strings.Index(rest, " = load ")
		if eq < 0 || rest[0] != '%' || strings.ContainsAny(rest[:eq], " (") && rest[1] != '"' {
			return a, false
		}
		a.result, rest = rest[:eq+3], rest[eq+len(" = load "):]
	}
	rest, a.atomic = strings.CutPrefix(rest, "atomic ")
	rest, a.volatile = strings.CutPrefix(rest, "volatile ")
	a.typ, rest = cutType(rest)
	if a.store {
		rest = strings.TrimPrefix(rest, " ")
		a.value, rest = cutOperand(rest)
	}
	rest, found = strings.CutPrefix(rest, ", ")
	if !found {
		return a, false
	}
	a.ptrType, rest = cutType(rest)
	a.ptr, rest = cutOperand(strings.TrimPrefix(rest, " "))
	if a.atomic {
		rest = a.cutOrdering(rest)
	}
	a.tail = a.cutAlign(rest)
	return a, strings.HasPrefix(a.ptrType, "ptr") && a.typ != ""
}

// cutOrdering takes syncscope and ordering off an atomic's text.
func (a *memAccess) cutOrdering(rest string) string {
	rest = strings.TrimPrefix(rest, " ")
	if r, found := strings.CutPrefix(rest, `syncscope("`); found {
		a.scope, rest, _ = strings.Cut(r, `") `)
	}
	end := strings.IndexByte(rest, ',')
	if end < 0 {
		end = len(rest)
	}
	a.order = rest[:end]
	return rest[end:]
}

// cutAlign takes ", align N" off and returns the rest.
func (a *memAccess) cutAlign(rest string) string {
	r, found := strings.CutPrefix(rest, ", align ")
	if !found {
		return rest
	}
	end := strings.IndexByte(r, ',')
	if end < 0 {
		end = len(r)
	}
	a.align, _ = strconv.Atoi(r[:end])
	return r[end:]
}

// String prints the instruction as LLVM does.
func (a memAccess) String() string {
	var b strings.Builder
	b.WriteString("  ")
	if a.store {
		b.WriteString("store ")
	} else {
		b.WriteString(a.result + "load ")
	}
	if a.atomic {
		b.WriteString("atomic ")
	}
	if a.volatile {
		b.WriteString("volatile ")
	}
	b.WriteString(a.typ)
	if a.store {
		b.WriteString(" " + a.value)
	}
	b.WriteString(", " + a.ptrType + " " + a.ptr)
	if a.atomic {
		if a.scope != "" {
			b.WriteString(` syncscope("` + a.scope + `")`)
		}
		b.WriteString(" " + a.order)
	}
	if a.align > 0 {
		b.WriteString(", align " + strconv.Itoa(a.align))
	}
	b.WriteString(a.tail)
	return b.String()
}

// name returns the name that a load defines.
func (a memAccess) name() string { return strings.TrimSuffix(a.result, " = ") }

// cutType splits a type off the front: "i32", "<4 x float>", "[2 x i64]",
// "{ i8, i32 }", "%struct.S", "ptr addrspace(3)".
func cutType(s string) (typ, rest string) {
	if s == "" {
		return "", s
	}
	end := 0
	switch s[0] {
	case '<', '[', '{':
		end = matchBracket(s)
	case '%':
		end = nameEnd(s)
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

// cutOperand splits an operand off the front: a name, a number, a constant
// expression or an aggregate constant.
func cutOperand(s string) (op, rest string) {
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

// continues says whether an operand goes on after a space: constant
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

// matchBracket returns the index after the bracket that closes s[0].
func matchBracket(s string) int {
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

// nameEnd returns the length of the %name or @name at the front of s.
func nameEnd(s string) int {
	if len(s) > 1 && s[1] == '"' {
		if i := strings.IndexByte(s[2:], '"'); i >= 0 {
			return i + 3
		}
		return len(s)
	}
	i := 1
	for i < len(s) && isNameByte(s[i]) {
		i++
	}
	return i
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '$' || c == '-'
}

// addrSpace returns the number in "ptr addrspace(N)", 0 for "ptr".
func addrSpace(ptrType string) int {
	s, found := strings.CutPrefix(ptrType, "ptr addrspace(")
	if !found {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSuffix(s, ")"))
	return n
}

// Address spaces of NVPTX (LLVM, "User Guide for NVPTX Back-end").
const (
	spaceGeneric = 0
	spaceGlobal  = 1
	spaceShared  = 3
	spaceConst   = 4
	spaceLocal   = 5
	spaceParam   = 101
)

// typeBits returns the size in bits of a scalar type or vector of scalars, 0
// if the type is another or its size is not a power of two of whole bytes.
func typeBits(typ string) int {
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
			bits = count * typeBits(elem)
		}
	}
	if bits < 8 || bits&(bits-1) != 0 {
		return 0
	}
	return bits
}
