package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// Group joins findings of one cause to one finding and puts the most important
// first. One cause are
//
//   - findings at the same lines in several kernels, as instances of a template;
//   - findings in the code of a header library below one call of the user's;
//   - races of one kernel that one missing barrier can explain: their spans of
//     lines have a place for it in common, or touch and are on one variable;
//   - findings of one kernel that share the object, the cause and the repair;
//   - findings that name one origin, such as the flag that lacks its fences, or
//     the threads that had exited before several barriers;
//   - a kernel that waits at a barrier forever and its race of which a missing wait is
//     the cause;
//   - reads of uninitialized bytes and the race on just these bytes, in which they
//     came before the write;
//   - an access beyond what it means, and what is wrong with just the bytes that it hits;
//   - what is wrong at one barrier or warp-level operation of a kernel;
//   - races of one kernel and variable within one line, as an update that is not
//     atomic has them between its read and its write and between two writes.
//
// All of this is decided by the findings' values, nothing by their words. A joined
// finding is its most telling member, with the sums of all and the others as notes
// and in Members. fs is not changed.
func Group(fs []*finding.Finding, rules finding.Rules) []*finding.Finding {
	u := newUnion(len(fs))
	u.instances(fs)
	u.libraries(fs)
	u.lines(fs)
	u.origins(fs)
	u.causes(fs, rules)
	u.stuck(fs)
	u.early(fs)
	u.strayed(fs)
	u.missed(fs)
	sets := u.sets(len(fs))
	out := make([]*finding.Finding, 0, len(sets))
	for i, f := range fs {
		if set := sets[i]; len(set) == 1 {
			out = append(out, f)
		} else if len(set) > 1 {
			members := make([]*finding.Finding, len(set))
			for k, j := range set {
				members[k] = fs[j]
			}
			out = append(out, join(members, rules))
		}
	}
	Sort(out, rules)
	return out
}

// Ungroup returns the findings as the rules made them.
func Ungroup(fs []*finding.Finding) []*finding.Finding {
	var out []*finding.Finding
	for _, f := range fs {
		if len(f.Members) > 0 {
			out = append(out, f.Members...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// Sort puts findings in the order in which they are to be repaired: by level,
// then by rank of their rule; what only costs time by how much. The rest of the
// order stays.
func Sort(fs []*finding.Finding, rules finding.Rules) {
	slices.SortStableFunc(fs, func(a, b *finding.Finding) int {
		ra, rb := rules[a.Rule].Rank, rules[b.Rule].Rank
		switch {
		case a.Level != b.Level:
			return int(b.Level) - int(a.Level)
		case ra != finding.Costs && rb != finding.Costs:
			return int(ra) - int(rb)
		case ra != finding.Costs:
			return -1
		case rb != finding.Costs:
			return 1
		}
		return cmp.Or(strings.Compare(a.Rule, b.Rule), cmp.Compare(b.Count, a.Count))
	})
}

// union is a union-find structure over the indices of findings; the root of a
// set is its smallest index.
type union struct{ parent []int }

func newUnion(n int) *union {
	u := &union{make([]int, n)}
	for i := range u.parent {
		u.parent[i] = i
	}
	return u
}

func (u *union) find(i int) int {
	for u.parent[i] != i {
		u.parent[i] = u.parent[u.parent[i]]
		i = u.parent[i]
	}
	return i
}

func (u *union) join(i, j int) {
	i, j = u.find(i), u.find(j)
	u.parent[max(i, j)] = min(i, j)
}

// joinEqual joins the findings that have the same key; "" is not a key.
func (u *union) joinEqual(fs []*finding.Finding, key func(*finding.Finding) string) {
	first := map[string]int{}
	for i, f := range fs {
		k := key(f)
		if k == "" {
			continue
		}
		if j, ok := first[k]; ok {
			u.join(i, j)
		} else {
			first[k] = i
		}
	}
}

// instances joins findings at the same places of several kernels.
func (u *union) instances(fs []*finding.Finding) {
	u.joinEqual(fs, func(f *finding.Finding) string {
		if !f.Primary.Loc.IsValid() {
			return ""
		}
		k := []string{f.Rule, f.Level.String(), variety(f), f.Primary.Loc.Pos.String(), repairKey(f)}
		for _, p := range f.Related {
			k = append(k, p.Loc.Pos.String())
		}
		for _, p := range f.Primary.Loc.InlinedAt {
			k = append(k, p.String())
		}
		return strings.Join(k, "\x00")
	})
}

// variety is what a finding is within its rule: the kind of access of each side, and the
// cause where that is known.
func variety(f *finding.Finding) string {
	k := string(f.Cause) + "\x00" + string(f.Primary.Access)
	for _, p := range f.Related {
		k += "\x00" + string(p.Access)
	}
	return k
}

// repairKey tells repairs apart, wherever they go; "" is none.
func repairKey(f *finding.Finding) string {
	if f.Repair == nil {
		return ""
	}
	return string(f.Repair.Kind) + "\x00" + f.Repair.Call
}

// origins joins the findings that name one origin. What shows it may
// be of any level: the flag is information, the data that it publishes are not.
func (u *union) origins(fs []*finding.Finding) {
	u.joinEqual(fs, func(f *finding.Finding) string {
		if f.Origin == "" {
			return ""
		}
		return f.Rule + "\x00" + f.Origin
	})
}

// stuck joins the end of a kernel that waits at a barrier forever with the races that
// tell which wait is missing: whoever does not wait is ahead of those who do, and gone
// too soon.
func (u *union) stuck(fs []*finding.Finding) {
	for i, f := range fs {
		if !f.Waits {
			continue
		}
		for j, r := range fs {
			if r.Hangs && r.Kernel == f.Kernel && r.Level == f.Level {
				u.join(i, j)
			}
		}
	}
}

// early joins reads of uninitialized bytes with the race of the same read and a write of
// the same kernel on these bytes, which should have come before.
func (u *union) early(fs []*finding.Finding) {
	for i, f := range fs {
		if f.Rule != "init" {
			continue
		}
		for j, r := range fs {
			if r.Rule == "race" && r.Kernel == f.Kernel && r.Level == f.Level && r.Object.Same(f.Object) && r.Range.Holds(f.Range) && readsAt(r, f.Primary) {
				u.join(i, j)
				break
			}
		}
	}
}

// strayed joins an access beyond what it means with what other rules say of the same
// access to the bytes that it hits.
func (u *union) strayed(fs []*finding.Finding) {
	sets := u.sets(len(fs))
	for i, f := range fs {
		if f.Hit == nil || !f.Primary.Loc.IsValid() {
			continue
		}
		follows := func(j int) bool {
			o := fs[j]
			return (o.Rule == "init" || o.Rule == "race") && o.Kernel == f.Kernel && accesses(o, f.Primary) &&
				o.Object.Same(f.Hit) && f.HitRange.Holds(o.Range)
		}
		for root, set := range sets {
			if !slices.ContainsFunc(set, func(j int) bool { return !follows(j) }) {
				u.join(i, root)
			}
		}
	}
}

// sets are the findings of each root.
func (u *union) sets(n int) map[int][]int {
	sets := map[int][]int{}
	for i := range n {
		sets[u.find(i)] = append(sets[u.find(i)], i)
	}
	return sets
}

// accesses reports whether one side of a finding is an access.
func accesses(f *finding.Finding, at finding.Place) bool {
	return slices.ContainsFunc(append([]finding.Place{f.Primary}, f.Related...), func(p finding.Place) bool {
		return p.Loc.Pos == at.Loc.Pos && p.Access == at.Access
	})
}

// missed joins what is wrong at one barrier or warp-level operation.
func (u *union) missed(fs []*finding.Finding) {
	u.joinEqual(fs, func(f *finding.Finding) string {
		if f.Rule != "sync" || !f.Primary.Loc.IsValid() {
			return ""
		}
		return f.Kernel + "\x00" + f.Primary.Loc.String() + fmt.Sprint(f.Primary.Loc.InlinedAt)
	})
}

// libraries joins the findings in library code that the same calls of the user's lead to, and those of all
// kernels that one call launches.
func (u *union) libraries(fs []*finding.Finding) {
	u.joinEqual(fs, func(f *finding.Finding) string {
		if f.Primary.Library == nil {
			return ""
		}
		key := []string{f.Rule, f.Level.String(), f.Primary.Loc.Pos.String()}
		if !f.Primary.Launched {
			key = append(key, f.Kernel)
			for _, p := range f.Related {
				key = append(key, p.Loc.Pos.String())
			}
		}
		return strings.Join(key, "\x00")
	})
}

// readsAt reports whether the reading side of a race is at a place.
func readsAt(r *finding.Finding, at finding.Place) bool {
	places := append([]finding.Place{r.Primary}, r.Related...)
	return slices.ContainsFunc(places, func(p finding.Place) bool {
		return p.Loc.IsValid() && p.Loc.Pos == at.Loc.Pos && p.Access == finding.Read
	})
}

// lines joins the races of one kernel and object within one line.
func (u *union) lines(fs []*finding.Finding) {
	u.joinEqual(fs, func(f *finding.Finding) string {
		o := objectKey(f.Object)
		if o == "" || !oneLine(f) {
			return ""
		}
		at := source.Pos{File: f.Primary.Loc.File, Line: f.Primary.Loc.Line}
		return strings.Join([]string{f.Rule, f.Kernel, f.Level.String(), o, at.String()}, "\x00")
	})
}

// oneLine reports whether a finding is about two places within one line.
func oneLine(f *finding.Finding) bool {
	if len(f.Related) != 1 || !f.Primary.Loc.IsValid() {
		return false
	}
	a, b := f.Primary.Loc.Pos, f.Related[0].Loc.Pos
	return a.File == b.File && a.Line == b.Line
}

// causes joins findings of one kernel that share object, cause and repair, and those
// that one barrier can repair.
func (u *union) causes(fs []*finding.Finding, rules finding.Rules) {
	spans := map[string][]span{}
	index := map[*finding.Finding]int{}
	u.joinEqual(fs, func(f *finding.Finding) string {
		if !rules[f.Rule].Groups {
			return ""
		}
		kernel := f.Rule + "\x00" + f.Kernel + "\x00" + f.Level.String()
		if s, ok := spanOf(f); ok {
			k := kernel + "\x00" + f.Primary.Loc.File
			spans[k] = append(spans[k], s)
			return ""
		}
		if o := objectKey(f.Object); o != "" && f.Repair != nil && f.Origin == "" {
			return strings.Join([]string{kernel, o, repairKey(f), string(f.Cause)}, "\x00")
		}
		return ""
	})
	for i, f := range fs {
		index[f] = i
	}
	for _, ss := range spans {
		for i := range ss {
			ss[i].index = index[ss[i].f]
		}
		u.missingBarriers(ss)
	}
}

// objectKey tells objects apart; "" is an unknown one.
func objectKey(o *finding.Object) string {
	if o == nil || o.Kind == finding.Heap {
		return ""
	}
	return fmt.Sprint(o.Kind, "\x00", o.Space, "\x00", o.Name, "\x00", o.ID, "\x00", o.Address)
}

// decode reads details, which are a rule's own structure or what JSON made of
// it, into a structure of ours. What does not fit is left out.
func decode(details, into any) bool {
	if details == nil {
		return false
	}
	b, err := json.Marshal(details)
	return err == nil && json.Unmarshal(b, into) == nil
}
