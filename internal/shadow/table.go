package shadow

import _ "embed"

// InC has the forms of the tables in C, and the types and macros in which they are written.
//
//go:embed c/zjoin.c
var InC string

// A Word specifies a kind of states: what becomes of the state of a unit at an access, for each relation that the two may have. The
// forms in Go (zjoin.go) and in C (c/zjoin.c, in a folder of its own: go build refuses C beside Go where cgo is on) are made of it by the package's test with -update; the generator of AVX-512 code renders it.
//
// An access is a word of the same form, as a first access makes it of a unit: who accesses, when, and the kind, at all places
// that a state has for kinds.
type Word struct {
	// Name is what the forms are called by.
	Name string
	// Bits are 32 or 64.
	Bits int
	// Written is set in the state of a unit that is wholly written, and in each access. An access that looks at what was there asks the
	// history where it is not set. It is 0 where states do not have that.
	Written uint64
	// Rows are in the order in which they are looked at: the first whose relation holds counts.
	Rows []Row
}

// Relation is how an access is related to what the state of a unit has.
type Relation uint8

// Relations. In a sieve, Unknown is an earlier interval, too, and there is one block.
const (
	Unknown       Relation = iota // the state is less than that of any access that counts
	OtherBlock                    // another block has accessed the unit, alone or with others
	OtherInterval                 // the block has, in earlier intervals only
	OtherThread                   // another thread of the block has in this interval, alone or with others
	SameThread                    // the thread alone has in this interval
)

// Row is what becomes of a state to which an access has a relation: the bits Keep of the state, Take of the access, and Set.
type Row struct {
	When Relation
	// Differs are the bits of which at least one differs between the state and the access. Unknown has none, and SameThread, which
	// is the last row and holds where no other does.
	Differs         uint64
	Keep, Take, Set uint64
	// Alike is a place of kinds. Unless the state has there only the access's kind, and that is not a write, the history is asked.
	// It is not asked where Alike is 0.
	Alike uint64
}

const all = ^uint64(0)

// Quick has the states of quick looks. Of a thread that accesses a unit in several ways each kind is kept: whatever another
// one does races with one of them.
var Quick = Word{Name: "Quick", Bits: 64, Rows: []Row{
	{When: Unknown, Take: all},
	{When: OtherBlock, Differs: QuickBlock | QuickSeveral, Keep: all, Set: QuickSeveral, Alike: QuickEver},
	{When: OtherInterval, Differs: QuickInterval, Keep: QuickEver, Take: all},
	{When: OtherThread, Differs: QuickThread, Keep: all, Set: QuickThread, Alike: QuickNow},
	{When: SameThread, Keep: all, Take: QuickEver | QuickNow},
}}

// Sieve has the states of units of shared memory.
var Sieve = Word{Name: "Sieve", Bits: 32, Written: SieveWritten, Rows: []Row{
	{When: Unknown, Take: all},
	{When: OtherThread, Differs: SieveThread, Keep: all, Take: SieveWritten, Set: SieveSeveral, Alike: SieveWrite},
	{When: SameThread, Keep: all, Take: SieveWritten | SieveWrite},
}}
