package analysis_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// roundsGrid is how many blocks run a random loop.
const roundsGrid = 7

// randomLoop is a loop from a place of the block's own to another one:
// x = initK*%ctaid.x + initC; do { } while (test(x, limitK*%ctaid.x + limitC)), with
// x += step before the test, or after it in a loop that tests at its top. With a cut
// it ends after so many rounds at the latest, by the same branch.
type randomLoop struct {
	initK, initC, limitK, limitC, step int32
	// stay is the comparison under which the loop continues.
	stay, typ     string
	swapped, next bool
	cut           int
}

func newRandomLoop(r *rand.Rand) randomLoop {
	near := []int32{0, 0, 1, -1, 5, 31, 32, 96, 100, 512, -7, 1 << 20, 1<<31 - 1, -1 << 31, 1<<31 - 40, -1<<31 + 40}
	pick := func() int32 { return near[r.Intn(len(near))] }
	l := randomLoop{initK: pick(), initC: pick(), limitC: pick(), step: []int32{1, 2, 3, 16, 32, 100, -1, -4, -32}[r.Intn(9)],
		stay: []string{"lt", "le", "gt", "ge", "ne", "lt", "le"}[r.Intn(7)], typ: []string{"s32", "u32"}[r.Intn(2)],
		swapped: r.Intn(2) == 0, next: r.Intn(2) == 0}
	if l.limitK = l.initK; r.Intn(4) == 0 {
		l.limitK = pick()
	}
	if r.Intn(2) == 0 {
		l.limitC = l.initC + []int32{0, 1, 7, 31, 64, 511, -1, -64, -300}[r.Intn(9)]
	}
	if r.Intn(4) == 0 {
		l.cut = 1 + r.Intn(20)
	}
	return l
}

// ptx is a kernel with the loop.
func (l randomLoop) ptx() string {
	a, b := "%r2", "%r3"
	if l.swapped {
		a, b = b, a
	}
	test := fmt.Sprintf("setp.%s.%s %%p1, %s, %s;", l.stay, l.typ, a, b)
	if l.cut > 0 {
		test += fmt.Sprintf("\nsetp.lt.u32 %%p2, %%r4, %d;\nand.pred %%p1, %%p2, %%p1;\nadd.s32 %%r4, %%r4, 1;", l.cut)
	}
	add := fmt.Sprintf("add.s32 %%r2, %%r2, %d;", l.step)
	body := test + "\n@!%p1 bra done;\n" + add + "\nbra top;"
	if l.next {
		body = add + "\n" + test + "\n@%p1 bra top;"
	}
	return fmt.Sprintf(`.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %%p<3>;
.reg .b32 %%r<5>;
mov.u32 %%r1, %%ctaid.x;
mov.u32 %%r4, 0;
mad.lo.s32 %%r2, %%r1, %d, %d;
mad.lo.s32 %%r3, %%r1, %d, %d;
top:
bar.sync 0;
%s
done:
ret;
}
`, l.initK, l.initC, l.limitK, l.limitC, body)
}

// rounds counts how often the header runs in a block, up to a bound.
func (l randomLoop) rounds(block int32, bound int) int {
	x, limit := l.initK*block+l.initC, l.limitK*block+l.limitC
	for n := 1; n < bound; n++ {
		if l.next {
			x += l.step
		}
		a, b := int64(x), int64(limit)
		if l.typ == "u32" {
			a, b = int64(uint32(x)), int64(uint32(limit))
		}
		if l.swapped {
			a, b = b, a
		}
		if !map[string]bool{"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "ne": a != b}[l.stay] || l.cut > 0 && n > l.cut {
			return n
		}
		if !l.next {
			x += l.step
		}
	}
	return bound
}

// TestRounds compares the facts about the rounds of random loops with the rounds
// that each block makes.
func TestRounds(t *testing.T) {
	const bound = 5000
	r := rand.New(rand.NewSource(1))
	counted, bounded := 0, 0
	for range 1500 {
		l := newRandomLoop(r)
		m, err := ptx.Parse("loop.ptx", []byte(l.ptx()))
		if err != nil {
			t.Fatal(err)
		}
		f, err := ssa.Build(m, m.Items[0].(*ptx.Func), ssa.Options{Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Loops) != 1 {
			continue // the test is decided
		}
		a := analysis.New(f, analysis.Env{Block: [3]uint32{32, 1, 1}, Grid: [3]uint32{roundsGrid, 1, 1}})
		info := a.Loop(f.Loops[0])
		if info.Trips >= 0 {
			counted++
		} else if info.Max >= 0 {
			bounded++
		}
		for block := range int32(roundsGrid) {
			n := int64(l.rounds(block, bound))
			if info.Trips >= 0 && n != min(info.Trips, bound) || info.Max >= 0 && n-1 > info.Max {
				t.Fatalf("%+v\n%s\nblock %d makes %d rounds; said: %d trips, last round %d", l, f, block, n, info.Trips, info.Max)
			}
		}
	}
	t.Logf("%d counted, %d bounded", counted, bounded)
	if counted < 150 || bounded < 100 {
		t.Errorf("of 1500 loops the rounds of %d are known and those of %d bounded: too few to mean much", counted, bounded)
	}
}
