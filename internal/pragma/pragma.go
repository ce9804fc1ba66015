// Package pragma has the directives with which the front end tells the other packages what PTX has no words for:
//
//	.pragma "warpgrind.NAME WORDS";
//
// ptxas ignores them, and clang, llc and this project's parser pass them on. Each is a type here, with the text that clang/passes
// writes and the function that cfg, lower and session read it with.
//
// Some are about the module (Type, Params, Coverage), some about a function (Variable, Count), and some mark the next instruction
// (Part, Scope, Decide: one that only copies a value; Silent: an mbarrier.init).
package pragma

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// Source is this file: compilations that were kept are good only for the same text of directives.
//
//go:embed pragma.go
var Source string

// begin is how the text of each directive begins.
const begin = `.pragma "warpgrind.`

// Text is a directive as PTX has it, without the semicolon.
func Text(d fmt.Stringer) string { return begin + d.String() + `"` }

// Asm is a directive within the text of inline assembly in LLVM IR, with its semicolon.
func Asm(d fmt.Stringer) string { return `.pragma \22warpgrind.` + d.String() + `\22;` }

// rest returns what follows the name in the text of a directive of that name.
func rest(text, name string) (string, bool) {
	text, ok := strings.CutPrefix(text, begin+name+" ")
	return strings.TrimSuffix(text, `"`), ok
}

// words returns the n words that follow the name.
func words(text, name string, n int) ([]string, bool) {
	s, ok := rest(text, name)
	if !ok {
		return nil, false
	}
	w := strings.Fields(s)
	return w, len(w) == n
}

// Type is the type of a variable of the module, in ctype's notation.
type Type struct{ Variable, Type string }

func (d Type) String() string { return "type " + d.Variable + " " + d.Type }

// ReadType reads such a directive.
func ReadType(text string) (d Type, ok bool) {
	s, ok := rest(text, "type")
	name, typ, found := strings.Cut(s, " ")
	return Type{name, typ}, ok && found
}

// Params has a letter for each parameter of a kernel.
type Params struct{ Kernel, Letters string }

// The letters.
const (
	RestrictedParam = 'r' // const T *__restrict__: the source promises not to write through it
	NumberParam     = 'n'
	OtherParam      = 'p'
)

func (d Params) String() string { return "params " + d.Kernel + " " + d.Letters }

// ReadParams reads such a directive.
func ReadParams(text string) (d Params, ok bool) {
	s, ok := rest(text, "params")
	name, letters, found := strings.Cut(s, " ")
	return Params{name, letters}, ok && found
}

// Coverage is the coverage mapping of a source, in the encoding of package coverage.
type Coverage struct{ Unit string }

func (d Coverage) String() string { return "coverage " + d.Unit }

// ReadCoverage reads such a directive.
func ReadCoverage(text string) (d Coverage, ok bool) {
	d.Unit, ok = rest(text, "coverage")
	return d, ok
}

// Kind is what a variable in the array of a function's local variables (the depot) represents.
type Kind uint8

// The kinds.
const (
	Local  Kind = iota // itself
	Unset              // a variable that lives in registers: that location belongs to uninitialized
	Member             // an array that is a member: an access beyond it is an index beyond that
	Row                // a row of an array, likewise
)

var kinds = [...]string{"local", "unset", "member", "row"}

// Variable is where a local variable lies: in the memory that Register has the address of.
type Variable struct {
	Kind Kind
	// Name is "-" where it is not known. Type is in ctype's notation.
	Name, Type, Register string
}

func (d Variable) String() string {
	return kinds[d.Kind] + " " + d.Name + " " + d.Type + " " + d.Register
}

// ReadVariable reads such a directive.
func ReadVariable(text string) (d Variable, ok bool) {
	for k, name := range kinds {
		if w, ok := words(text, name, 3); ok {
			return Variable{Kind(k), w[0], w[1], w[2]}, true
		}
	}
	return d, false
}

// Part begins a part that a kernel carves out of a shared array: the pointer that the next instruction copies.
type Part struct {
	// Name is the pointer's, Kinds are the sizes of numbers that it may point to, Line is that of its declaration.
	Name, Kinds string
	Line        int
}

func (d Part) String() string { return fmt.Sprintf("part %s %s %d", d.Name, d.Kinds, d.Line) }

// ReadPart reads such a directive.
func ReadPart(text string) (d Part, ok bool) {
	w, ok := words(text, "part", 3)
	if !ok {
		return d, false
	}
	line, _ := strconv.Atoi(w[2])
	return Part{w[0], w[1], line}, true
}

// Scope begins or ends the scope of the local variable whose address the next instruction copies.
type Scope struct {
	Ends bool
	Size uint64 // in bytes
}

func (d Scope) String() string {
	if d.Ends {
		return fmt.Sprintf("scope end %d", d.Size)
	}
	return fmt.Sprintf("scope begin %d", d.Size)
}

// ReadScope reads such a directive.
func ReadScope(text string) (d Scope, ok bool) {
	w, ok := words(text, "scope", 2)
	if !ok {
		return d, false
	}
	size, _ := strconv.ParseUint(w[1], 10, 32)
	return Scope{w[0] == "end", size}, true
}

// Counter is a counter of clang's coverage.
type Counter struct {
	Function string // its ID (coverage.Function)
	Number   int
}

// Count marks a place where a counter is increased by each execution of the basic block.
type Count struct{ Counter }

func (d Count) String() string { return fmt.Sprintf("count %s %d", d.Function, d.Number) }

// ReadCount reads such a directive.
func ReadCount(text string) (Count, bool) {
	c, ok := readCounter(text, "count")
	return Count{c}, ok
}

// Decide marks the instruction that copies a condition: a counter is increased where that holds.
type Decide struct{ Counter }

func (d Decide) String() string { return fmt.Sprintf("decide %s %d", d.Function, d.Number) }

// ReadDecide reads such a directive.
func ReadDecide(text string) (Decide, bool) {
	c, ok := readCounter(text, "decide")
	return Decide{c}, ok
}

func readCounter(text, name string) (c Counter, ok bool) {
	w, ok := words(text, name, 2)
	if !ok {
		return c, false
	}
	n, err := strconv.Atoi(w[1])
	return Counter{w[0], n}, err == nil && n >= 0
}

// IsSilent reports whether a directive marks the mbarrier.init of an object that may end without an mbarrier.inval. The
// header barrier.h has it.
func IsSilent(text string) bool {
	_, ok := rest(text, "silent")
	return ok
}
