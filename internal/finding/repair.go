package finding

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/source"
)

// RepairKind is what kind of change removes a finding.
type RepairKind string

// The calls that these add. GridSync needs a cooperative launch (CUDA C++ Programming Guide, "Grid Synchronization").
const (
	Syncthreads = "__syncthreads()"
	Syncwarp    = "__syncwarp()"
	GridSync    = "cooperative_groups::this_grid().sync()"
	ClusterSync = "cooperative_groups::this_cluster().sync()"
)

// Repair is the smallest change that removes a finding, as a value. Help puts it into
// words; joins and formats use the Repair.
type Repair struct {
	Kind RepairKind `json:"kind"`
	// Call is what is added or changed: "__syncthreads()", "__threadfence_block()".
	Call string `json:"call,omitempty"`
	// From and To are the places between which it goes, in the order of execution;
	// both are nil where it has no place of its own.
	From *Point `json:"from,omitempty"`
	To   *Point `json:"to,omitempty"`
	// Then is a call that has to follow Call: a barrier behind a wait.
	Then string `json:"then,omitempty"`
	// At is the statement that the repair changes or stands at: a wait, a barrier.
	At *Point `json:"at,omitempty"`
	// Adds are calls that the repair consists of together, each at a place of its own.
	Adds []Addition `json:"adds,omitempty"`
	// Orders are atomic operations that get a stronger memory order, together with what Adds has.
	Orders []Ordering `json:"orders,omitempty"`
	// Next is set if To is reached in the next pass of a loop around both.
	Next bool `json:"next,omitempty"`
	// Counts are the numbers of threads that numbered barriers should have.
	Counts []BarrierCount `json:"counts,omitempty"`
	// Arrivals is how many arrivals a phase of an mbarrier lacks.
	Arrivals uint64 `json:"arrivals,omitempty"`
	// Frontend is the language whose words Call is put into.
	Frontend Frontend `json:"frontend,omitempty"`
}

// BarrierCount is a barrier of a block by its number, and how many threads it should join.
type BarrierCount struct {
	ID      int `json:"id"`
	Threads int `json:"threads"`
}

// Addition is a call that is added after a statement or before one.
type Addition struct {
	Call   string `json:"call"`
	After  *Point `json:"after,omitempty"`
	Before *Point `json:"before,omitempty"`
}

// MemoryOrder is the order of an atomic operation (PTX ISA, "Memory Consistency Model"; libcu++, "cuda::memory_order").
type MemoryOrder string

// The orders that order what comes before an operation or after it.
const (
	Acquire    MemoryOrder = "acquire"
	Release    MemoryOrder = "release"
	AcqRel     MemoryOrder = "acq_rel"
	orderNames             = "cuda::memory_order_"
)

// Name is what CUDA C++ calls the order.
func (o MemoryOrder) Name() string { return orderNames + string(o) }

// Ordering is an atomic operation and the order that it should have.
type Ordering struct {
	At    *Point      `json:"at"`
	Order MemoryOrder `json:"order"`
}

func (o Ordering) compare(p Ordering) int {
	return cmp.Or(strings.Compare(string(o.Order), string(p.Order)), o.At.compare(p.At))
}

// Compare orders calls: those before a place come first, then by place.
func (a Addition) Compare(b Addition) int {
	return cmp.Or(strings.Compare(a.Call, b.Call), a.After.compare(b.After), a.Before.compare(b.Before))
}

// Same reports whether two calls are one, at one place of the source.
func (a Addition) Same(b Addition) bool {
	return a.Call == b.Call && a.After.same(b.After) && a.Before.same(b.Before)
}

// Points are the places of a repair, each where it can be set.
func (r *Repair) Points() []**Point {
	out := []**Point{&r.From, &r.To, &r.At}
	for i := range r.Adds {
		out = append(out, &r.Adds[i].After, &r.Adds[i].Before)
	}
	for i := range r.Orders {
		out = append(out, &r.Orders[i].At)
	}
	return out
}

// Moved is a repair with other places.
func (r *Repair) Moved(to func(source.Pos) source.Pos) *Repair {
	out := *r
	out.Adds, out.Orders = slices.Clone(r.Adds), slices.Clone(r.Orders)
	for _, p := range out.Points() {
		if *p != nil {
			*p = &Point{Pos: to((*p).Pos), PTXLine: (*p).PTXLine}
		}
	}
	return &out
}

// Point is a place of the program: a position in the source, or a line of the PTX
// where that is unknown.
type Point struct {
	source.Pos
	PTXLine int `json:"ptx_line,omitempty"`
}

// Placed reports whether the repair goes between two places.
func (r *Repair) Placed() bool { return r != nil && r.From != nil && r.To != nil }

// Alike reports whether two repairs ask for the same, wherever it goes.
func (r *Repair) Alike(o *Repair) bool {
	if r == nil || o == nil {
		return r == o
	}
	return r.Kind == o.Kind && r.Call == o.Call
}

// compare orders repairs; nil comes first.
func (r *Repair) compare(o *Repair) int {
	switch {
	case r == nil && o == nil:
		return 0
	case r == nil:
		return -1
	case o == nil:
		return 1
	}
	return cmp.Or(strings.Compare(string(r.Kind), string(o.Kind)), strings.Compare(r.Call, o.Call), strings.Compare(r.Then, o.Then),
		r.From.compare(o.From), r.To.compare(o.To), r.At.compare(o.At),
		slices.CompareFunc(r.Adds, o.Adds, Addition.Compare), slices.CompareFunc(r.Orders, o.Orders, Ordering.compare), slices.CompareFunc(r.Counts, o.Counts, func(a, b BarrierCount) int { return cmp.Or(a.ID-b.ID, a.Threads-b.Threads) }))
}

// same reports whether two points are one place of the source, or one line of the PTX where that is unknown.
func (p *Point) same(o *Point) bool {
	if p == nil || o == nil || !p.IsValid() || !o.IsValid() {
		return p.compare(o) == 0
	}
	return p.Pos == o.Pos
}

func (p *Point) compare(o *Point) int {
	switch {
	case p == nil && o == nil:
		return 0
	case p == nil:
		return -1
	case o == nil:
		return 1
	}
	return cmp.Or(p.Pos.Compare(o.Pos), p.PTXLine-o.PTXLine)
}

// Between puts the place into words, for a text about the file home: "between line 3 and
// line 8", in other files "between a.h:3 and a.h:8"; "" where the repair has none.
func (r *Repair) Between(home string) string {
	if !r.Placed() {
		return ""
	}
	a, z := r.From, r.To
	if !a.IsValid() || !z.IsValid() {
		return fmt.Sprintf("between PTX line %d and PTX line %d", a.PTXLine, z.PTXLine)
	}
	if a.File != z.File {
		home = ""
	}
	from, to := a.InWords(home), z.InWords(home)
	switch {
	case a.File != z.File:
		return fmt.Sprintf("between %s and %s", from, to)
	case r.Next && a.Line == z.Line:
		return fmt.Sprintf("after %s, before it runs again", from)
	case r.Next:
		return fmt.Sprintf("after %s, before %s runs again", from, to)
	case a.Line == z.Line && a.Col < z.Col:
		return fmt.Sprintf("between columns %d and %d of %s", a.Col, z.Col, from)
	case a.Line == z.Line: // an assignment, whose right side comes first
		return fmt.Sprintf("between the read and the write of %s", from)
	}
	return fmt.Sprintf("between %s and %s", from, to)
}

// InWords names a line: by its number in the file home, with the name of another file.
func (p *Point) InWords(home string) string {
	if p.File == home {
		return fmt.Sprintf("line %d", p.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line)
}

// Add puts the repair of a placed Call into words, for a text about the file home: "add
// __syncthreads() between line 3 and line 8".
func (r *Repair) Add(home string) string {
	return "add " + cmp.Or(spoken[r.Frontend][r.Call], r.Call) + " " + r.Between(home)
}

// AddAll puts the calls of Adds, which are all the same, into words, for a text about the file home: "add __threadfence() before
// line 3, before line 8 and after line 5".
func (r *Repair) AddAll(home string) string {
	var at []string
	for _, a := range r.Adds {
		if a.Before != nil {
			at = append(at, "before "+a.Before.InWords(home))
		} else {
			at = append(at, "after "+a.After.InWords(home))
		}
	}
	at = slices.Compact(at)
	text, call := at[0], r.Adds[0].Call
	if last := len(at) - 1; last > 0 {
		text = strings.Join(at[:last], ", ") + " and " + at[last]
	}
	return "add " + cmp.Or(spoken[r.Frontend][call], call) + " " + text
}

// Frontend is a language of kernels in Python, "" for CUDA C++.
type Frontend string

const (
	Numba    Frontend = "numba"
	Triton   Frontend = "triton"
	WarpLang Frontend = "warp"
)

// FrontendOf tells the language of code at a place by its file and by how compilers name its function.
func FrontendOf(at source.Location) Frontend {
	outer := at.File
	if n := len(at.InlinedAt); n > 0 {
		outer = at.InlinedAt[n-1].File
	}
	if filepath.Ext(outer) != ".py" {
		return ""
	}
	_, _, isNumba := numba(at.Func)
	switch {
	case isNumba:
		return Numba
	case warpKernel.MatchString(at.Func), source.Library(at.File) != "":
		return WarpLang
	}
	return Triton
}

// warpKernel matches the names that Warp gives its kernels: with a hash, for the kernel and its adjoint.
var warpKernel = regexp.MustCompile(`^\w+_[0-9a-f]{8}_cuda_kernel_(forward|backward)$`)

// spoken has what calls are in languages of kernels ("Numba for CUDA GPUs", "CUDA Kernel API"; "triton.language",
// "debug_barrier"). Warp's kernels have no barrier.
var spoken = map[Frontend]map[string]string{
	Numba: {
		Syncthreads:              "cuda.syncthreads()",
		Syncwarp:                 "cuda.syncwarp()",
		"__threadfence_block()":  "cuda.threadfence_block()",
		"__threadfence()":        "cuda.threadfence()",
		"__threadfence_system()": "cuda.threadfence_system()",
	},
	Triton: {Syncthreads: "tl.debug_barrier()", Syncwarp: "tl.debug_barrier()"},
}
