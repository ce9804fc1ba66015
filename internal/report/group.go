package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/source"
)

// groupedRules are the rules whose findings at several places can have one
// cause: a missing barrier makes many pairs of lines race, an array that was
// never filled is read at many lines, one that lacks a word in each row has bank
// conflicts wherever it is read by columns. In other rules each place is a
// mistake of its own.
var groupedRules = map[string]bool{"race": true, "init": true, "bank": true}

// Group joins findings of one cause to one finding and puts the most important
// first. One cause are
//
//   - findings at the same lines in several kernels, as instances of a template;
//   - races of one kernel that one missing barrier can explain: their spans of
//     lines have a place for it in common, or touch and are on one variable;
//   - findings of one kernel that share the variable and the fix;
//   - findings whose details name one origin, such as the line where
//     a fence is missing;
//   - a kernel that does not end and its race of which a missing wait is the cause;
//   - reads of what nobody wrote and the race in which they came before the write;
//   - an access beyond what it means, and what is wrong with the memory that it hits;
//   - what is wrong at one barrier or warp-level operation of a kernel, and barriers that
//     the same threads had ended before;
//   - races of one kernel and variable within one line, as an update that is not
//     atomic has them between its read and its write and between two writes.
//
// A joined finding is its most telling member, with the sums of all and the
// others as notes and in Members. fs is not changed.
func Group(fs []*finding.Finding) []*finding.Finding {
	u := newUnion(len(fs))
	u.instances(fs)
	u.lines(fs)
	u.origins(fs)
	u.causes(fs)
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
			out = append(out, join(members))
		}
	}
	Sort(out)
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

// rank orders rules within a level: first what ends the program or keeps it
// from running, then wrong results, then lost time.
var rank = map[string]int{"memory": 0, "launch": 0, "assert": 0, "hang": 0, "sync": 0, "race": 1, "init": 2}

// Sort puts findings in the order in which they are to be repaired: by level,
// then by rank of their rule; what only costs time by how much. The rest of the
// order stays.
func Sort(fs []*finding.Finding) {
	slices.SortStableFunc(fs, func(a, b *finding.Finding) int {
		ra, correctA := rank[a.Rule]
		rb, correctB := rank[b.Rule]
		switch {
		case a.Level != b.Level:
			return int(b.Level) - int(a.Level)
		case correctA && correctB:
			return ra - rb
		case correctA:
			return -1
		case correctB:
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

// joinEqual joins the findings that have the same key; "" is no key.
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
		k := []string{f.Rule, f.Level.String(), withoutDigits(f.Kind), f.Primary.Loc.Pos.String(), withoutDigits(f.Help)}
		for _, p := range f.Related {
			k = append(k, p.Loc.Pos.String())
		}
		for _, p := range f.Primary.Loc.InlinedAt {
			k = append(k, p.String())
		}
		return strings.Join(k, "\x00")
	})
}

// origins joins the findings that name one origin. What shows it may
// be of any level: the flag is information, the data that it publishes are not.
func (u *union) origins(fs []*finding.Finding) {
	u.joinEqual(fs, func(f *finding.Finding) string {
		o := commonOf(f).Origin
		if o == "" {
			return ""
		}
		return f.Rule + "\x00" + o
	})
}

// stuck joins the end of a kernel that hangs with the races that tell which wait
// is missing: whoever does not wait is ahead of those who do, and gone too soon.
func (u *union) stuck(fs []*finding.Finding) {
	for i, f := range fs {
		if f.Rule != "hang" && (f.Rule != "sync" || f.Kind != "deadlock") {
			continue
		}
		for j, r := range fs {
			if r.Rule == "race" && r.Kernel == f.Kernel && r.Level == f.Level && hangs[commonOf(r).Cause] {
				u.join(i, j)
			}
		}
	}
}

// early joins reads of memory that nobody wrote yet with the race of the same read
// and a write of the same kernel, which should have come before.
func (u *union) early(fs []*finding.Finding) {
	for i, f := range fs {
		if f.Rule != "init" {
			continue
		}
		v := memoryOf(f)
		for j, r := range fs {
			if r.Rule == "race" && r.Kernel == f.Kernel && r.Level == f.Level && v != "" && memoryOf(r) == v && readsAt(r, f.Primary) {
				u.join(i, j)
				break
			}
		}
	}
}

// strayed joins an access beyond what it means with what other rules say of the same
// access to other memory.
func (u *union) strayed(fs []*finding.Finding) {
	sets := u.sets(len(fs))
	for i, f := range fs {
		_, meant, _ := strings.Cut(f.Message, " beyond ")
		if f.Rule != "memory" || meant == "" || !f.Primary.Loc.IsValid() {
			continue
		}
		follows := func(j int) bool {
			o := fs[j]
			v := memoryOf(o)
			return (o.Rule == "init" || o.Rule == "race") && o.Kernel == f.Kernel && accesses(o, f.Primary) && v != "" && !strings.Contains(meant, v)
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
		return p.Loc.Pos == at.Loc.Pos && p.Role == at.Role
	})
}

// missed joins what is wrong at one barrier or warp-level operation, and barriers that
// the same threads had ended before: who returns early misses all that follow.
func (u *union) missed(fs []*finding.Finding) {
	u.joinEqual(fs, func(f *finding.Finding) string {
		if f.Rule != "sync" || !f.Primary.Loc.IsValid() {
			return ""
		}
		return f.Kernel + "\x00" + f.Primary.Loc.String() + fmt.Sprint(f.Primary.Loc.InlinedAt)
	})
	u.joinEqual(fs, func(f *finding.Finding) string {
		if f.Rule != "sync" || len(f.Related) > 0 || len(f.Notes) == 0 || !strings.HasSuffix(f.Notes[0], "had exited before") {
			return ""
		}
		return fmt.Sprint(f.Kernel, "\x00", f.Primary.Thread, f.Notes[0])
	})
}

// allocation matches the name of memory in a message, with the call that made it.
var allocation = regexp.MustCompile(`\bof (\w+ #\d+ at [^,]+)`)

// memoryOf names the variable or the allocation that a finding is about.
func memoryOf(f *finding.Finding) string {
	if v := commonOf(f).Variable; v != "" {
		return v
	}
	if m := allocation.FindStringSubmatch(f.Message); m != nil {
		return m[1]
	}
	return ""
}

// readsAt reports whether the reading side of a race is at a place.
func readsAt(r *finding.Finding, at finding.Place) bool {
	places := append([]finding.Place{r.Primary}, r.Related...)
	return slices.ContainsFunc(places, func(p finding.Place) bool {
		return p.Loc.IsValid() && p.Loc.Pos == at.Loc.Pos && strings.HasPrefix(p.Role, "read")
	})
}

// hangs are the causes of races for which kernels hang as well.
var hangs = map[string]bool{"not-awaited": true, "wrong-phase": true}

// lines joins the races of one kernel and variable within one line.
func (u *union) lines(fs []*finding.Finding) {
	u.joinEqual(fs, func(f *finding.Finding) string {
		v := variableOf(f)
		if v == "" || !oneLine(f) {
			return ""
		}
		at := source.Pos{File: f.Primary.Loc.File, Line: f.Primary.Loc.Line}
		return strings.Join([]string{f.Rule, f.Kernel, f.Level.String(), v, at.String()}, "\x00")
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

// causes joins findings of one kernel that share variable and fix, and those
// that one barrier can repair.
func (u *union) causes(fs []*finding.Finding) {
	spans := map[string][]span{}
	u.joinEqual(fs, func(f *finding.Finding) string {
		if !groupedRules[f.Rule] {
			return ""
		}
		kernel := f.Rule + "\x00" + f.Kernel + "\x00" + f.Level.String()
		if s, ok := spanOf(f); ok {
			k := kernel + "\x00" + f.Primary.Loc.File
			spans[k] = append(spans[k], s)
			return ""
		}
		v := variableOf(f)
		if v == "" && f.Rule == "init" {
			v = memoryOf(f)
		}
		if v != "" && f.Help != "" && commonOf(f).Origin == "" {
			return strings.Join([]string{kernel, v, fixOf(f.Help), reasonOf(f)}, "\x00")
		}
		return ""
	})
	index := map[*finding.Finding]int{}
	for i, f := range fs {
		index[f] = i
	}
	for _, ss := range spans {
		for i := range ss {
			ss[i].variable, ss[i].index = variableOf(ss[i].f), index[ss[i].f]
		}
		u.missingBarriers(ss)
	}
}

// missingBarriers joins the spans of one kernel and file. Those that need a
// barrier of the block come first: it is one for the warps too, so that a span
// within a warp in which one of them goes belongs to it.
func (u *union) missingBarriers(ss []span) {
	var block, warp []span
	for _, s := range ss {
		if s.barrier == blockBarrier {
			block = append(block, s)
		} else {
			warp = append(warp, s)
		}
	}
	u.overlapping(block)
	var rest []span
	for _, s := range warp {
		if i := slices.IndexFunc(block, s.alsoMendedBy); i >= 0 {
			u.join(s.index, block[i].index)
		} else {
			rest = append(rest, s)
		}
	}
	u.overlapping(rest)
}

// alsoMendedBy reports whether a barrier anywhere in o is in s too; of two that lead to
// the next pass of a loop, whether one at its end can be in both.
func (s span) alsoMendedBy(o span) bool {
	if s.early > s.late && o.early > o.late {
		return s.low <= o.high && o.low <= s.high
	}
	return s.early < s.late && o.early < o.late && s.early <= o.early && s.late >= o.late
}

// overlapping joins findings whose spans have a gap between lines in common,
// and those on one variable whose spans touch. Going through them by their
// start, each has to be compared with the one before that ends last only.
func (u *union) overlapping(ss []span) {
	slices.SortStableFunc(ss, func(a, b span) int { return cmp.Or(a.low-b.low, a.high-b.high) })
	var widest span
	last := map[string]span{}
	for i, s := range ss {
		if i > 0 && s.low < widest.high {
			u.join(s.index, widest.index)
		}
		l, ok := last[s.variable]
		if ok && s.variable != "" && s.low <= l.high {
			u.join(s.index, l.index)
		}
		if i == 0 || s.high > widest.high {
			widest = s
		}
		if !ok || s.high > l.high {
			last[s.variable] = s
		}
	}
}

// blockBarrier is the barrier that orders all threads of a block.
const blockBarrier = "__syncthreads()"

// barrierHelp matches help that asks for a barrier at a place.
var barrierHelp = regexp.MustCompile(`^add (__sync\w+\(\)) ((?:between|after) .*)$`)

// span is where a missing barrier has to go: between two lines, of which the
// first comes before the other in the program unless it is a loop's next pass.
type span struct {
	f                 *finding.Finding
	index             int // of f
	barrier, variable string
	// where is the text of the place. early and late are the lines in the
	// order of execution, low and high the same in the order of the file.
	where       string
	early, late int
	low, high   int
}

func spanOf(f *finding.Finding) (span, bool) {
	m := barrierHelp.FindStringSubmatch(f.Help)
	if m == nil || len(f.Related) == 0 {
		return span{}, false
	}
	a, b := f.Related[0].Loc, f.Primary.Loc
	if !a.IsValid() || !b.IsValid() || a.File != b.File {
		return span{}, false
	}
	early, late := a.Line, b.Line
	if a.Func != b.Func {
		lines := lineNumber.FindAllStringSubmatch(m[2], 2)
		if len(lines) == 0 {
			return span{}, false
		}
		early, _ = strconv.Atoi(lines[0][1])
		late, _ = strconv.Atoi(lines[len(lines)-1][1])
	}
	return span{f: f, barrier: m[1], where: m[2], early: early, late: late,
		low: min(early, late), high: max(early, late)}, true
}

// lineNumber is a line in the text of a place. Where the sides are in different
// functions, those of the help are in the one that both are called from. A barrier
// within one function repairs each of its calls.
var lineNumber = regexp.MustCompile(`\bline (\d+)`)

var digits = regexp.MustCompile(`[0-9]+`)

func withoutDigits(s string) string { return digits.ReplaceAllString(s, "#") }

// fixOf is help without the places and numbers in it.
func fixOf(help string) string {
	for _, word := range []string{" between ", " after "} {
		help, _, _ = strings.Cut(help, word)
	}
	return withoutDigits(help)
}

// common are the details that several rules have.
type common struct {
	Variable string `json:"variable"`
	Reason   string `json:"reason"`
	Cause    string `json:"cause"`
	Origin   string `json:"origin"`
	Follows  bool   `json:"follows"`
}

// commonOf reads them from details as a rule made them or as JSON gave them.
func commonOf(f *finding.Finding) (c common) {
	decode(f.Details, &c)
	return c
}

// element matches the place in memory that has no name, in a message.
var element = regexp.MustCompile(`\belement \d+ of (.+)$`)

// variableOf names what a finding is about: a variable, else the allocation
// that its message tells of, else "".
func variableOf(f *finding.Finding) string {
	if v := commonOf(f).Variable; v != "" {
		return v
	}
	if m := element.FindStringSubmatch(f.Message); m != nil {
		return m[1]
	}
	return ""
}

func reasonOf(f *finding.Finding) string { return withoutDigits(commonOf(f).Reason) }

// decode reads details, which are a rule's own structure or what JSON made of
// it, into a structure of ours. What does not fit is left out.
func decode(details, into any) bool {
	if details == nil {
		return false
	}
	b, err := json.Marshal(details)
	return err == nil && json.Unmarshal(b, into) == nil
}
