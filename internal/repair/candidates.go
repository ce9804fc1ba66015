package repair

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// most bounds the candidates of one finding.
const most = 40

// maker makes the patches of a kind of repair.
type maker func(*Program, *finding.Finding) []*Patch

// makers are the kinds of repair that there are patches for, besides those that are a call between two accesses.
var makers map[finding.RepairKind]maker

func init() {
	makers = map[finding.RepairKind]maker{
		// What orders accesses.
		finding.AddFence:        fences,
		finding.StrengthenOrder: fences,
		"lock": func(p *Program, f *finding.Finding) []*Patch {
			return slices.Concat(lockTaken(p, f), p.ownUpdate(f), p.between(f))
		},
		"split-branch":    branchEnded,
		"counted-barrier": (*Program).around,
		"even-loop":       loopsEvened,
		"split-kernel":    blocksWait,
		"wait-for-all": func(p *Program, f *finding.Finding) []*Patch {
			return append(allAwaited(p, f), p.between(f)...)
		},
		"scope": func(p *Program, f *finding.Finding) []*Patch {
			return append(p.widened(f), reworded(p, f, scoped)...)
		},
		"count-arrivals": arrivalsCounted,
		"count-threads":  threadsCounted,
		"relaxed-atomic": relaxed,
		"volatile": func(p *Program, f *finding.Finding) []*Patch {
			made := flagMadeVolatile(p, f)
			if onFlag(f) {
				made = append(made, p.strengthened(f)...)
			}
			return made
		},
		"coherent-load": (*Program).coherent,
		"wait-first": func(p *Program, f *finding.Finding) []*Patch {
			return slices.Concat(waitedFirst(p, f), movedOver(p, f), p.between(f))
		},
		"wait": copiesAwaited,
		"syncwarp": func(p *Program, f *finding.Finding) []*Patch {
			return append(allLanes(p, f), p.between(f)...)
		},
		"proxy-fence": func(p *Program, f *finding.Finding) []*Patch {
			var before []*Patch
			if len(f.Related) == 0 { // before the operation
				before = p.beside(f.Primary.Loc.Pos, between["proxy-fence"][0])
			}
			return append(before, p.around(f)...)
		},
		"wait-there": issuedLater,
		"grid-wait": func(p *Program, f *finding.Finding) []*Patch {
			return append(p.beside(f.Primary.Loc.Pos, between["grid-wait"][0]), p.around(f)...)
		},
		"host-wait":   (*Program).ordered,
		"child-wait":  childAwaited,
		"tail-launch": tailLaunched,
		"stream-order": func(p *Program, f *finding.Finding) []*Patch {
			return append(p.ordered(f), published(p, f)...)
		},
		"atomic": func(p *Program, f *finding.Finding) []*Patch {
			made := slices.Concat(testAndSet(p, f), p.atomics(f), writtenOut(p, f), readAtomically(p, f))
			if f.Cause == "not-atomic" {
				made = slices.Concat(p.atomics(f), writtenOut(p, f), readAtomically(p, f), relaxedToo(p, f), p.readsVolatile(f), testAndSet(p, f))
			}
			if apart(f) { // no barrier of a block orders blocks
				return made
			}
			if f.Cause == "test-then-set" || f.Cause == "lost-update" { // no barrier makes one operation of two
				return made
			}
			return slices.Concat(made, p.around(f), p.strided(f))
		},
		// Barriers and warp-level functions that some threads do not come to.
		"reach-barrier": barriersMoved,
		"move-barrier":  barriersMoved,
		"return-later":  barriersMoved,
		"same-barriers": func(p *Program, f *finding.Finding) []*Patch {
			return append(barriersMoved(p, f), barriersCounted(p, f)...)
		},
		"count-whole-warps": barriersCounted,
		"fewer-barriers": func(p *Program, f *finding.Finding) []*Patch {
			return reworded(p, f, barriersReused)
		},
		"one-barrier":        barriersMoved,
		"reach-grid-barrier": barriersMoved,
		"arrive-and-wait":    (*Program).arrivedOnce,
		"end-loop":           ended,
		"raise-limit":        leavable,
		"write-value":        writtenValue,
		"cluster-sync":       (*Program).joinedAtEnd,
		"name-lanes":         (*Program).renamed,
		"move-operation": func(p *Program, f *finding.Finding) []*Patch {
			return append(p.renamed(f), hoisted(p, f)...)
		},
		"read-present-lane":   hoisted,
		"invalidate-mbarrier": initializedOnce,
		"init-mbarrier":       mbarriersMade,
		"allocate-in-order":   columnsRounded,
		"tensor-fence":        tensorFences,
		"whole-warpgroups":    wholeWarpgroups,
		"deallocate-later":    deallocatedLater,
		// First values.
		"fill":                (*Program).filled,
		"reset":               (*Program).filled,
		"initialize-source":   (*Program).filled,
		"write-after-malloc":  heapFilled,
		"write-first":         firstValues,
		"write-register":      registersSet,
		"write-tensor-memory": tensorWritten,
		"initialize":          firstValues,
		// Sizes and indices.
		"check-index":          indices,
		"check-index-and-free": indices,
		"more-shared-memory":   indices,
		"move-part":            indices,
		"align":                unaligned,
		"check-pointer":        pointersChecked,
		"check-malloc":         pointersChecked,
		"direction":            (*Program).transferred,
		"widen-index":          widened,
		"copy-less":            (*Program).transferred,
		"check-size":           (*Program).transferred,
		"copy-earlier":         (*Program).transferred,
		// Allocations.
		"free-later": func(p *Program, f *finding.Finding) []*Patch {
			return append(freedAfter(p, f), p.leadingOnly(f, p.freedLater(f))...)
		},
		"match-free":      (*Program).matched,
		"free-once":       (*Program).freedOnce,
		"free-heap-once":  (*Program).freedOnce,
		"match-heap-free": (*Program).matched,
		"write-global":    (*Program).writable,
		"copy-parameter":  ownParameters,
		"device-pointer":  onDevice,
		"free":            (*Program).released,
		"copy-to-host":    (*Program).copiedToHost,
		// Launches and results.
		"round-up":       (*Program).rounded,
		"smaller-blocks": (*Program).smaller,
		"launch-bounds":  (*Program).smaller,
		"keep-limit": func(p *Program, f *finding.Finding) []*Patch {
			return append(clustersFit(p, f), sharedFits(p, f)...)
		},
		"raise-sync-depth": deeper,
		"check-result":     (*Program).verified,
		"check-launch":     (*Program).verified,
		"opt-in-shared":    (*Program).optedIn,
		"launch-cooperatively": func(p *Program, f *finding.Finding) []*Patch {
			return p.launchedWith(f, "cudaLaunchAttributeCooperative", "%s.val.cooperative = 1;")
		},
		"launch-cluster": func(p *Program, f *finding.Finding) []*Patch {
			return p.launchedWith(f, "cudaLaunchAttributeClusterDimension", "%[1]s.val.clusterDim.x = %[1]s.val.clusterDim.y = %[1]s.val.clusterDim.z = 1;")
		},
	}
}

func fences(p *Program, f *finding.Finding) []*Patch {
	return slices.Concat(p.additions(f), writtenFirst(p, f), p.reordered(f), reworded(p, f, arrivesRelaxed, waitsRelaxed, ordered), fencesOrBarriers(p, f), fencedTwice(p, f), movedOver(p, f), rescoped(p, "thread_scope_device", "thread_scope_block", "thread_scope_thread"),
		rescoped(p, "sem_release", "sem_relaxed"), rescoped(p, "sem_acquire", "sem_relaxed"))
}

// fencesOrBarriers are fences between two accesses. In shared memory a fence of the block does as much as a wider one, and where it does
// not do, a thread may read before the other has written: then barriers of the block come before wider fences.
func fencesOrBarriers(p *Program, f *finding.Finding) []*Patch {
	made := p.between(f)
	made = first(min(most/2, len(made)), made)
	if f.Object == nil || f.Object.Space != "shared" || len(f.Related) == 0 {
		return made
	}
	const few = 6
	barriers := p.insertions(&finding.Repair{Call: finding.Syncthreads, From: &finding.Point{Pos: f.Related[0].Loc.Pos}, To: &finding.Point{Pos: f.Primary.Loc.Pos}})
	wider := slices.IndexFunc(made, func(m *Patch) bool { return m.Call != blockFence+";" })
	if wider < 0 {
		wider = len(made)
	}
	return slices.Concat(made[:wider], barriers[:min(few, len(barriers))], made[wider:])
}

// mostCooperative is for how many places of a barrier of the grid the launches are made cooperative.
const mostCooperative = 6

// blocksWait are barriers of the grid, together with what makes the launches cooperative where they are not.
func blocksWait(p *Program, f *finding.Finding) (out []*Patch) {
	barriers := p.around(f)
	if f.Repair.Call == finding.GridSync {
		return barriers
	}
	launches := p.launchedWith(f, "cudaLaunchAttributeCooperative", "%s.val.cooperative = 1;")
	if len(launches) == 0 {
		return nil
	}
	for _, b := range first(mostCooperative, barriers) {
		both := Join(append([]*Patch{b}, launches...)...)
		both.Parts = nil // one does nothing without the other
		out = append(out, both)
	}
	return out
}

func barriersMoved(p *Program, f *finding.Finding) []*Patch {
	return append(p.moved(f), p.returnedLater(f)...)
}

func firstValues(p *Program, f *finding.Finding) []*Patch {
	return append(p.initialized(f), p.guarded(f)...)
}

func indices(p *Program, f *finding.Finding) []*Patch {
	if (intent{p}).byMap(f) { // a guard would leave out the copy that others wait for
		return nil
	}
	elements, bytes := p.larger(f)
	sized := sized(p, f)
	guarded, lower := p.guarded(f), []*Patch(nil)
	if f.Range.Lo >= 0 { // an index that is too great is below a size
		lower = slices.DeleteFunc(slices.Clone(guarded), func(g *Patch) bool { return !g.lower })
		guarded = slices.DeleteFunc(guarded, func(g *Patch) bool { return g.lower })
	}
	if tells, _ := p.tellsSize(f, guarded); len(sized) > 0 && !tells && !p.tellsAnySize(f) {
		elements, sized = slices.Concat(elements, sized), nil
	}
	return slices.Concat(shortened(p, f), sizesInBytes(p, f), elements, first(most-4-len(sized), guarded), sized, lower, bytes, p.resized(f), libraryCalled(p, f))
}

// Candidates are patches each of which may remove a finding, the likeliest first. There are
// none for repairs of other kinds, and where the finding's places are not in the project.
func (p *Program) Candidates(f *finding.Finding) []*Patch {
	if f.Repair == nil || p.overlapping(f) {
		return nil
	}
	out := p.leadingFirst(f, p.converged(distinct(p.proposed(f))))
	return out[:min(len(out), most)]
}

// proposed are the patches for a finding, those included that a look at the text refuses.
func (p *Program) proposed(f *finding.Finding) (out []*Patch) {
	r := f.Repair
	switch made := makers[r.Kind]; {
	case r.Placed() && r.Call != "" && r.Kind != finding.AddFence && r.Kind != "split-branch" && r.Kind != "counted-barrier" && !(r.Kind == "wait" && r.Then != ""):
		out = p.between(f)
	case made != nil:
		out = made(p, f)
	default:
		out = p.between(f)
	}
	return out
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
func (p *Program) WhyNone(f *finding.Finding) Untried {
	switch r := f.Repair; {
	case r == nil:
		return NoRepair
	case p.overlapping(f):
		return Overlap
	case intent{p}.statesNothing(f):
		return NotInProgram
	case makers[r.Kind] == nil && between[r.Kind] == nil && !(r.Placed() && r.Call != ""):
		return OtherKind
	case !slices.ContainsFunc(places(f), func(at finding.Place) bool { return p.file(at.Loc.File) != nil }):
		return Elsewhere
	case len(p.proposed(f)) > 0:
		return SomeThreads
	case r.Kind == "split-kernel" && r.Call == "":
		return BlocksApart
	}
	return NothingToEdit
}

// between are calls between the accesses of a finding.
func (p *Program) between(f *finding.Finding) []*Patch {
	r := f.Repair
	if !r.Placed() || r.Call == "" {
		return slices.Concat(phaseWaits(p, f), p.members(f), p.around(f), p.masked(f), p.ownUpdate(f), atClusterEnd(p, f))
	}
	inserted := p.insertions(r)
	if r.Kind == finding.AddBarrier { // what was read too early comes later in the text
		inserted = append(inserted, first(mostPaired, p.insertions(&finding.Repair{Call: r.Call, From: r.To, To: r.From}))...)
	}
	var branches []*Patch
	if r.Call == finding.Syncthreads {
		branches = append(inBranches(p, r), p.split(r)...)
	}
	if _, to := p.at(r.To.Pos); to != nil && len(branches) > 0 && conditionRead(p, f, to) {
		inserted, branches = slices.Concat(branches, inserted), nil
	}
	return slices.Concat(first(2, p.members(f)), inserted, branches, p.members(f), p.masked(f), p.strided(f), p.ownUpdate(f), atClusterEnd(p, f), p.wholeLine(r), paired(r, inserted))
}

// mostPaired is of how many calls two are tried together.
const mostPaired = 4

// paired are two calls of a barrier together: the accesses of a loop may need one between them and one before the next pass.
func paired(r *finding.Repair, each []*Patch) (out []*Patch) {
	if r.Kind != finding.AddBarrier && r.Kind != finding.AddSyncwarp {
		return nil
	}
	each = first(min(mostPaired, len(each)), each)
	for i, a := range each {
		for _, b := range each[i+1:] {
			out = append(out, Join(a, b))
		}
	}
	return out
}

// atClusterEnd are barriers of the cluster at the kernel's end, where one is missing.
func atClusterEnd(p *Program, f *finding.Finding) []*Patch {
	if f.Repair.Kind != "cluster-barrier" {
		return nil
	}
	return p.joinedAtEnd(f)
}

// first are the first n of some patches.
func first(n int, ps []*Patch) []*Patch { return ps[:min(n, len(ps))] }
