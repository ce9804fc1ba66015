package repair

import (
	"cmp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
	"github.com/warpgrind/warpgrind/internal/repair/order"
)

// most bounds the candidates of one finding.
const most = 40

func addSyncwarp(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(order.NameAllLanes(p, f), order.CallBetween(p, f)...)
}

func widenScope(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(order.WidenScopes(p, f), order.Reword(p, f, order.Scoped)...)
}

func addProxyFence(p *code.Program, f *finding.Finding) []*code.Patch {
	var before []*code.Patch
	if len(f.Related) == 0 { // before the operation
		before = order.CallBeside(p, f.Primary.Loc.Pos, order.Between[finding.AddProxyFence][0])
	}
	return append(before, order.CallAround(p, f)...)
}

func takeLock(p *code.Program, f *finding.Finding) []*code.Patch {
	return slices.Concat(order.TakeLock(p, f), order.UpdateAtomically(p, f), order.CallBetween(p, f))
}

func makeVolatile(p *code.Program, f *finding.Finding) []*code.Patch {
	made := order.MakeFlagVolatile(p, f)
	if order.OnFlag(f) {
		made = append(made, order.MakeVolatile(p, f)...)
	}
	return made
}

func makeAtomic(p *code.Program, f *finding.Finding) []*code.Patch {
	made := slices.Concat(order.TestAndSet(p, f), order.MakeAtomic(p, f), order.WriteOut(p, f), order.ReadAtomically(p, f))
	if f.Cause == "not-atomic" {
		made = slices.Concat(order.MakeAtomic(p, f), order.WriteOut(p, f), order.ReadAtomically(p, f), order.RelaxAlso(p, f), order.ReadVolatile(p, f), order.TestAndSet(p, f))
	}
	if order.Apart(f) { // no barrier of a block orders blocks
		return made
	}
	if f.Cause == "test-then-set" || f.Cause == "lost-update" { // no barrier makes one operation of two
		return made
	}
	return slices.Concat(made, order.CallAround(p, f), guard.GuardByStride(p, f))
}

func waitForAll(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(order.AwaitAll(p, f), order.CallBetween(p, f)...)
}

func waitFirst(p *code.Program, f *finding.Finding) []*code.Patch {
	return slices.Concat(order.WaitFirst(p, f), order.MoveOver(p, f), order.CallBetween(p, f))
}

func orderStreams(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(memory.OrderWork(p, f), memory.Publish(p, f)...)
}

func gridWait(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(order.CallBeside(p, f.Primary.Loc.Pos, order.Between[finding.GridWait][0]), order.CallAround(p, f)...)
}

func sameBarriers(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(barriersMoved(p, f), order.CountBarriers(p, f)...)
}

func fewerBarriers(p *code.Program, f *finding.Finding) []*code.Patch {
	return order.Reword(p, f, order.ReuseBarriers)
}

func moveOperation(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(order.NameLanes(p, f), order.Hoist(p, f)...)
}

func freeLater(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(memory.FreeAfter(p, f), order.KeepLeading(p, f, memory.FreeLater(p, f))...)
}

func launchCluster(p *code.Program, f *finding.Finding) []*code.Patch {
	return memory.LaunchWithAttribute(p, f, "cudaLaunchAttributeClusterDimension", "%[1]s.val.clusterDim.x = %[1]s.val.clusterDim.y = %[1]s.val.clusterDim.z = 1;")
}

func keepLimit(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(order.FitClusters(p, f), memory.FitShared(p, f)...)
}

func launchCooperatively(p *code.Program, f *finding.Finding) []*code.Patch {
	return memory.LaunchWithAttribute(p, f, "cudaLaunchAttributeCooperative", "%s.val.cooperative = 1;")
}

func fences(p *code.Program, f *finding.Finding) []*code.Patch {
	return slices.Concat(order.AddCalls(p, f), order.WriteFirst(p, f), order.StrengthenOrders(p, f), order.Reword(p, f, order.ArrivesRelaxed, order.WaitsRelaxed, order.Ordered), fencesOrBarriers(p, f), order.FenceTwice(p, f), order.MoveOver(p, f), order.Rescope(p, "thread_scope_device", "thread_scope_block", "thread_scope_thread"),
		order.Rescope(p, "sem_release", "sem_relaxed"), order.Rescope(p, "sem_acquire", "sem_relaxed"))
}

// fencesOrBarriers are fences between two accesses. In shared memory a fence of the block does as much as a wider one, and where it does
// not do, a thread may read before the other has written: then barriers of the block come before wider fences.
func fencesOrBarriers(p *code.Program, f *finding.Finding) []*code.Patch {
	made := order.CallBetween(p, f)
	made = code.First(min(most/2, len(made)), made)
	if f.Object == nil || f.Object.Space != "shared" || len(f.Related) == 0 {
		return made
	}
	const few = 6
	barriers := order.InsertCall(p, &finding.Repair{Call: finding.Syncthreads, From: &finding.Point{Pos: f.Related[0].Loc.Pos}, To: &finding.Point{Pos: f.Primary.Loc.Pos}})
	wider := slices.IndexFunc(made, func(m *code.Patch) bool { return m.Call != order.BlockFence+";" })
	if wider < 0 {
		wider = len(made)
	}
	return slices.Concat(made[:wider], barriers[:min(few, len(barriers))], made[wider:])
}

// mostCooperative is for how many places of a barrier of the grid the launches are made cooperative.
const mostCooperative = 6

// blocksWait are barriers of the grid, together with what makes the launches cooperative where they are not.
func blocksWait(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	barriers := order.CallAround(p, f)
	if f.Repair.Call == finding.GridSync {
		return barriers
	}
	launches := memory.LaunchWithAttribute(p, f, "cudaLaunchAttributeCooperative", "%s.val.cooperative = 1;")
	if len(launches) == 0 {
		return nil
	}
	for _, b := range code.First(mostCooperative, barriers) {
		both := code.Join(append([]*code.Patch{b}, launches...)...)
		both.Parts = nil // one does nothing without the other
		out = append(out, both)
	}
	return out
}

func barriersMoved(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(order.MoveBarrier(p, f), order.ReturnLater(p, f)...)
}

func firstValues(p *code.Program, f *finding.Finding) []*code.Patch {
	return append(memory.InitializeVariable(p, f), guard.GuardAccess(p, f)...)
}

func indices(p *code.Program, f *finding.Finding) []*code.Patch {
	if (intent{p}).byMap(f) { // a guard would leave out the copy that others wait for
		return nil
	}
	elements, bytes := memory.EnlargeShared(p, f)
	sized := memory.PassSize(p, f)
	guarded, lower := guard.GuardAccess(p, f), []*code.Patch(nil)
	if f.Range.Lo >= 0 { // an index that is too great is below a size
		lower = slices.DeleteFunc(slices.Clone(guarded), func(g *code.Patch) bool { return !g.Lower })
		guarded = slices.DeleteFunc(guarded, func(g *code.Patch) bool { return g.Lower })
	}
	if tells, _ := memory.HasSize(p, f, guarded); len(sized) > 0 && !tells && !memory.HasAnySize(p, f) {
		elements, sized = slices.Concat(elements, sized), nil
	}
	return slices.Concat(memory.ShortenCopies(p, f), memory.SizesInBytes(p, f), elements, code.First(most-4-len(sized), guarded), sized, lower, bytes, memory.ResizeArray(p, f), memory.CallLibrary(p, f))
}

// Candidates are patches each of which may remove a finding, the likeliest first. There are
// none for repairs of other kinds, and where the finding's places are not in the project.
func Candidates(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Repair == nil || memory.IsOverlap(p, f) {
		return nil
	}
	out := order.RankLeading(p, f, order.KeepConverged(p, code.Distinct(propose(p, f))))
	return out[:min(len(out), most)]
}

// propose are the patches for a finding, those included that a look at the text refuses.
func propose(p *code.Program, f *finding.Finding) []*code.Patch { return makerFor(f)(p, f) }

// makerFor is the maker of the kind of a finding's repair, or of calls between its places where it names the call.
func makerFor(f *finding.Finding) maker {
	r := f.Repair
	row := catalog[r.Kind]
	named := r.Placed() && r.Call != "" && !(r.Kind == finding.WaitForCopy && r.Then != "")
	if row.make == nil || named && !row.always {
		return order.CallBetween
	}
	return row.make
}

// Untried is the reason why a finding has no patch.
type Untried string

// The reasons.
const (
	// NoRepair: the finding names no repair.
	NoRepair Untried = "no-repair"
	// OtherKind: no repair of the kind is tried, as it takes what the program does not say, such as which of two values is meant.
	OtherKind Untried = "kind-not-tried"
	// NotInProgram: what the program should do instead is nowhere in it: an assertion or a trap that is reached, an index or a size
	// that is a constant.
	NotInProgram Untried = "not-in-program"
	// Elsewhere: the finding is not in the project's files.
	Elsewhere Untried = "not-in-project"
	// Overlap: the accesses are to two arrays in one block of memory that share bytes; how large each is to be is not in the program.
	Overlap Untried = "arrays-overlap"
	// SomeThreads: a barrier is missing, and all places for it are such that not all threads need come to them.
	SomeThreads Untried = "some-threads-only"
	// BlocksApart: accesses of different blocks need an order, and the launch is none whose blocks can wait for each other.
	BlocksApart Untried = "blocks-cannot-wait"
	// OutOfTime: the time for trials was over.
	OutOfTime Untried = "out-of-time"
	// NothingToEdit: what stands at its places is nothing that a patch of the kind edits.
	NothingToEdit Untried = "nothing-to-edit"
)

// WhyNone is why there are no candidates for a finding.
func WhyNone(p *code.Program, f *finding.Finding) Untried {
	switch r := f.Repair; {
	case r == nil:
		return NoRepair
	case memory.IsOverlap(p, f):
		return Overlap
	case intent{p}.statesNothing(f):
		return NotInProgram
	case catalog[r.Kind].make == nil && !(r.Placed() && r.Call != ""):
		return cmp.Or(catalog[r.Kind].why, OtherKind)
	case !slices.ContainsFunc(code.Places(f), func(at finding.Place) bool { return p.File(at.Loc.File) != nil }):
		return Elsewhere
	case len(propose(p, f)) > 0:
		return SomeThreads
	case r.Kind == finding.SplitKernel && r.Call == "":
		return BlocksApart
	}
	return NothingToEdit
}

// Faster are patches each of which may remove a finding of a performance rule.
func Faster(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Repair == nil || catalog[f.Repair.Kind].faster == nil {
		return nil
	}
	return catalog[f.Repair.Kind].faster(p, f)
}
