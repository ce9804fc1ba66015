package mutate

import (
	"bytes"
	"regexp"
	"slices"
)

// The kinds of mutants that only Async makes.
const (
	Expect  Kind = "expect_tx"   // bytes that an mbarrier waits for
	Arrival Kind = "arrival"     // an arrival at an mbarrier, a release of a stage
	Commit  Kind = "commit"      // the end of a group of asynchronous operations
	Phase   Kind = "phase"       // the flip of a phase, or a wait for the other one
	Count   Kind = "count"       // a number of arrivals, bytes or groups
	Scope   Kind = "scope"       // a narrower scope, a weaker order, a barrier of fewer threads
	PDLWait Kind = "PDL wait"    // the wait for the kernel before
	Trigger Kind = "PDL trigger" // what lets the next kernel begin
	Moved   Kind = "moved"       // a statement that has changed its place with the one beside it
)

// asyncCalls are the statements that order asynchronous operations, by the names of <cuda/ptx>,
// libcu++, CUTLASS and the runtime. later tells which way a statement is moved: what
// waits comes too late, what announces comes too early.
var asyncCalls = []struct {
	kind  Kind
	later bool
	re    *regexp.Regexp
}{
	{Wait, true, regexp.MustCompile(`(?:\w+::)*(mbarrier_wait\w*|cp_async_bulk_wait_group\w*|warpgroup_wait|barrier_cluster_wait|__pipeline_wait_prior|tcgen05_wait_\w+)\b`)},
	{Wait, true, regexp.MustCompile(`\w+\.(wait|consumer_wait|producer_acquire)\b`)},
	{Barrier, true, regexp.MustCompile(`__syncthreads\b|\w+\.(sync|arrive_and_wait)\b`)},
	{WarpSync, true, regexp.MustCompile(`__syncwarp\b`)},
	{Fence, false, regexp.MustCompile(`(?:\w+::)*((?:tcgen05_)?fence_\w+|warpgroup_arrive|__threadfence\w*)\b`)},
	{Expect, false, regexp.MustCompile(`(?:\w+::)*(mbarrier_(arrive_)?expect_tx|barrier_expect_tx)\b`)},
	{Arrival, false, regexp.MustCompile(`(?:\w+::)*(mbarrier_arrive|barrier_cluster_arrive)\b|\w+\.(arrive|consumer_release)\b`)},
	{Commit, false, regexp.MustCompile(`(?:\w+::)*(\w+_commit_group|warpgroup_commit_batch|__pipeline_commit|tcgen05_commit)\b|\w+\.producer_commit\b`)},
	{PDLWait, true, regexp.MustCompile(`cudaGridDependencySynchronize\b`)},
	{Trigger, false, regexp.MustCompile(`cudaTriggerProgrammaticLaunchCompletion\b`)},
}

// weakened are texts within device code of which a part is replaced: group 1, by what with makes of it.
var weakened = []struct {
	kind Kind
	re   *regexp.Regexp
	with []string // $ stands for the part
}{
	{Count, regexp.MustCompile(`wait_group\w*\(\w*:*n32_t<([^>]*)>`), []string{"($) + 1"}},
	{Count, regexp.MustCompile(`warpgroup_wait<([^>]*)>`), []string{"($) + 1"}},
	{Count, regexp.MustCompile(`__pipeline_wait_prior\(([^)]*)\)`), []string{"($) + 1"}},
	{Count, regexp.MustCompile(`\bmbarrier_init\([^,;]*, ([^;]*)\);`), []string{"($) + 1", "($) - 1"}},
	{Count, regexp.MustCompile(`\binit\(&\w+, ([^;]*)\);`), []string{"($) + 1", "($) - 1"}},
	{Count, regexp.MustCompile(`expect_tx\([^,;]*, ([^,;]*)\);`), []string{"($) + 16", "($) - 16"}},
	{Count, regexp.MustCompile(`barrier_arrive_tx\([^,;]*, 1, ([^,;]*)\);`), []string{"($) + 16", "($) - 16"}},
	{Phase, regexp.MustCompile(`mbarrier_wait\w*\([^,;]*, ([^;]*)\);`), []string{"($) ^ 1"}},
	{Wait, regexp.MustCompile(`\bcp_async_bulk_(wait_group)\(`), []string{"wait_group_read"}},
	{Scope, regexp.MustCompile(`\b(scope_cluster)\b`), []string{"scope_cta"}},
	{Scope, regexp.MustCompile(`\bmbarrier_(wait_cluster)\(`), []string{"wait_cta"}},
	{Scope, regexp.MustCompile(`mbarrier_arrive\w*\((?:\w+::)*(sem_release)\b`), []string{"sem_relaxed"}},
	{Scope, regexp.MustCompile(`(?:\w+::)*barrier_cluster_arrive\((|(?:\w+::)*sem_release)\)`), []string{"ptx::sem_relaxed"}},
	{Scope, regexp.MustCompile(`(__syncthreads)\(\)`), []string{"__syncwarp"}},
	{Scope, regexp.MustCompile(`(cluster\.sync)\(\)`), []string{"__syncthreads"}},
}

// flip is the change of a phase from one pass through the stages to the next.
var flip = regexp.MustCompile(`\b(phase|parity)\s*\^=\s*1`)

// Async returns the mutants of a source with asynchronous operations, by where their text begins to differ:
// each loses a wait, a fence, an arrival, expected bytes, a commit, a flip of a phase, a wait for
// the kernel before or its trigger, has one of them at the wrong place, or with a wrong count,
// phase or scope.
func Async(src []byte) []Mutant {
	t := blank(src)
	var edits []edit
	for _, r := range deviceRegions(t) {
		edits = append(edits, asyncStatements(t, r)...)
		edits = append(edits, replaced(t, r)...)
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var out []Mutant
	seen := map[string]bool{}
	for _, e := range edits {
		if m := e.apply(src); !seen[string(m.Text)] {
			seen[string(m.Text)] = true
			out = append(out, m)
		}
	}
	return out
}

// asyncStatements takes each statement of a function away that orders asynchronous operations, and
// lets it change its place with the statement beside it.
func asyncStatements(t []byte, r region) []edit {
	var out []edit
	for _, list := range statementLists(t, r) {
		for i, s := range list {
			call, kind, later := orders(t, s)
			if kind == "" {
				continue
			}
			out = append(out, edit{kind: kind, from: call.from, to: call.to})
			other := i - 1
			if later {
				other = i + 1
			}
			if other >= 0 && other < len(list) && kind != Phase && acts.Match(t[list[other].from:list[other].to]) {
				out = append(out, exchanged(t, s, list[other]))
			}
		}
	}
	return out
}

// acts matches statements that call something or access memory.
var acts = regexp.MustCompile(`[(\[]`)

// orders finds the call in a statement that orders asynchronous operations, maybe under a condition.
func orders(t []byte, s region) (call region, kind Kind, later bool) {
	from := guarded(t, s)
	text := t[from:s.to]
	if m := flip.FindIndex(text); m != nil && m[0] == 0 {
		return region{from, from + m[1]}, Phase, true
	}
	cast := len(text) - len(bytes.TrimPrefix(text, []byte("(void)")))
	for _, c := range asyncCalls {
		if m := c.re.FindIndex(text[cast:]); m != nil && m[0] == 0 {
			return region{from, s.to - 1}, c.kind, c.later
		}
	}
	return region{}, "", false
}

// guarded is where the statement begins that an if executes, or the statement itself.
func guarded(t []byte, s region) int {
	from := s.from
	for {
		m := ifWord.FindIndex(t[from:s.to])
		if m == nil || m[0] != 0 {
			return from
		}
		from = matching(t, from+m[1]-1)
		from += spaces(t[from:])
	}
}

// exchanged lets two neighboring statements change places.
func exchanged(t []byte, s, other region) edit {
	a, b := s, other
	if b.from < a.from {
		a, b = b, a
	}
	return edit{kind: Moved, from: a.from, to: b.to, shown: s, parts: []region{b, {a.to, b.from}, a}}
}

// replaced weakens parts of statements.
func replaced(t []byte, r region) []edit {
	var out []edit
	for _, w := range weakened {
		for _, m := range w.re.FindAllSubmatchIndex(t[r.from:r.to], -1) {
			from, to := r.from+m[2], r.from+m[3]
			for _, with := range w.with {
				text := string(bytes.ReplaceAll([]byte(with), []byte("$"), t[from:to]))
				out = append(out, edit{kind: w.kind, from: from, to: to, with: text, shown: region{r.from + m[0], r.from + m[1]}})
			}
		}
	}
	return out
}

// statementLists are the statements of each block of a function.
func statementLists(t []byte, r region) [][]region {
	var out [][]region
	for i := r.from; i < r.to; i++ {
		if t[i] != '{' || !startsBlock(t[:i]) {
			continue
		}
		var list []region
		end := matching(t, i) - 1
		for at := i + 1 + spaces(t[i+1:]); at < end; {
			to := statementEnd(t, at)
			list = append(list, region{at, to})
			at = to + spaces(t[to:])
		}
		out = append(out, list)
	}
	return out
}

// startsBlock reports whether a brace after this text opens a block of statements.
func startsBlock(before []byte) bool {
	before = bytes.TrimRight(before, " \t\n\r")
	return len(before) > 0 && bytes.ContainsAny(before[len(before)-1:], ");{}") || bytes.HasSuffix(before, []byte("else"))
}

var control = regexp.MustCompile(`^(if|for|while|else)\b(\s*constexpr)?\s*`)

// statementEnd is the place after the statement that begins at i.
func statementEnd(t []byte, i int) int {
	if t[i] == '{' {
		return matching(t, i)
	}
	if m := control.FindIndex(t[i:]); m != nil {
		at := i + m[1]
		if t[at] == '(' && !bytes.HasPrefix(t[i:], []byte("else")) {
			at = matching(t, at)
			at += spaces(t[at:])
		}
		end := statementEnd(t, at)
		if next := end + spaces(t[end:]); bytes.HasPrefix(t[next:], []byte("else")) {
			return statementEnd(t, next)
		}
		return end
	}
	for ; i < len(t); i++ {
		switch t[i] {
		case '(', '[', '{':
			i = matching(t, i) - 1
		case ';':
			return i + 1
		case '}':
			return i
		}
	}
	return len(t)
}
