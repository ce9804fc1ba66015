package finding

import (
	"cmp"
	"strings"
)

// Cause is why something is a finding, as a word for programs: which of a fault's or
// a race's reasons it is. Message and Notes put it into words; joins and formats
// decide by the Cause.
type Cause string

// ObjectKind is the sort of an Object.
type ObjectKind string

// The sorts of objects.
const (
	Variable   ObjectKind = "variable"
	Allocation ObjectKind = "allocation"
	// Heap is memory from malloc in device code, whose address and number depend on
	// the schedule.
	Heap ObjectKind = "heap"
	// Part is a named part of an array in dynamic shared memory.
	Part ObjectKind = "part"
)

// Object is a piece of memory that a finding is about.
type Object struct {
	Kind ObjectKind `json:"kind"`
	// Space is the state space: "global", "shared", "local", "constant".
	Space string `json:"space"`
	// Name is a variable's or a part's as the source has it, "" for allocations.
	Name string `json:"name,omitempty"`
	// ID is the number of an allocation among those of the process. Variables of the
	// device have one, too.
	ID int `json:"id,omitempty"`
	// Where names the call that made an allocation, for people.
	Where string `json:"where,omitempty"`
	// Address is where it begins: an offset in shared or local memory. It is 0 for
	// Heap. Size is in bytes, 0 where unknown.
	Address uint64 `json:"address,omitempty"`
	Size    uint64 `json:"size,omitempty"`
}

// Same reports whether two objects are one and the same piece of memory. Of memory of
// the heap that is not known.
func (o *Object) Same(p *Object) bool {
	if o == nil || p == nil || o.Kind == Heap || p.Kind == Heap {
		return false
	}
	return o.Kind == p.Kind && o.Space == p.Space && o.Name == p.Name && o.ID == p.ID && o.Address == p.Address
}

// compare orders objects; nil comes first.
func (o *Object) compare(p *Object) int {
	switch {
	case o == nil && p == nil:
		return 0
	case o == nil:
		return -1
	case p == nil:
		return 1
	}
	return cmp.Or(
		strings.Compare(string(o.Kind), string(p.Kind)),
		strings.Compare(o.Space, p.Space),
		strings.Compare(o.Name, p.Name),
		cmp.Compare(o.ID, p.ID),
		cmp.Compare(o.Address, p.Address),
		cmp.Compare(o.Size, p.Size),
	)
}

// Bytes is a range of an object's bytes, by offsets from its start: from Lo to Hi,
// without Hi. The range of what a finding is about holds all that was seen; not each
// byte in it need have been.
type Bytes struct {
	Lo int64 `json:"lo"`
	Hi int64 `json:"hi"`
}

// Holds reports whether o lies within b. The empty range holds nothing and lies
// nowhere.
func (b Bytes) Holds(o Bytes) bool { return o.Lo < o.Hi && b.Lo <= o.Lo && o.Hi <= b.Hi }

// With is the smallest range with the bytes of both.
func (b Bytes) With(o Bytes) Bytes {
	switch {
	case b.Lo >= b.Hi:
		return o
	case o.Lo >= o.Hi:
		return b
	}
	return Bytes{min(b.Lo, o.Lo), max(b.Hi, o.Hi)}
}

// Access is what an instruction or a call does to memory.
type Access string

// The accesses; "" is for places that access nothing.
const (
	Read   Access = "read"
	Write  Access = "write"
	Atomic Access = "atomic"
)
