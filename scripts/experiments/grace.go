package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
)

// The programs of the GRace experiments. The bug-triggering launches are the
// paper's: labels out of range, 320 threads where 256 are assumed, no first
// barrier.
var (
	coCluster    = build{source: "papers/co_cluster.cu", defines: []string{"ROUNDS=1"}}
	coClusterBug = build{source: "papers/co_cluster.cu", defines: []string{"BUG"}}
	em           = build{source: "papers/em.cu", defines: []string{"ROUNDS=1", "POINTS=8192"}}
	emBug        = build{source: "papers/em.cu", defines: []string{"ROUNDS=1", "POINTS=5120", "THREADS=320"}}
	scanBug      = build{source: "scan/scan.cu", defines: []string{"NO_BARRIER=1"}}
)

// linePair is a pair of lines in no order; 0 is an unknown line.
type linePair [2]int

func pairOf(f finding) linePair {
	p := linePair{f.Primary.Location.Line, f.Primary.Location.Line}
	for _, r := range f.Related {
		if r.Location.Line > 0 {
			p[1] = r.Location.Line
		}
	}
	slices.Sort(p[:])
	return p
}

// races are the findings of the race rule, or of a scheme.
func races(r *report) []finding {
	var out []finding
	for _, f := range r.separate() {
		if f.Rule == "race" {
			out = append(out, f)
		}
	}
	return out
}

// truth is what the emulator finds when lanes of a warp are ordered: the pairs
// of lines that race, and the lines.
type truth struct {
	pairs map[linePair]bool
	lines map[int]bool
}

func (l *lab) truth(b build) (truth, error) {
	t := truth{map[linePair]bool{}, map[int]bool{}}
	r, _, err := l.check(l.example(b.source), append(b.defineFlags(), "--race-model", "lockstep")...)
	if err != nil {
		return t, err
	}
	for _, f := range races(r) {
		p := pairOf(f)
		t.pairs[p] = true
		t.lines[p[0]], t.lines[p[1]] = true, true
	}
	return t, nil
}

// falsePairs counts the pairs of lines that a scheme reports and the emulator
// does not.
func (t truth) falsePairs(fs []finding) int {
	seen := map[linePair]bool{}
	for _, f := range fs {
		if p := pairOf(f); !t.pairs[p] {
			seen[p] = true
		}
	}
	return len(seen)
}

// boyerReports counts the reports of boyer-race, and those at lines where the
// emulator finds no race. It reports the line of the access alone.
func (t truth) boyerReports(fs []finding) (reports, wrong uint64) {
	for _, f := range fs {
		reports += f.Count
		if !t.lines[f.Primary.Location.Line] {
			wrong += f.Count
		}
	}
	return reports, wrong
}

// pairs counts different pairs of lines.
func pairs(fs []finding) int {
	seen := map[linePair]bool{}
	for _, f := range fs {
		seen[pairOf(f)] = true
	}
	return len(seen)
}

func graceFound(l *lab) (string, error) {
	stmt := table{{"program", "", "racing statements", "addresses", "thread pairs", "false positives"}}
	addr := table{{"program", "", "addresses", "warp pairs", "false positives"}}
	boyer := table{{"program", "", "reports", "false positives"}}
	for _, x := range []struct {
		name string
		build
		stmt, addr, boyer []any // the paper's row
	}{
		{"co-cluster", coClusterBug, []any{1, 10, "1,310,720", 0}, []any{10, 8, 0}, []any{1, 0}},
		{"em", emBug, []any{14, 384, "22,023", 0}, []any{384, 3, 0}, []any{"200,445", "45,870"}},
		{"scan", scanBug, []any{"3, by the static analyzer", "-", "-", 0}, []any{"-", "-", 0}, []any{"error", "error"}},
	} {
		real, err := l.truth(x.build)
		if err != nil {
			return "", err
		}
		s, err := l.measure(x.with("grace-stmt"))
		if err != nil {
			return "", err
		}
		a, err := l.measure(x.with("grace-addr"))
		if err != nil {
			return "", err
		}
		b, err := l.measure(x.with("boyer-race", "--waw"))
		if err != nil {
			return "", err
		}
		found := races(s.found)
		words := s.stat("grace-stmt", "racing addresses")
		stmt.row(append([]any{x.name, "paper"}, x.stmt...)...)
		stmt.row(x.name, "here", pairs(found), number(words), number(s.stat("grace-stmt", "racing thread pairs")), real.falsePairs(found))
		if x.name == "scan" {
			proved, err := l.proved(x.build)
			if err != nil {
				return "", err
			}
			stmt.row(x.name, "here, by `check`", pairs(proved), "-", "-", real.falsePairs(proved))
		}
		more := a.stat("grace-addr", "racing addresses")
		addr.row(append([]any{x.name, "paper"}, x.addr...)...)
		addr.row(x.name, "here", number(more), number(a.stat("grace-addr", "racing warp pairs")), number(max(more, words)-words))
		reports, wrong := real.boyerReports(races(b.found))
		boyer.row(append([]any{x.name, "paper"}, x.boyer...)...)
		boyer.row(x.name, "here", number(reports), number(wrong))
	}
	return "GRace-stmt:\n\n" + stmt.String() + "\nGRace-addr:\n\n" + addr.String() + "\nB-tool (boyer-race, with WAW):\n\n" + boyer.String() + "\n" + graceFoundNotes, nil
}

const graceFoundNotes = `False positives are counted against the emulator with ` + "`--race-model lockstep`" + `: for GRace-stmt pairs of lines that it
does not report, for GRace-addr addresses that GRace-stmt does not report, for boyer-race reports at lines that are in no
race. The kernels are written after the paper's description, so the counts are those of these kernels: one column label
out of range makes co-cluster read the labels of ten rows, in each of eight blocks; the 64 threads beyond em's
256 share six rows of 64 sums. boyer-race reports each thread that sees a hazard; its false positives are the steps of
em's last warp, whose lanes need no barrier.
`

// proved are the races that the static analyzer proves.
func (l *lab) proved(b build) ([]finding, error) {
	flags, err := l.pruned(b)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(flags[1])
	if err != nil {
		return nil, err
	}
	r := new(report)
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	return races(r), nil
}

func graceSpace(l *lab) (string, error) {
	t := table{{"program", "", "GRace-stmt, device memory", "GRace-addr, device memory", "both, shared memory", "B-tool"}}
	for _, x := range []struct {
		name string
		build
		paper []any
	}{
		{"co-cluster", coCluster, []any{"43 MB", "9 MB", "1.1 KB", "257 MB"}},
		{"em", em, []any{"0.8 MB", "18 MB", "1.1 KB", "514 MB"}},
	} {
		t.row(append([]any{x.name, "paper"}, x.paper...)...)
		row := []any{x.name, "here"}
		for _, scheme := range []string{"grace-stmt", "grace-addr"} {
			m, err := l.measure(x.with(scheme))
			if err != nil {
				return "", err
			}
			row = append(row, size(m.stat(scheme, "table bytes")))
		}
		b, err := l.measure(x.with("boyer-race"))
		if err != nil {
			return "", err
		}
		t.row(append(row, "1 KB", size(b.stat("boyer-race", "table bytes")))...)
	}
	return t.String() + graceSpaceNotes, nil
}

const graceSpaceNotes = `
Summed over the eight blocks. The paper has a counter of four bytes for each byte of shared memory; here a counter is for
the smallest access, four bytes in these kernels, and the kernels take less shared memory. GRace-stmt is without static
analysis, with em at 8192 points.
`

// size writes a number of bytes.
func size(n uint64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f KB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}
