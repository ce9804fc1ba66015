package static

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// coordinates are what an index is made of: those of a thread and the values
// of the parameters w and h.
type coordinates struct{ tx, ty, bx, by, nx, ny, w, h int }

// operand is a value of a random kernel: how PTX computes it, into the register
// of its name, and what it is.
type operand struct {
	name  string
	value func(coordinates) int
}

var operands = []operand{
	{"%tx", func(p coordinates) int { return p.tx }},
	{"%ty", func(p coordinates) int { return p.ty }},
	{"%bx", func(p coordinates) int { return p.bx }},
	{"%x", func(p coordinates) int { return p.bx*p.nx + p.tx }},
	{"%y", func(p coordinates) int { return p.by*p.ny + p.ty }},
	{"%x", func(p coordinates) int { return p.bx*p.nx + p.tx }},
	{"%y", func(p coordinates) int { return p.by*p.ny + p.ty }},
	{"%w", func(p coordinates) int { return p.w }},
	{"%h", func(p coordinates) int { return p.h }},
	{"%w", func(p coordinates) int { return p.w }},
	{"%nx", func(p coordinates) int { return p.nx }},
	{"1", func(coordinates) int { return 1 }},
	{"2", func(coordinates) int { return 2 }},
	{"3", func(coordinates) int { return 3 }},
}

const randomHead = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 o, .param .u32 w, .param .u32 h)
{
.reg .b32 %r<200>;
.reg .b32 %tx, %ty, %bx, %by, %nx, %ny, %x, %y, %w, %h;
.reg .b64 %o, %a;
.reg .pred %p<20>;
ld.param.u64 %o, [o];
cvta.to.global.u64 %o, %o;
ld.param.u32 %w, [w];
ld.param.u32 %h, [h];
mov.u32 %tx, %tid.x;
mov.u32 %ty, %tid.y;
mov.u32 %bx, %ctaid.x;
mov.u32 %by, %ctaid.y;
mov.u32 %nx, %ntid.x;
mov.u32 %ny, %ntid.y;
mad.lo.s32 %x, %bx, %nx, %tx;
mad.lo.s32 %y, %by, %ny, %ty;
`

// randomKernel stores one element a thread at a random index, under random
// conditions: its text, where each thread stores, and whether it does.
func randomKernel(r *rand.Rand) (text string, index func(coordinates) int, stores func(coordinates) bool) {
	var b strings.Builder
	b.WriteString(randomHead)
	pick := func() operand { return operands[r.IntN(len(operands))] }
	conditions := []func(coordinates) bool{}
	for i := range r.IntN(4) {
		x, y, orEqual := pick(), pick(), r.IntN(4) == 0
		if x.name[0] != '%' {
			x = operands[3]
		}
		op := map[bool]string{false: "ge", true: "gt"}[orEqual]
		fmt.Fprintf(&b, "setp.%s.s32 %%p%d, %s, %s;\n@%%p%d bra END;\n", op, i, x.name, y.name, i)
		conditions = append(conditions, func(p coordinates) bool {
			return x.value(p) < y.value(p) || orEqual && x.value(p) == y.value(p)
		})
	}
	n := 0
	product := func() operand {
		x, y := pick(), pick()
		n++
		name := fmt.Sprintf("%%r%d", n)
		a, c := x.name, y.name
		if a[0] != '%' {
			a, c = c, a
		}
		if a[0] != '%' {
			return x
		}
		fmt.Fprintf(&b, "mul.lo.s32 %s, %s, %s;\n", name, a, c)
		return operand{name, func(p coordinates) int { return x.value(p) * y.value(p) }}
	}
	sum := product()
	for range 1 + r.IntN(2) {
		add := pick()
		if r.IntN(2) == 0 {
			add = product()
		}
		n++
		name, before := fmt.Sprintf("%%r%d", n), sum
		fmt.Fprintf(&b, "mov.b32 %s, %s;\nadd.s32 %s, %s, %s;\n", name, before.name, name, name, add.name)
		sum = operand{name, func(p coordinates) int { return before.value(p) + add.value(p) }}
	}
	fmt.Fprintf(&b, "mov.b32 %%r199, %s;\nmul.wide.s32 %%a, %%r199, 4;\nadd.s64 %%a, %%o, %%a;\nst.global.u32 [%%a], %%r199;\nEND:\nret;\n}\n", sum.name)
	return b.String(), sum.value, func(p coordinates) bool {
		for _, c := range conditions {
			if !c(p) {
				return false
			}
		}
		return true
	}
}

// collides tries launches for two threads that store at one index.
// An extent that the kernel does not depend on is 1.
func collides(l Launch, index func(coordinates) int, stores func(coordinates) bool, params []int) (at string) {
	extents := func(known uint32) []int {
		if known != 0 {
			return []int{int(known)}
		}
		return []int{1, 2, 3}
	}
	for _, w := range params {
		for _, h := range params {
			for _, nx := range extents(l.Block[0]) {
				for _, ny := range extents(l.Block[1]) {
					for _, gx := range extents(l.Grid[0]) {
						for _, gy := range extents(l.Grid[1]) {
							seen := map[int]coordinates{}
							for i := range nx * ny * gx * gy {
								p := coordinates{tx: i % nx, ty: i / nx % ny, bx: i / (nx * ny) % gx, by: i / (nx * ny * gx), nx: nx, ny: ny, w: w, h: h}
								if !stores(p) {
									continue
								}
								if q, ok := seen[index(p)]; ok {
									return fmt.Sprintf("%+v and %+v", p, q)
								}
								seen[index(p)] = p
							}
						}
					}
				}
			}
		}
	}
	return ""
}

// TestRadix compares proofs for unknown launches with all threads of small ones.
// There is no z3: what is proved here follows from digits alone, or at once.
func TestRadix(t *testing.T) {
	s := solve.New(solve.Options{Path: "no-such-z3"})
	safe, unusual := 0, 0
	for seed := range uint64(600) {
		text, index, stores := randomKernel(rand.New(rand.NewPCG(seed, 1)))
		f := kernels(t, "random", []byte(text))["k"]
		u := NewUnit(f, Launch{Shared: -1}, nil, s)
		races := u.Races(context.Background(), ITS)
		params := []int{-2, 0, 1, 2, 3, 5}
		switch {
		case len(races.Accesses) == 0 || races.Undecided != "":
			continue
		case len(races.Pairs) == 0:
			safe++
		case races.Pairs[0].unusual:
			unusual++
			params = []int{97, 89}
		default:
			continue
		}
		if at := collides(u.Launch, index, stores, params); at != "" {
			t.Fatalf("seed %d: %+v, but %s\n%s", seed, races, at, text[len(randomHead):])
		}
	}
	if safe < 50 || unusual < 30 {
		t.Errorf("%d kernels are safe, %d for usual parameters: want more", safe, unusual)
	}
	t.Logf("%d kernels are safe, %d for usual parameters", safe, unusual)
}
