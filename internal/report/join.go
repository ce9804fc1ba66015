package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// maxListed is how many members a joined finding's notes name.
const maxListed = 6

// join makes one finding of members of one cause, two or more.
func join(members []*finding.Finding, rules finding.Rules) *finding.Finding {
	members = slices.Clone(members)
	slices.SortStableFunc(members, func(a, b *finding.Finding) int {
		if rules[a.Rule].Rank == finding.Costs && a.Count != b.Count {
			return cmp.Compare(b.Count, a.Count)
		}
		return cmp.Or(int(b.Level)-int(a.Level), strayRank(a)-strayRank(b), followRank(a)-followRank(b),
			nearRank(a)-nearRank(b), kindRank(a)-kindRank(b), a.Primary.Loc.Compare(b.Primary.Loc.Pos))
	})
	f := *members[0]
	f.Members = members
	f.Notes = slices.Clone(f.Notes)
	for _, m := range members[1:] {
		if m.Unit == f.Unit {
			f.Count += m.Count
		}
		f.Launches = f.Launches.Union(m.Launches)
		if d, ok := f.Details.(finding.Merger); ok && m.Rule == f.Rule {
			f.Details = d.Merged(m.Details)
		}
	}
	f.Notes = append(f.Notes, placeNotes(members)...)
	f.Notes = append(f.Notes, effects(members)...)
	f.Repair, f.Help = joinedRepair(members)
	return &f
}

// strayRank puts an access to the wrong memory before what follows from it.
func strayRank(f *finding.Finding) int {
	if f.Hit != nil || f.Rule == "memory" {
		return 0
	}
	return 1
}

// nearRank puts a witness across blocks before one across warps, and that before one within
// a warp: what holds for threads that are further apart convinces more, and its repair
// is enough for the others. What is not a race of two threads follows from one.
func nearRank(f *finding.Finding) int {
	if len(f.Related) == 0 || f.Primary.Thread == nil || f.Related[0].Thread == nil {
		return 3
	}
	switch a, b := f.Primary.Thread, f.Related[0].Thread; {
	case a.BlockIndex != b.BlockIndex:
		return 0
	case a.Warp != b.Warp:
		return 1
	}
	return 2
}

// kindRank puts the member first that shows best what is wrong: a value that is
// read too early or too late before two writes.
func kindRank(f *finding.Finding) int {
	if i := slices.Index([]string{"RAW", "WAR", "WAW"}, f.Kind); i >= 0 {
		return i
	}
	return 3
}

// followRank puts findings last that another one of their origin explains.
func followRank(f *finding.Finding) int {
	if f.Follows {
		return 1
	}
	return 0
}

// listed joins items, at most maxListed of them.
func listed(items []string, sep string) string {
	if n := len(items); n > maxListed {
		return strings.Join(items[:maxListed], sep) + fmt.Sprintf("%sand %d more", sep, n-maxListed)
	}
	return strings.Join(items, sep)
}

// placeNotes lists the other places of the first member's kernel.
func placeNotes(members []*finding.Finding) []string {
	places := tallied(members)
	if len(places) == 0 {
		return nil
	}
	one, many := "more place", "more places"
	if len(members[0].Related) > 0 {
		one, many = "more pair of places", "more pairs of places"
	}
	notes := []string{fmt.Sprintf("the same cause shows at %s:", count(uint64(len(places)), one, many))}
	for _, p := range places[:min(len(places), maxListed)] {
		note := "- " + p.where
		if p.count > 0 && p.unit != "" {
			note += ": " + count(p.count, p.unit, plural(p.unit))
		}
		notes = append(notes, note)
	}
	if n := len(places); n > maxListed {
		notes = append(notes, fmt.Sprintf("- and %d more", n-maxListed))
	}
	return notes
}

// tally is a place with what was counted there.
type tally struct {
	where string
	count uint64
	unit  string
}

// tallied gives the places of the members that placeNotes lists. Members that differ only in the
// calls that lead to their lines, those of a helper that is inlined many times, are one place.
func tallied(members []*finding.Finding) (places []tally) {
	at := map[tally]int{}
	for _, m := range members[1:] {
		if m.Kernel != members[0].Kernel || m.Rule != members[0].Rule || sameOperation(m, members[0]) {
			continue
		}
		key := tally{where: placeNote(m, members[0]), unit: m.Unit}
		i, seen := at[key]
		if !seen {
			i = len(places)
			at[key] = i
			places = append(places, key)
		}
		places[i].count += m.Count
	}
	return places
}

// sameOperation reports different findings of one operation.
func sameOperation(a, b *finding.Finding) bool {
	return a.Rule == b.Rule && a.Kernel == b.Kernel && a.Primary.Loc.IsValid() && len(a.Related)+len(b.Related) == 0 &&
		a.Primary.Loc.Pos == b.Primary.Loc.Pos && slices.Equal(a.Primary.Loc.InlinedAt, b.Primary.Loc.InlinedAt) &&
		(a.Kind != b.Kind || a.Cause != b.Cause)
}

// effects tells what else the cause of the first finding leads to: what is wrong with the
// same operation besides, and the findings of other rules.
func effects(members []*finding.Finding) (notes []string) {
	for _, m := range members[1:] {
		if sameOperation(m, members[0]) {
			if note := "there as well: " + m.Message; !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
		if m.Rule != members[0].Rule {
			notes = append(notes, fmt.Sprintf("therefore, at %s: %s", lineName(&m.Primary, members[0].Primary.Loc.File), m.Message))
		}
	}
	return notes
}

// placeNote names where a member is in a few words: "RAW on s, line 7 and line 8".
// Memory without a name is left out where the first member is about it.
func placeNote(f, first *finding.Finding) string {
	var b strings.Builder
	what, file := f.Kind, first.Primary.Loc.File
	if o := objectName(f.Object); o != "" && (f.Object.Name != "" || !f.Object.Same(first.Object)) {
		what += " on " + o
	}
	if what != "" {
		b.WriteString(what + ", ")
	}
	for _, p := range f.Related {
		b.WriteString(lineName(&p, file) + " and ")
	}
	b.WriteString(lineName(&f.Primary, file))
	return b.String()
}

// objectName is what a reader calls an object; "" where it has no name.
func objectName(o *finding.Object) string {
	switch {
	case o == nil:
		return ""
	case o.Name == "" && o.Where != "":
		return "the memory of " + o.Where
	}
	return o.Name
}

func plural(thing string) string {
	if strings.HasSuffix(thing, "s") || strings.HasSuffix(thing, "ch") {
		return thing + "es"
	}
	return thing + "s"
}

func lineName(p *finding.Place, file string) string {
	switch {
	case p.Library != nil:
		return libraryPos(p.Library.Pos).String()
	case !p.Loc.IsValid() && p.PTXLine == 0:
		return "an unknown line"
	case !p.Loc.IsValid():
		return fmt.Sprintf("PTX line %d", p.PTXLine)
	case p.Loc.File != file:
		return p.Loc.Pos.String()
	case p.Loc.Col > 0:
		return fmt.Sprintf("line %d:%d", p.Loc.Line, p.Loc.Col)
	}
	return fmt.Sprintf("line %d", p.Loc.Line)
}

// joinedRepair is what repairs all members, and the words for it: the fewest barriers
// that do, and what else is asked for. Within one line the latter is better than a
// barrier between its read and its write.
func joinedRepair(members []*finding.Finding) (*finding.Repair, string) {
	var ss []span
	var others []*finding.Finding
	line := true
	for _, m := range members {
		if m.Kernel != members[0].Kernel || m.Rule != members[0].Rule {
			continue
		}
		line = line && oneLine(m)
		if s, ok := spanOf(m); ok {
			ss = append(ss, s)
		} else if !slices.ContainsFunc(others, func(o *finding.Finding) bool { return o.Cause == m.Cause && o.Repair.Alike(m.Repair) }) {
			others = append(others, m)
		}
	}
	if len(ss) == 0 || line && len(others) > 0 {
		return fence(members, others[0])
	}
	helps := barrierHelps(ss, members[0].Primary.Loc.File)
	for _, o := range others[:min(len(others), 2)] {
		helps = append(helps, o.Help)
	}
	return barriers(ss)[0].placed(), strings.Join(helps, "; ")
}

// fence narrows a repair that asks for a fence between two lines to those between which
// it repairs all members of one origin.
func fence(members []*finding.Finding, of *finding.Finding) (*finding.Repair, string) {
	for _, m := range members {
		if m.Kernel == of.Kernel && m.Rule == of.Rule && m.Cause == of.Cause && sides(m.Repair) > sides(of.Repair) {
			of = m
		}
	}
	if r := allAdds(of, members); r != nil {
		return r, r.AddAll(members[0].Primary.Loc.File)
	}
	if !isFence(of.Repair) || members[0].Origin == "" {
		return of.Repair, of.Help
	}
	r := *of.Repair
	for _, f := range members {
		if isFence(f.Repair) && f.Repair.From.File == r.From.File {
			if f.Repair.From.Line > r.From.Line {
				r.From = f.Repair.From
			}
			if f.Repair.To.Line < r.To.Line {
				r.To = f.Repair.To
			}
		}
	}
	if r.From.Line >= r.To.Line {
		return of.Repair, of.Help
	}
	return &r, r.Add(members[0].Primary.Loc.File)
}

// allAdds is a repair with the calls of all members that lack the same as one of them, such as the fences around all accesses of a
// flag; nil where that one has all of them, or a repair has more than calls.
func allAdds(of *finding.Finding, members []*finding.Finding) *finding.Repair {
	if of.Origin == "" || sides(of.Repair) == 0 {
		return nil
	}
	r := *of.Repair
	r.Adds = slices.Clone(r.Adds)
	for _, m := range members {
		if m.Origin != of.Origin || m.Repair == nil || m.Repair.Kind != of.Repair.Kind {
			continue
		}
		if len(m.Repair.Orders) > 0 {
			return nil
		}
		for _, a := range m.Repair.Adds {
			if !slices.ContainsFunc(r.Adds, a.Same) {
				r.Adds = append(r.Adds, a)
			}
		}
	}
	if len(r.Adds) == len(of.Repair.Adds) {
		return nil
	}
	slices.SortStableFunc(r.Adds, finding.Addition.Compare)
	return &r
}

// sides is how many places a repair changes, of those that it names one by one: those of a flag are two.
func sides(r *finding.Repair) int {
	if r == nil {
		return 0
	}
	return len(r.Adds) + len(r.Orders)
}

// isFence reports whether a repair is one fence between two lines of one file.
func isFence(r *finding.Repair) bool {
	return r.Placed() && len(r.Adds) == 0 && r.Kind == finding.AddFence && r.From.File == r.To.File && r.From.IsValid() && r.From.Line < r.To.Line
}
