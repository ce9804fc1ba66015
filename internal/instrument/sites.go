package instrument

import (
	"cmp"
	"slices"
)

// Kind is what an access does.
type Kind int

// Kinds are bits; an update such as a[i]++ reads and writes.
const (
	Read   Kind = 1
	Write  Kind = 2
	Update Kind = Read | Write
	Atomic Kind = 4 | Update
	// Barrier and Kernel number places that are not accesses.
	Barrier Kind = 8
)

// String returns the kind's name in reports.
func (k Kind) String() string {
	switch k {
	case Read:
		return "read"
	case Write:
		return "write"
	case Atomic:
		return "atomic"
	case Barrier:
		return "barrier"
	}
	return "update"
}

// Site is an instrumented access or barrier.
type Site struct {
	File string `json:"file"`
	// Line and Column count from 1 and are those of the original file.
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Kind   string `json:"kind"`
	// Text is the access as written, Statement the statement around it,
	// Variable the array or pointer, "" if there is none with a name.
	Text      string `json:"text"`
	Statement string `json:"statement"`
	Variable  string `json:"variable,omitempty"`
	// Function is the one that the text stands in.
	Function string `json:"function"`
	// Flags are those of invariant accesses, see Verdict.
	Flags int `json:"flags,omitempty"`
}

// span is a range of a file's text.
type span struct {
	file       *file
	begin, end int
}

// wrap is how a range of text is wrapped.
type wrap int

const (
	asLvalue  wrap = iota // wgi_r(12, a[i])
	asPointer             // atomicAdd(wgi_a(12, p), 1)
	asRange               // for (T x : wgi_each(12, a))
	asVoid                // (__syncthreads(), wgi_barrier(12))
	asValue               // wgi_barrier_value(12, __syncthreads_or(p))
	asText                // asm("bar.sync 0;")
	asReset               // (wgi_flush(), cudaDeviceReset())
	asLaunch              // k<<<wgi_ready(0, grid), block>>>
)

// host reports whether what is wrapped is code of the host.
func (w wrap) host() bool { return w == asReset || w == asLaunch }

// access is a range of text to wrap, found in one or more instantiations.
type access struct {
	span
	kind      Kind
	wrap      wrap
	function  string
	implicit  bool // the function is a constructor, destructor or conversion
	variable  string
	statement span
	loops     []span
	// size is the least that the object may have, in bytes.
	size      int
	id, flags int
}

// kernel is a kernel's body.
type kernel struct {
	name string
	body span
	// returns is set if threads may leave before the end, assembly if it has
	// inline assembly.
	returns, assembly bool
	// meets is set if all threads of a block can meet at the end: they all come
	// there, and those that return early keep no thread waiting at a barrier.
	meets bool
}

// hidden is a macro that accesses come from.
type hidden struct {
	file *file
	off  int
}

// found is what a syntax tree shows.
type found struct {
	accesses map[span]*access
	kernels  map[span]*kernel
	macros   map[hidden]bool
	// calls has for each function, by name, those that it calls.
	calls map[string]map[string]bool
	// starts are the bodies of main and of host functions that launch kernels.
	starts map[span]bool
	// unwatched are accesses that cannot be wrapped: place and why.
	unwatched map[string]bool
}

func newFound() *found {
	return &found{accesses: map[span]*access{}, kernels: map[span]*kernel{}, macros: map[hidden]bool{}, calls: map[string]map[string]bool{}, starts: map[span]bool{}, unwatched: map[string]bool{}}
}

// add joins an access with the facts about its range.
func (f *found) add(a access) {
	if old := f.accesses[a.span]; old != nil {
		old.kind |= a.kind
		old.size = min(old.size, a.size)
		return
	}
	f.accesses[a.span] = &a
}

// reaches returns the functions, by name, that one calls, directly or not, and
// itself.
func (f *found) reaches(function string) map[string]bool {
	all := map[string]bool{}
	var visit func(string)
	visit = func(name string) {
		if all[name] {
			return
		}
		all[name] = true
		for to := range f.calls[name] {
			visit(to)
		}
	}
	visit(function)
	return all
}

// sorted returns the accesses by file and place, outer ones first, numbered.
func (f *found) sorted(p *project) []*access {
	order := map[*file]int{}
	for i, file := range p.files {
		order[file] = i
	}
	var all []*access
	for _, a := range f.accesses {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *access) int {
		return cmp.Or(order[a.file]-order[b.file], a.begin-b.begin, b.end-a.end)
	})
	n := 0
	for _, a := range all {
		if !a.wrap.host() {
			a.id = n
			n++
		}
	}
	return all
}

// site describes an access.
func (a *access) site() Site {
	line, col := a.file.place(a.begin)
	s := Site{File: a.file.name, Line: line, Column: col, Kind: a.kind.String(), Function: a.function, Variable: a.variable,
		Text: oneLine(string(a.file.text[a.begin:a.end])), Statement: a.statementText(), Flags: a.flags}
	return s
}

// statementText is the statement's text with its semicolon, or the text of
// the access where there is no statement.
func (a *access) statementText() string {
	s := a.statement
	if s.file != a.file {
		return a.file.source(a.begin, a.end)
	}
	text := s.file.source(s.begin, s.end)
	after := s.file.original[min(s.file.originEnd(s.end), len(s.file.original)):]
	for len(after) > 0 && (after[0] == ' ' || after[0] == '\t') {
		after = after[1:]
	}
	if len(after) > 0 && after[0] == ';' {
		text += ";"
	}
	return text
}
