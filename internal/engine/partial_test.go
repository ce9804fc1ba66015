package engine_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// TestPartialWarps compares accesses by some lanes of a warp that are neighbors, at the edges of what
// they may access and beyond, with the interpreter's.
func TestPartialWarps(t *testing.T) {
	defer useOwnExecutor()
	const room = 512
	for _, size := range []int{1, 2, 4, 8} {
		for i, space := range []string{"global", "shared"} {
			for _, lanes := range [][2]int{{5, 29}, {0, 1}, {31, 32}, {0, 16}, {16, 31}, {7, 9}, {1, 32}} {
				n := lanes[1] - lanes[0]
				for _, first := range []int{0, room - n*size, room - n*size + size, -size, 1, room - n*size - 3} {
					name := fmt.Sprintf("%s/%d/%v/%d", space, size, lanes, first)
					if !takes(int(uint(len(name)*i + first))) {
						continue
					}
					var want string
					for _, mode := range executors() {
						warp.UseExecutor(mode)
						out := newBuffer(t, room)
						for k := range out.bytes() {
							out.bytes()[k] = byte(k * 7)
						}
						res, err := tryRun(t, launch{src: partialKernel(size, space, lanes, first, room), params: []any{out}})
						if err != nil {
							t.Fatal(err)
						}
						got := fmt.Sprintf("%x %s", bytes.Clone(out.bytes()), describeFault(res.Fault, out.Base))
						if want == "" {
							want = got
						}
						if got != want {
							t.Errorf("%s: %s\n%s\nwant\n%s", name, mode, got, want)
						}
					}
				}
			}
		}
	}
}

// describeFault has what a fault is but for texts and for where memory is.
func describeFault(f *trace.Fault, base uint64) string {
	if f == nil {
		return "no fault"
	}
	a := f.Addr
	if f.Space == trace.SpaceGlobal {
		a -= base
	}
	return fmt.Sprintf("fault %d %v at %d of lanes %x, first %d", f.Kind, f.Cause, int64(a), f.Mask, f.Lane)
}

// partialKernel accesses twice what it may, and then elements from the byte first of the buffer on. What
// is in shared memory it copies there and back.
func partialKernel(size int, space string, lanes [2]int, first, room int) string {
	at, decls := "%base", ""
	copied := func(from, to string) string { return "" }
	if space == "shared" {
		at, decls = "%d5", fmt.Sprintf(".shared .align 16 .b8 s[%d];", room)
		copied = func(from, to string) string {
			return fmt.Sprintf("ld.%s.v2.u64 {%%d6, %%d7}, [%%d8]; st.%s.v2.u64 [%%d9], {%%d6, %%d7};", from, to)
		}
	}
	return simple(decls, strings.NewReplacer("SIZE", fmt.Sprint(size), "TYPE", fmt.Sprintf("u%d", 8*size), "REG", map[bool]string{true: "%d2", false: "%r4"}[size == 8], "WIDE", map[bool]string{true: "u64", false: "u32"}[size == 8],
		"SPACE", space, "AT", at, "FIRST", fmt.Sprint(first), "LOW", fmt.Sprint(lanes[0]), "HIGH", fmt.Sprint(lanes[1]),
		"THERE", "mul.wide.u32 %d8, %t, 16; mov.u64 %d5, s; add.u64 %d9, %d8, %d5; add.u64 %d8, %d8, %base;"+copied("global", "shared"),
		"BACK", "mul.wide.u32 %d9, %t, 16; add.u64 %d8, %d9, %d5; add.u64 %d9, %d9, %base;"+copied("shared", "global")).Replace(
		map[bool]string{true: "THERE", false: ""}[space == "shared"]+`
			mov.u32 %r0, 0;
		ROUND:
			setp.eq.u32 %p1, %r0, 2; selp.b64 %d0, FIRST, 64, %p1;
			setp.lt.u32 %p2, %t, LOW; @%p2 bra NEXT; setp.ge.u32 %p2, %t, HIGH; @%p2 bra NEXT;
			sub.u32 %r1, %t, LOW; mul.wide.u32 %d1, %r1, SIZE; add.u64 %d1, %d1, %d0; add.u64 %d1, %d1, AT;
			ld.SPACE.TYPE REG, [%d1]; add.WIDE REG, REG, 3; st.SPACE.TYPE [%d1], REG;
		NEXT:	add.u32 %r0, %r0, 1; setp.lt.u32 %p1, %r0, 3; @%p1 bra ROUND;
			`+map[bool]string{true: "BACK", false: ""}[space == "shared"]))
}
