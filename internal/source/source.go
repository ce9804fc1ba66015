// Package source names places in CUDA source: files, positions, and the chain
// of inlined calls that leads to a position.
//
// Positions come from PTX .loc directives (PTX ISA, "Debugging Directives:
// .loc"). Lines and columns count from 1; 0 means unknown.
package source

import (
	"strconv"
	"strings"
)

// Pos is a place in a file. The zero Pos is unknown.
type Pos struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Col  int    `json:"column,omitempty"`
}

// Replacement is text in place of what a file has from From up to To, both in one file; columns count
// code points from 1.
type Replacement struct {
	From Pos    `json:"from"`
	To   Pos    `json:"to"`
	Text string `json:"text"`
}

// ParsePos reads "file:line"; what is none is unknown.
func ParsePos(s string) Pos {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return Pos{}
	}
	line, err := strconv.Atoi(s[i+1:])
	if err != nil {
		return Pos{}
	}
	return Pos{File: s[:i], Line: line}
}

// IsValid reports whether the line is known.
func (p Pos) IsValid() bool { return p.Line > 0 }

// String formats as file:line:column, leaving out what is unknown.
func (p Pos) String() string {
	if p.File == "" && p.Line == 0 {
		return "unknown position"
	}
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s
}

// Compare orders by file, line, column; it returns -1, 0 or 1.
func (p Pos) Compare(q Pos) int {
	switch {
	case p.File != q.File:
		return sign(p.File < q.File)
	case p.Line != q.Line:
		return sign(p.Line < q.Line)
	case p.Col != q.Col:
		return sign(p.Col < q.Col)
	}
	return 0
}

func sign(less bool) int {
	if less {
		return -1
	}
	return 1
}

// Location is a position and, where it lies in a function that was called or inlined, the
// calls that lead there, innermost first, as far as they are known.
type Location struct {
	Pos
	// Func is the function whose text Pos lies in, as written in the debug
	// information (mangled); "" when unknown.
	Func string `json:"function,omitempty"`
	// InlinedAt lists the call sites outward from Pos.
	InlinedAt []Pos `json:"inlined_at,omitempty"`
}
