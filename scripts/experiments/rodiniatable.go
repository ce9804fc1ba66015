package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"
)

// at is where an access is, with the file as seen from a folder.
func at(file string, line, column int, dir string) spot {
	if rel, err := filepath.Rel(dir, file); filepath.IsAbs(file) && err == nil {
		file = rel
	}
	return spot{filepath.Clean(file), line, column}
}

// found are the accesses that a static analysis calls uncoalesced.
func found(r *report, dir string) spots {
	out := spots{}
	for _, f := range r.separate() {
		if p := f.Primary.Location; f.Rule == "coalesce" {
			out[at(p.File, p.Line, p.Column, dir)] = true
		}
	}
	return out
}

// executed are the accesses of a run: uncoalesced are, as in the paper, those that take
// more than one line of 128 bytes for a warp on average.
func executed(r *report, dir string) (spots, error) {
	var kernels []struct {
		Sites []struct {
			Location struct {
				File   string `json:"file"`
				Line   int    `json:"line"`
				Column int    `json:"column"`
			} `json:"location"`
			Lines float64 `json:"lines_per_access"`
		} `json:"sites"`
	}
	out := spots{}
	if len(r.Stats["coalesce"]) == 0 {
		return out, nil
	}
	err := json.Unmarshal(r.Stats["coalesce"], &kernels)
	for _, k := range kernels {
		for _, s := range k.Sites {
			p := at(s.Location.File, s.Location.Line, s.Location.Column, dir)
			out[p] = out[p] || s.Lines > 1
		}
	}
	return out, err
}

// judged sorts what a static analysis found by what the run showed: real, false, and not
// executed.
func (s spots) judged(ran spots) (real, wrong, unknown int) {
	for p := range s {
		switch uncoalesced, ok := ran[p]; {
		case !ok:
			unknown++
		case uncoalesced:
			real++
		default:
			wrong++
		}
	}
	return real, wrong, unknown
}

// uncoalesced counts the accesses that are.
func (s spots) uncoalesced() int {
	n := 0
	for _, bad := range s {
		if bad {
			n++
		}
	}
	return n
}

// rodiniaPage is the page with the table.
func rodiniaPage(rows []rodiniaRow) string {
	t := table{{"program", "paper: real", "found (real)", "s", "dynamic", "published: found", "real, false, not run", "s", "ours: found", "real, false, not run", "s", "dynamic: uncoalesced of all run"}}
	var sums [2][4]int
	for _, r := range rows {
		p := r.paper
		row := []any{r.name, p[0], p[1] + " (" + p[2] + ")", p[3], p[4]}
		if p == uncompiled {
			row = []any{r.name, "-", "did not compile", "-", "-"}
		}
		for i, s := range r.static {
			row = append(row, s.cells(r.ran, r.took[i], &sums[i])...)
		}
		if dynamic := fmt.Sprintf("%d of %d", r.ran.uncoalesced(), len(r.ran)); r.why == "" {
			row = append(row, dynamic)
		} else {
			row = append(row, "-: "+r.why)
		}
		t.row(row...)
	}
	total := []any{"all", "143", "180 (111)", "", "69"}
	for _, s := range sums {
		total = append(total, s[0], fmt.Sprintf("%d, %d, %d", s[1], s[2], s[3]), "")
	}
	t.row(append(total, "")...)
	return rodiniaIntro + t.String() + rodiniaNotes
}

// cells are the columns of an analysis.
func (s spots) cells(ran spots, took time.Duration, sum *[4]int) []any {
	if s == nil {
		return []any{"did not compile", "-", "-"}
	}
	real, wrong, unknown := s.judged(ran)
	for i, n := range []int{len(s), real, wrong, unknown} {
		sum[i] += n
	}
	return []any{len(s), fmt.Sprintf("%d, %d, %d", real, wrong, unknown), fmt.Sprintf("%.1f", took.Seconds())}
}

const rodiniaIntro = `# GPUDrano's Table 1: Rodinia

Made by ` + "`make experiments RODINIA=dir`" + ` of a Rodinia 3.1 as it is published, whose sources are not part of this project. Uncoalesced
accesses to global memory, by place in the source: those that ` + "`warpgrind check --tool coalesce`" + ` finds without running the program,
with the paper's abstract domain as published (` + "`--analysis gpudrano`" + `) and with our own, and those that a run of the program shows. Seconds are of the
whole command, compiling included.

`

const rodiniaNotes = `
Real is here what the run shows to take more than one line of 128 bytes for a warp on average, the paper's criterion for its
dynamic analysis; false is what the run executes and takes one line each time; not run is what this input does not reach. The
paper's real bugs were validated by hand, in kernels of sm_30 as LLVM 3.9 compiled them. Runs are small, as an emulator's must be,
on inputs that were made where the user has no data files, and an access that two instances of a template or an inlined
function have in common is one here.

The published domain calls an access uncoalesced where an index depends on threadIdx.x in another way than by a factor of one,
so that it misses rows that do not begin at a multiple of a line (backprop, lud, nw, pathfinder, srad_v2), in the paper too. It
calls elements of eight bytes uncoalesced, which take two lines of necessity (the float version of the particle filter
has many): our own analysis is asked for sm_80, where it counts sectors of 32 bytes, and does not. It is judged by lines of 128 bytes
here all the same, so that a finding about sectors can count as false. What ours finds beyond that are accesses whose rows may
begin anywhere, as far as the kernel says: false are those whose rows happened to be aligned in this run, or that one block made.
myocyte is run with a simulation for each thread; the paper's run had one simulation, with single lanes, and found nothing. b+tree reads
through an index from memory that is the same in all threads, which is a factor of one in the published domain; the paper's count has
another reading of it. Analysis takes seconds for myocyte, for which the paper's took half an hour. Texture functions are no
obstacle here; what does not compile lacks a header of another library.
`
