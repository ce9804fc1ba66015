package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
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

// The same at the paper's sizes: as many executed accesses as in its Table 3, where that
// leaves a choice. Nothing but the kernel in question is launched.
var (
	coClusterFull = build{source: "papers/co_cluster.cu", defines: []string{"ROWS=32768", "COLS=256", "LAUNCHES=1"}, launches: true}
	emFull        = build{source: "papers/em.cu", defines: []string{"POINTS=33554432", "LAUNCHES=1"}, launches: true}
)

// stmtRoom is the room of GRace-stmt's tables where all accesses of co-cluster are
// watched, in entries of a block, and pool that of all blocks' tables in MB.
const stmtRoom, stmtPool = "330752", "512"

// withRoom is GRace-stmt with room for as many entries of a block.
func (b build) withRoom(entries string, flags ...string) build {
	b.defines = append(slices.Clone(b.defines), "WGI_STMT_ENTRIES="+entries)
	return b.with("grace-stmt", append([]string{"--pool", stmtPool}, flags...)...)
}

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
			if err := l.scanProved(&stmt, real); err != nil {
				return "", err
			}
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
race. The emulator itself and both schemes are judged by an oracle that compares every two accesses of random kernels, in
TestGraceOracle: in 2,000 kernels, with and without static analysis, none of them reports a pair or an address too many or
too few.

The kernels are written after the paper's description, and two constants are chosen so that its numbers come out: co-cluster
has ten row clusters, so that one column label out of range reads the labels of ten rows, in each of eight blocks; em has six
rows of sums beyond the first, which the 64 threads beyond its 256 share: 384 addresses. The numbers of pairs are results:
the paper counts executions, whose number it does not say, and em's statements are as few as they can be written, an update
being one. boyer-race reports each thread that sees a hazard; its false positives are the steps of em's last warp, whose lanes
need no barrier. scanPadded is the one kernel of scan that the paper has. Its three pairs are those of the two statements that
fill the array with the one that adds, and of that one with itself; the two others are with the statement that clears the last element, which lane 0
executes when other warps may still be adding.
`

// scanProved adds what the static analyzer finds in scan, and in the kernel alone that the
// paper has: with and without the pairs of the statement that clears the last element.
func (l *lab) scanProved(t *table, real truth) error {
	proved, err := l.proved(scanBug)
	if err != nil {
		return err
	}
	lines, err := l.linesWith(scanBug, "temp[last] = 0;")
	if err != nil {
		return err
	}
	best := slices.DeleteFunc(slices.Clone(proved), func(f finding) bool { return !strings.Contains(f.KernelName, "scanPadded") })
	sums := slices.DeleteFunc(slices.Clone(best), func(f finding) bool {
		p := pairOf(f)
		return slices.Contains(lines, p[0]) || slices.Contains(lines, p[1])
	})
	for _, x := range []struct {
		what  string
		found []finding
	}{{"both kernels", proved}, {"scanPadded", best}, {"scanPadded, without the clear", sums}} {
		t.row("scan", "here, by `check`: "+x.what, pairs(x.found), "-", "-", real.falsePairs(x.found))
	}
	return nil
}

// linesWith are the lines of a source that have a text.
func (l *lab) linesWith(b build, text string) ([]int, error) {
	source, err := os.ReadFile(l.example(b.source))
	var out []int
	for i, line := range strings.Split(string(source), "\n") {
		if strings.Contains(line, text) {
			out = append(out, i+1)
		}
	}
	return out, err
}

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

// Sizes of the paper's tables: of shared memory on its GPU, of a counter for each byte of
// it, and of the addresses of a warp.
const (
	paperShared  = 16 << 10
	paperCounter = 4
	paperEntry   = 32*4 + 4
)

func graceSpace(l *lab) (string, error) {
	t := table{{"program", "", "GRace-stmt, device memory", "GRace-addr, device memory", "both, shared memory", "B-tool"}}
	for _, x := range []struct {
		name       string
		full, part build
		paper      []any
	}{
		{"co-cluster", coClusterFull, coCluster, []any{"43 MB", "9 MB", "1.1 KB", "257 MB"}},
		{"em", emFull, em, []any{"0.8 MB", "18 MB", "1.1 KB", "514 MB"}},
	} {
		flags, err := l.pruned(x.full)
		if err != nil {
			return "", err
		}
		n, bytes, err := l.entries(x.full.withRoom(stmtRoom, flags...), stmtRoom)
		if err != nil {
			return "", err
		}
		const warps, threads = 8, 256
		tables := func(n uint64) string { return size(graceBlocks * (2*n + 2) * paperShared * paperCounter) }
		t.row(append([]any{x.name, "paper"}, x.paper...)...)
		t.row(x.name, "here, counted as in the paper", size(graceBlocks*n*paperEntry), tables(warps), size(threads*4), tables(threads))
		row := []any{x.name, "here, allocated", size(bytes)}
		for _, scheme := range []string{"grace-addr", "boyer-race"} {
			m, err := l.measure(x.part.with(scheme)) // which does not depend on how long it runs
			if err != nil {
				return "", err
			}
			row = append(row, size(m.stat(scheme, "table bytes")))
		}
		t.row(row[0], row[1], row[2], row[3], size(threads*4), row[4])
	}
	return t.String() + graceSpaceNotes, nil
}

// entries runs GRace-stmt and returns the entries that a block would need, and the bytes
// that the tables of all blocks had.
func (l *lab) entries(b build, room string) (n, bytes uint64, err error) {
	m, err := l.measure(b)
	if err != nil {
		return 0, 0, err
	}
	bytes = m.stat("grace-stmt", "table bytes")
	lost := m.stat("grace-stmt", "entries lost")
	kept, err := strconv.ParseUint(room, 10, 64)
	if lost == 0 {
		kept = bytes / graceBlocks / stmtEntry
	}
	return kept + lost/graceBlocks, bytes, err
}

// stmtEntry is the size of an entry of our table: the paper's and the place, kind and
// bounds of the access.
const stmtEntry = 168

const graceSpaceNotes = `
Summed over the eight blocks, at the sizes of Table 3; GRace-stmt is with static analysis. Counted as in the paper: a counter of
four bytes for each byte of the 16 KB of shared memory that its GPU has, in two tables for each warp and two for each block (GRace-addr), or
two for each thread and two for each block (B-tool); 32 addresses and a word for each entry of GRace-stmt. That gives the
paper's 9 and 257 MB; its numbers for em are twice those, as of sixteen blocks. GRace-stmt's 43 MB are as many entries as its Table 3 has
executed accesses; here each warp records what the paper records once in a block, which is eight times as much. Allocated:
here a counter is for the smallest access, four bytes in these kernels, the kernels take less shared memory, and B-tool's
tables have bits. An entry also has the site, the kind and the range of its addresses.
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
