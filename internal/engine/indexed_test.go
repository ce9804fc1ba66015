package engine_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"testing"

	"github.com/warpgrind/warpgrind/internal/warp"
)

// TestIndexedFaults runs accesses at an index into an array of which generated code knows where it may go, and
// then one where a lane is elsewhere: outside, in another part of the allocation, or misaligned. All executors
// find the same.
func TestIndexedFaults(t *testing.T) {
	defer useOwnExecutor()
	const size = 12288
	rng := rand.New(rand.NewSource(1))
	faults, clean := 0, 0
	for n := range 150 {
		access := pickOf(rng, "ld.global.u32 %r5, [%d2];", "st.global.u32 [%d2], %t;", "red.global.add.u32 [%d2], 1;", "ld.global.u8 %r5, [%d2+1];")
		wide := pickOf(rng, "mul.wide.s32", "mul.wide.u32")
		array := pickOf(rng, 0, 0, 4096, -4096, -8192, 8192, 2) // where it is the last time, from where it was
		index := pickOf(rng, 0, 5, -1, -4, 1023, 1024, 2047, 2048, 3000, 1<<30, -1<<31, 1<<31-1, 1<<30+7, -1024, -1025)
		lanes, apart, lane := pickOf(rng, 32, 32, 29, 1), pickOf(rng, 1, 3), pickOf(rng, 0, 3, 28, 31)
		src := simple("", fmt.Sprintf(`
	setp.ge.u32 %%p1, %%t, %d; @%%p1 bra DONE;
	mov.u32 %%r1, 0; add.u64 %%base, %%base, 4096;
LOOP:
	setp.eq.u32 %%p2, %%r1, 20; selp.u64 %%d3, %d, 0, %%p2; add.u64 %%d3, %%base, %%d3;
	setp.eq.and.u32 %%p1, %%t, %d, %%p2; mul.lo.u32 %%r2, %%t, %d; selp.u32 %%r2, %d, %%r2, %%p1;
	%s %%d1, %%r2, 4; add.u64 %%d2, %%d3, %%d1; %s
	add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p2, %%r1, 22; @%%p2 bra LOOP;`, lanes, array, lane, apart, index, wide, access))
		out := newBuffer(t, size)
		var want string
		var memory []byte
		for i, mode := range executors() {
			warp.UseExecutor(mode)
			clear(out.bytes())
			res, err := tryRun(t, launch{src: src, params: []any{out}})
			if err != nil {
				t.Fatal(err)
			}
			got := "no fault"
			if f := res.Fault; f != nil {
				got = fmt.Sprint(f.Kind, f.Warp, f.Message)
			}
			if i > 0 && (got != want || !bytes.Equal(memory, out.bytes())) {
				t.Fatalf("%d: executor %s: %s, want %s, or other memory\n%s", n, mode, got, want, src)
			}
			want, memory = got, bytes.Clone(out.bytes())
		}
		if want == "no fault" {
			clean++
		} else {
			faults++
		}
	}
	if faults < 30 || clean < 30 {
		t.Errorf("%d runs with a fault, %d without", faults, clean)
	}
}

func pickOf[T any](rng *rand.Rand, list ...T) T { return list[rng.Intn(len(list))] }
