package report

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
)

// maxListed is how many members a joined finding's notes name.
const maxListed = 6

// join makes one finding of members of one cause, two or more.
func join(members []*finding.Finding) *finding.Finding {
	members = slices.Clone(members)
	slices.SortStableFunc(members, func(a, b *finding.Finding) int {
		if _, correctness := rank[a.Rule]; !correctness && a.Count != b.Count {
			return cmp.Compare(b.Count, a.Count)
		}
		return cmp.Or(int(b.Level)-int(a.Level), strayRank(a)-strayRank(b), followRank(a)-followRank(b), kindRank(a)-kindRank(b), a.Primary.Loc.Compare(b.Primary.Loc.Pos))
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
	f.Notes = append(f.Notes, kernelNotes(members)...)
	f.Notes = append(f.Notes, placeNotes(members)...)
	f.Notes = append(f.Notes, effects(members)...)
	f.Help = joinedHelp(members)
	return &f
}

// strayRank puts an access to the wrong memory before what follows from it.
func strayRank(f *finding.Finding) int {
	if f.Rule == "memory" {
		return 0
	}
	return 1
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
	if commonOf(f).Follows {
		return 1
	}
	return 0
}

// kernelNotes names the other kernels that have the finding.
func kernelNotes(members []*finding.Finding) []string {
	var names []string
	for _, m := range members[1:] {
		if m.KernelName != members[0].KernelName && !slices.Contains(names, m.KernelName) {
			names = append(names, m.KernelName)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"also in kernel " + listed(names, ", ")}
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
	var places []string
	for _, m := range members[1:] {
		if m.Kernel == members[0].Kernel && m.Rule == members[0].Rule && !sameOperation(m, members[0]) {
			places = append(places, "- "+placeNote(m, members[0].Primary.Loc.File))
		}
	}
	if len(places) == 0 {
		return nil
	}
	what := "place"
	if len(members[0].Related) > 0 {
		what = "pair of places"
	}
	head := fmt.Sprintf("the same cause shows at %s:", count(uint64(len(places)), "more "+what, "more "+pluralOf(what)))
	if n := len(places); n > maxListed {
		places = append(places[:maxListed:maxListed], fmt.Sprintf("- and %d more", n-maxListed))
	}
	return append([]string{head}, places...)
}

// sameOperation reports findings that say different things of one operation.
func sameOperation(a, b *finding.Finding) bool {
	return a.Rule == b.Rule && a.Kernel == b.Kernel && a.Primary.Loc.IsValid() && len(a.Related)+len(b.Related) == 0 &&
		a.Primary.Loc.Pos == b.Primary.Loc.Pos && slices.Equal(a.Primary.Loc.InlinedAt, b.Primary.Loc.InlinedAt) && a.Message != b.Message
}

// effects tells what else the cause of the first finding leads to: what is wrong with the
// same operation besides, and the findings of other rules.
func effects(members []*finding.Finding) (notes []string) {
	for _, m := range members[1:] {
		if sameOperation(m, members[0]) {
			notes = append(notes, "there as well: "+m.Message)
		}
		if m.Rule != members[0].Rule {
			notes = append(notes, fmt.Sprintf("therefore, at %s: %s", lineName(&m.Primary, members[0].Primary.Loc.File), m.Message))
		}
	}
	return notes
}

func pluralOf(what string) string {
	if rest, ok := strings.CutPrefix(what, "pair "); ok {
		return "pairs " + rest
	}
	return what + "s"
}

// placeNote names a member in a few words: "RAW on s, line 7 and line 8: 63
// thread pairs".
func placeNote(f *finding.Finding, file string) string {
	var b strings.Builder
	b.WriteString(f.Kind)
	if v := variableOf(f); v != "" {
		b.WriteString(" on " + v)
	}
	b.WriteString(", ")
	for _, p := range f.Related {
		b.WriteString(lineName(&p, file) + " and ")
	}
	b.WriteString(lineName(&f.Primary, file))
	if f.Count > 0 && f.Unit != "" {
		b.WriteString(": " + count(f.Count, f.Unit, plural(f.Unit)))
	}
	return strings.TrimPrefix(b.String(), ", ")
}

func plural(thing string) string {
	if strings.HasSuffix(thing, "s") {
		return thing + "es"
	}
	return thing + "s"
}

func lineName(p *finding.Place, file string) string {
	switch {
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

// joinedHelp says what repairs all members: the fewest barriers that do, and
// what else is asked for. Within one line the latter is better than a barrier
// between its read and its write.
func joinedHelp(members []*finding.Finding) string {
	var ss []span
	var others []string
	line := true
	for _, m := range members {
		if m.Kernel != members[0].Kernel || m.Rule != members[0].Rule {
			continue
		}
		line = line && oneLine(m)
		if s, ok := spanOf(m); ok {
			ss = append(ss, s)
		} else if !slices.ContainsFunc(others, func(o string) bool { return fixOf(o) == fixOf(m.Help) }) {
			others = append(others, m.Help)
		}
	}
	switch {
	case len(ss) == 0, line && len(others) > 0:
		return fence(members, others[0])
	}
	return strings.Join(append(barrierHelps(ss), others[:min(len(others), 2)]...), "; ")
}

// fenceHelp matches help that asks for a fence between two lines.
var fenceHelp = regexp.MustCompile(`^(add __threadfence\w*\(\)) between line (\d+) and line (\d+)$`)

// fence narrows help that asks for a fence to the lines between which it repairs all
// members of one origin.
func fence(members []*finding.Finding, help string) string {
	m := fenceHelp.FindStringSubmatch(help)
	if m == nil || commonOf(members[0]).Origin == "" {
		return help
	}
	from, to := 0, math.MaxInt
	for _, f := range members {
		if x := fenceHelp.FindStringSubmatch(f.Help); x != nil {
			a, _ := strconv.Atoi(x[2])
			b, _ := strconv.Atoi(x[3])
			from, to = max(from, a), min(to, b)
		}
	}
	if from >= to {
		return help
	}
	return fmt.Sprintf("%s between line %d and line %d", m[1], from, to)
}

// barrierHelps asks for the fewest barriers, one text for each kind.
func barrierHelps(ss []span) []string {
	byBarrier := map[string][]string{}
	for _, b := range barriers(ss) {
		byBarrier[b.barrier] = append(byBarrier[b.barrier], b.where)
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(byBarrier)) {
		parts = append(parts, "add "+name+" "+listed(byBarrier[name], ", "))
	}
	return parts
}

// barriers returns the fewest places that lie in every span. Spans that go
// forward in the file are stabbed from the left (the greedy algorithm for
// points in intervals, which is optimal); those of a loop's next pass all
// contain the loop's end; those within one line have a place of their own.
func barriers(ss []span) []span {
	slices.SortStableFunc(ss, func(a, b span) int { return cmp.Or(a.high-b.high, b.low-a.low) })
	var out []span
	var wrap *span
	for _, s := range ss {
		switch {
		case s.early < s.late:
			out = stab(out, s)
		case s.early > s.late:
			wrap = wrapped(wrap, s)
		case !slices.ContainsFunc(out, func(o span) bool { return o.where == s.where }):
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b span) int { return cmp.Or(a.high-b.high, a.low-b.low) })
	for i := range out {
		if s := &out[i]; s.early < s.late {
			s.where = fmt.Sprintf("between line %d and line %d", s.early, s.late)
		}
	}
	if wrap != nil {
		wrap.where = fmt.Sprintf("after line %d, before line %d runs again", wrap.early, wrap.late)
		out = append(out, *wrap)
	}
	return out
}

// stab adds a forward span: it narrows the last one that it shares a gap with,
// or is a new one. The barrier just before the end of each is what counts.
func stab(out []span, s span) []span {
	for i := range out {
		if o := &out[i]; o.early < o.late && s.early < o.late && s.late >= o.late {
			o.early = max(o.early, s.early)
			o.barrier = stronger(o.barrier, s.barrier)
			return out
		}
	}
	return append(out, s)
}

func wrapped(w *span, s span) *span {
	if w == nil {
		return &s
	}
	w.early, w.late = max(w.early, s.early), min(w.late, s.late)
	w.barrier = stronger(w.barrier, s.barrier)
	return w
}

// stronger returns the barrier that orders more threads.
func stronger(a, b string) string {
	if a == blockBarrier {
		return a
	}
	return b
}
