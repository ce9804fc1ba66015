package order

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
)

// CallBetween are calls between the accesses of a finding.
func CallBetween(p *code.Program, f *finding.Finding) []*code.Patch {
	r := f.Repair
	if !r.Placed() || r.Call == "" {
		return slices.Concat(phaseWaits(p, f), nameMembers(p, f), CallAround(p, f), maskCalls(p, f), UpdateAtomically(p, f), atClusterEnd(p, f))
	}
	inserted := InsertCall(p, r)
	if r.Kind == finding.AddBarrier { // what was read too early comes later in the text
		inserted = append(inserted, code.First(mostPaired, InsertCall(p, &finding.Repair{Call: r.Call, From: r.To, To: r.From}))...)
	}
	var branches []*code.Patch
	if r.Call == finding.Syncthreads {
		branches = append(inBranches(p, r), splitBranch(p, r)...)
	}
	if _, to := p.At(r.To.Pos); to != nil && len(branches) > 0 && conditionRead(p, f, to) {
		inserted, branches = slices.Concat(branches, inserted), nil
	}
	return slices.Concat(code.First(2, nameMembers(p, f)), inserted, branches, nameMembers(p, f), maskCalls(p, f), guard.GuardByStride(p, f), UpdateAtomically(p, f), atClusterEnd(p, f), callForWholeLine(p, r), paired(r, inserted))
}

// mostPaired is of how many calls two are tried together.
const mostPaired = 4

// paired are two calls of a barrier together: the accesses of a loop may need one between them and one before the next pass.
func paired(r *finding.Repair, each []*code.Patch) (out []*code.Patch) {
	if r.Kind != finding.AddBarrier && r.Kind != finding.AddSyncwarp {
		return nil
	}
	each = code.First(min(mostPaired, len(each)), each)
	for i, a := range each {
		for _, b := range each[i+1:] {
			out = append(out, code.Join(a, b))
		}
	}
	return out
}

// atClusterEnd are barriers of the cluster at the kernel's end, where one is missing.
func atClusterEnd(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Repair.Kind != finding.ClusterBarrier {
		return nil
	}
	return JoinClusterAtEnd(p, f)
}

// InsertCall are the places for a call between two others, the likeliest first: where both are
// in one list of statements between them; in a loop that comes back to the second at its end;
// and else behind the first and before the second, further and further out.
func InsertCall(p *code.Program, r *finding.Repair) []*code.Patch {
	_, from := p.At(r.From.Pos)
	_, to := p.At(r.To.Pos)
	if from == nil || to == nil {
		return nil
	}
	c := code.Calls{Text: r.Call + ";", Named: inShort[r.Call]}
	if from.File == to.File {
		c.Ends = []int{from.From, to.From}
	}
	if from == to && !r.Next {
		c.Apart(p, r, from)
		c.Split(from)
	}
	a, b, common := code.Fork(from, to)
	if !r.Next && common > 0 && common < len(a) && common < len(b) && a[common-1].IsList() {
		c.Between(a[common-1], a[common], b[common])
	}
	for i := common - 1; i >= 0; i-- { // loops around both, the innermost first
		if a[i].IsLoop() {
			c.AtEnd(a[i].Body())
			c.AtStart(a[i].Body())
		}
	}
	if from == to && r.Next {
		c.Split(from)
	}
	for i := len(a) - 1; from == to && i > 0; i-- {
		c.Behind(a[i])
		c.Before(a[i])
	}
	for i := len(a) - 1; i >= common && i > 0; i-- {
		c.Behind(a[i])
	}
	for i := len(b) - 1; i >= common && i > 0; i-- {
		c.Before(b[i])
	}
	return c.Patches
}
