package diagnose

import "github.com/warpgrind/warpgrind/internal/finding"

// Details is the race rule's part of a finding in JSON.
type Details struct {
	Space string `json:"space"`
	// Variable is the demangled name, "" where unknown; Index counts elements
	// of the access size from its start, -1 where unknown.
	Variable string `json:"variable,omitempty"`
	Index    int64  `json:"index"`
	// Offset is in bytes from the variable's start, Address from the start of
	// the block's shared memory. Bytes is how many bytes both access.
	Offset  uint64 `json:"offset"`
	Address uint64 `json:"address"`
	Bytes   int    `json:"bytes"`
	// Owner is the block to which shared memory belongs that blocks of a cluster
	// share, nil for others.
	Owner *uint64 `json:"owner,omitempty"`
	// RAW, WAR and WAW are thread pairs by hazard; IntraWarp and InterWarp are
	// the same pairs by where their threads are.
	RAW       uint64 `json:"raw"`
	WAR       uint64 `json:"war"`
	WAW       uint64 `json:"waw"`
	IntraWarp uint64 `json:"intra_warp"`
	InterWarp uint64 `json:"inter_warp"`
	// InterBlock are those of InterWarp whose threads are in different blocks.
	InterBlock uint64 `json:"inter_block,omitempty"`
	// SameValue: all pairs are writes of the same value.
	SameValue bool `json:"same_value"`
	// First and Then are the witness's accesses, in the order of the program as far as all
	// warps keep step.
	First Side `json:"first"`
	Then  Side `json:"then"`
	// Interval is where the witness's accesses are in time.
	Interval Interval `json:"interval"`
	Reason   string   `json:"reason"`
	// Cause and Repair are the reason and the help as values.
	Cause Cause `json:"cause"`
	// Origin names what is missing where several races have it in common: a fence at
	// a line, say. It is "" where it concerns this race alone.
	Origin string `json:"origin,omitempty"`
	// Follows: another race of the same origin shows better what is missing.
	Follows bool               `json:"follows,omitempty"`
	Repair  finding.RepairKind `json:"repair"`
}

// Side is one access of a witness.
type Side struct {
	Kind string `json:"kind"`
	// Thread is nil for work of a stream, which all its threads stand for.
	Thread *finding.Thread `json:"thread,omitempty"`
	Size   int             `json:"size"`
	Order  string          `json:"order"`
	// Value is what it read or wrote, "" where unknown.
	Value string `json:"value,omitempty"`
	// Synced is what the thread synchronized on last before the access.
	Synced string `json:"synced"`
}

// Interval is a barrier interval of a block. Number counts the full barriers
// that the block passed before it; After names the last one.
type Interval struct {
	Number uint64 `json:"number"`
	After  string `json:"after"`
}

// Merged adds the counts of two findings; the rest is the receiver's.
func (d Details) Merged(other any) any {
	o, ok := other.(Details)
	if !ok {
		return d
	}
	d.RAW += o.RAW
	d.WAR += o.WAR
	d.WAW += o.WAW
	d.IntraWarp += o.IntraWarp
	d.InterWarp += o.InterWarp
	d.InterBlock += o.InterBlock
	d.SameValue = d.SameValue && o.SameValue
	return d
}
