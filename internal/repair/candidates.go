package repair

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// most bounds the candidates of one finding.
const most = 40

// Candidates are patches each of which may remove a finding, the likeliest first. There are
// none for repairs of other kinds, and where the finding's places are not in the project.
func (p *Program) Candidates(f *finding.Finding) []*Patch {
	r := f.Repair
	if r == nil {
		return nil
	}
	var out []*Patch
	switch {
	case r.Kind == "split-branch":
		out = p.around(f)
	case r.Placed() && r.Call != "":
		out = slices.Concat(first(2, p.members(f)), p.insertions(r), p.members(f), p.masked(f), p.strided(f), p.ownUpdate(f))
	case updates[r.Kind]:
		out = slices.Concat(p.atomics(f), p.around(f), p.strided(f))
	case moves[r.Kind]:
		out = append(p.moved(f), p.returnedLater(f)...)
	case hostOrders[r.Kind]:
		out = p.ordered(f)
	case fills[r.Kind]:
		out = p.filled(f)
	case initial[r.Kind]:
		out = append(p.initialized(f), p.guarded(f)...)
	case guards[r.Kind]:
		elements, bytes := p.larger(f)
		out = slices.Concat(elements, first(most-4, p.guarded(f)), bytes, p.resized(f))
	case maskRepairs[r.Kind]:
		out = p.renamed(f)
	case r.Kind == "free-later":
		out = p.freedLater(f)
	case r.Kind == "match-free":
		out = p.matched(f)
	case r.Kind == "direction" || r.Kind == "copy-less" || r.Kind == "check-size" || r.Kind == "copy-earlier":
		out = p.transferred(f)
	case r.Kind == "free":
		out = p.released(f)
	case r.Kind == "check-result" || r.Kind == "check-launch":
		out = p.verified(f)
	case r.Kind == "copy-to-host":
		out = p.copiedToHost(f)
	case r.Kind == "opt-in-shared":
		out = p.optedIn(f)
	case r.Kind == "launch-cooperatively":
		out = p.launchedWith(f, "cudaLaunchAttributeCooperative", "%s.val.cooperative = 1;")
	case r.Kind == "launch-cluster":
		out = p.launchedWith(f, "cudaLaunchAttributeClusterDimension", "%[1]s.val.clusterDim.x = %[1]s.val.clusterDim.y = %[1]s.val.clusterDim.z = 1;")
	case r.Kind == "coherent-load":
		out = p.coherent(f)
	case r.Kind == "free-once":
		out = p.freedOnce(f)
	case r.Kind == "round-up":
		out = p.rounded(f)
	case r.Kind == "scope":
		out = p.widened(f)
	case r.Kind == "volatile":
		out = p.strengthened(f)
	default:
		out = slices.Concat(p.members(f), p.around(f), p.masked(f), p.ownUpdate(f))
	}
	out = distinct(out)
	return out[:min(len(out), most)]
}

// first are the first n of some patches.
func first(n int, ps []*Patch) []*Patch { return ps[:min(n, len(ps))] }
