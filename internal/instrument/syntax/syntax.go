// Package syntax reads the syntax tree that clang writes as JSON
// (-Xclang -ast-dump=json): the declarations of a project's own files with
// exact byte ranges, and of the system's headers nothing.
package syntax

import "io"

// Pos is the place of a token. The zero Pos is not a place.
type Pos struct {
	// File is the name that the compiler has for the file, "" for no place.
	File string
	// Off is the byte offset of the token, Len its length. Of a token that a
	// macro made they are those of the macro's name where it is used.
	Off, Len int
	// Macro is set if a macro made the token.
	Macro bool
	// Arg is where the token stands in the arguments of that macro, plus 1, and ArgLen its length
	// there; both are 0 where it is none of them.
	Arg, ArgLen int
}

// End is the offset after the token.
func (p Pos) End() int { return p.Off + p.Len }

// Ref is a declaration that an expression names.
type Ref struct {
	ID         string
	Kind, Name string
	Type       string
}

// Node is a declaration, statement, expression or attribute. The fields are
// those of clang's JSON; a kind has those that clang gives it.
type Node struct {
	ID, Kind   string
	Loc        Pos
	Begin, End Pos
	Name       string
	// Mangled is a function's symbol.
	Mangled string
	// Type is a type as written, Desugared the same without aliases where that
	// differs, else equal to Type. CtorType is a constructor's, ArgType the one
	// in sizeof(T).
	Type, Desugared, CtorType, ArgType string
	// Opcode is an operator: "=", "++". Cast is a cast's kind.
	Opcode, Cast string
	// Category is "lvalue", "xvalue" or "prvalue".
	Category string
	Storage  string
	// Default is "default" or "deleted" for a function that is declared so.
	Default string
	// NonODR says why naming a variable does not use it: "constant",
	// "unevaluated".
	NonODR string
	Value  string
	// Member is the ID of the declaration that a member expression names.
	Member                           string
	Arrow, Implicit, Const, BitField bool
	// Else is set for an if with else.
	Else  bool
	Ref   *Ref
	Inner []*Node
}

// Child returns the i-th child, or nil.
func (n *Node) Child(i int) *Node {
	if n == nil || i >= len(n.Inner) {
		return nil
	}
	return n.Inner[i]
}

// Has reports whether a node has a child of a kind, such as an attribute.
func (n *Node) Has(kind string) bool {
	for _, c := range n.Inner {
		if c.Kind == kind {
			return true
		}
	}
	return false
}

// Read returns the top-level declarations of the files that own accepts.
func Read(r io.Reader, own func(file string) bool) ([]*Node, error) {
	p := &parser{in: reader{src: r, buf: make([]byte, 0, 1<<16)}, own: own, words: map[string]string{}}
	return p.unit()
}
