package initialized

import (
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The causes of the rule.
const (
	// Unwritten: the memory was not written before the read.
	Unwritten finding.Cause = "unwritten"
	// EarlyWait: a wait that a value from before the launch ends.
	EarlyWait finding.Cause = "early-wait"
	// Stored: an uninitialized value was stored in the memory.
	Stored finding.Cause = "stored"
	// UndefinedLane: a shuffle reads a lane that takes no part in it.
	UndefinedLane finding.Cause = "undefined-lane"
	// UndefinedResponse: the first block of a response to a request to cancel a launch that canceled nothing.
	UndefinedResponse finding.Cause = "undefined-response"
	// CopiedOut: uninitialized memory that is copied to the host.
	CopiedOut finding.Cause = "copied-out"
	// NeverWritten: an allocation of which a part is never written.
	NeverWritten finding.Cause = "never-written"
)

// facts fills in what is read, and what removes the finding.
func (o *launchObserver) facts(f *finding.Finding, k readKey, r *read, site *trace.Site) {
	f.Cause, f.Repair = Unwritten, &finding.Repair{Kind: o.repair(k, r)}
	if r.first.source != nil {
		f.Cause = Stored
	}
	if at := check.HostPlace(r.memory.At); at.IsValid() && k.space == trace.SpaceGlobal {
		f.Repair.From = &finding.Point{Pos: at.Pos} // after the allocation
	}
	if from := r.first.source; from != nil { // of what was read first
		f.Repair.From = nil
		if at := check.HostPlace(from.memory.At); at.IsValid() && from.recorded == nil && from.key.space == trace.SpaceGlobal {
			f.Repair.From = &finding.Point{Pos: at.Pos}
		}
	}
	switch k.space {
	case trace.SpaceLane:
		f.Cause = UndefinedLane
	case trace.SpaceResponse:
		f.Cause = UndefinedResponse
	}
	base := uint64(0)
	switch {
	case k.space == trace.SpaceShared && k.object >= 0:
		v := &o.launch.Shared[k.object]
		f.Object, base = check.VariableObject(k.space, v), v.Addr
	case k.space == trace.SpaceLocal && site.Local != nil:
		f.Object, base = check.VariableObject(k.space, site.Local), site.Local.Addr
	case k.space == trace.SpaceGlobal:
		f.Object, base = check.ObjectOf(k.space, &r.memory), r.memory.Base
	default:
		return
	}
	if b := r.bytes; b.Lo < b.Hi && f.Object.Kind != finding.Heap {
		f.Range = finding.Bytes{Lo: b.Lo - int64(base), Hi: b.Hi - int64(base)}
	}
}

// repair is what to do about it.
func (o *launchObserver) repair(k readKey, r *read) finding.RepairKind {
	switch {
	case r.first.source != nil:
		return finding.InitializeSource
	case k.space == trace.SpaceShared && o.handsOver():
		return finding.WaitForWriter
	case k.space == trace.SpaceShared:
		return finding.WriteFirst
	case k.space == trace.SpaceLocal:
		return finding.Initialize
	case k.space == trace.SpaceRegister:
		return finding.WriteRegister
	case k.space == trace.SpaceLane:
		return finding.ReadPresent
	case k.space == trace.SpaceResponse:
		return finding.AskCanceled
	case k.space == trace.SpaceTensor:
		return finding.WriteTensor
	case r.memory.Kind == "symbol":
		return finding.CopySymbol
	case k.object < 0:
		return finding.WriteHeap
	}
	return finding.Fill
}
