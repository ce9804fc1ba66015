package irtext

import (
	"strconv"
	"strings"
)

// Access is a load or store instruction.
type Access struct {
	// Result is "%x = " for a load, "" for a store.
	Result string
	Store  bool
	// Type is the type of the value, Value the stored operand.
	Type, Value string
	// PtrType is "ptr" or "ptr addrspace(N)", Ptr the operand.
	PtrType, Ptr string
	Volatile     bool
	Atomic       bool
	// Scope and Order belong to atomics; Scope may be "".
	Scope, Order string
	// Align in bytes; 0 if not given.
	Align int
	// Tail is what follows the alignment, with its leading comma.
	Tail string
}

// parseAccess reads a line that holds a load or store; ok is false for any
// other line.
func parseAccess(line string) (a Access, ok bool) {
	rest, found := strings.CutPrefix(line, "  ")
	if !found {
		return a, false
	}
	if r, isStore := strings.CutPrefix(rest, "store "); isStore {
		a.Store, rest = true, r
	} else {
		eq := strings.Index(rest, " = load ")
		if eq < 0 || rest[0] != '%' || strings.ContainsAny(rest[:eq], " (") && rest[1] != '"' {
			return a, false
		}
		a.Result, rest = rest[:eq+3], rest[eq+len(" = load "):]
	}
	rest, a.Atomic = strings.CutPrefix(rest, "atomic ")
	rest, a.Volatile = strings.CutPrefix(rest, "volatile ")
	a.Type, rest = CutType(rest)
	if a.Store {
		rest = strings.TrimPrefix(rest, " ")
		a.Value, rest = CutOperand(rest)
	}
	rest, found = strings.CutPrefix(rest, ", ")
	if !found {
		return a, false
	}
	a.PtrType, rest = CutType(rest)
	a.Ptr, rest = CutOperand(strings.TrimPrefix(rest, " "))
	if a.Atomic {
		rest = a.cutOrdering(rest)
	}
	a.Align, a.Tail = CutAlign(rest)
	return a, strings.HasPrefix(a.PtrType, "ptr") && a.Type != ""
}

// cutOrdering takes syncscope and ordering off an atomic's text.
func (a *Access) cutOrdering(rest string) string {
	rest = strings.TrimPrefix(rest, " ")
	if r, found := strings.CutPrefix(rest, `syncscope("`); found {
		a.Scope, rest, _ = strings.Cut(r, `") `)
	}
	end := strings.IndexByte(rest, ',')
	if end < 0 {
		end = len(rest)
	}
	a.Order = rest[:end]
	return rest[end:]
}

// CutAlign takes ", align N" off and returns N, 0 where it is not there.
func CutAlign(s string) (align int, rest string) {
	r, found := strings.CutPrefix(s, ", align ")
	if !found {
		return 0, s
	}
	end := strings.IndexByte(r, ',')
	if end < 0 {
		end = len(r)
	}
	align, _ = strconv.Atoi(r[:end])
	return align, r[end:]
}

// String prints the instruction as LLVM does.
func (a Access) String() string {
	var b strings.Builder
	b.WriteString("  ")
	if a.Store {
		b.WriteString("store ")
	} else {
		b.WriteString(a.Result + "load ")
	}
	if a.Atomic {
		b.WriteString("atomic ")
	}
	if a.Volatile {
		b.WriteString("volatile ")
	}
	b.WriteString(a.Type)
	if a.Store {
		b.WriteString(" " + a.Value)
	}
	b.WriteString(", " + a.PtrType + " " + a.Ptr)
	if a.Atomic {
		if a.Scope != "" {
			b.WriteString(` syncscope("` + a.Scope + `")`)
		}
		b.WriteString(" " + a.Order)
	}
	if a.Align > 0 {
		b.WriteString(", align " + strconv.Itoa(a.Align))
	}
	b.WriteString(a.Tail)
	return b.String()
}

// Name returns the name that a load defines.
func (a Access) Name() string { return strings.TrimSuffix(a.Result, " = ") }
