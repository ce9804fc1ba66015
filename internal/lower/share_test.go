package lower

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// emitted lowers kernel k up to where slots get their places.
func emitted(t *testing.T, m *ptx.Module) *unit {
	t.Helper()
	u := &unit{
		mod: m, syms: Symbols{}, funcs: map[string]*fn{}, shared: map[string]uint64{},
		prog:   &program.Program{StackTop: program.NoSlot, FuncAt: map[uint64]int{}},
		consts: map[constKey]int32{}, specials: map[string]special{}, slots: make([]slot, 1),
	}
	if err := u.emit(m.Func("k")); err != nil {
		t.Fatal(err)
	}
	for _, c := range u.lateCopies {
		u.prog.Code[c.code].Bcast = c.d.bcast
	}
	return u
}

// places counts the places of a kind that slots have after sharing.
func places(u *unit, k slotKind) int {
	n := 0
	for i, s := range u.slots {
		if i > 0 && s.kind == k && s.place == int32(i) {
			n++
		}
	}
	return n
}

var shareBodies = []struct {
	name, decls, body string
	kind              slotKind
	places            int // that slots of the kind need
}{
	{"a chain", "", "mov.u32 %r0, %tid.x; add.u32 %r1, %r0, 1; add.u32 %r2, %r1, 2; add.u32 %r3, %r2, 3; st.global.u32 [0], %r3;", area32, 1},
	{"two at once", "", "mov.u32 %r0, %tid.x; add.u32 %r1, %r0, 1; add.u32 %r2, %r0, 2; add.u32 %r3, %r1, %r2; st.global.u32 [0], %r3;", area32, 2},
	{"around a loop", "", `mov.u32 %r0, %tid.x; add.u32 %r1, %r0, 1; mov.u32 %r2, %laneid;
		L: add.u32 %r3, %r1, %r2; add.u32 %r2, %r3, 1; setp.lt.u32 %p0, %r2, 99; @%p0 bra L; st.global.u32 [0], %r2;`, area32, 3},
	{"in two branches", "", `mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 5; @%p0 bra A;
		add.u32 %r1, %r0, 1; add.u32 %r2, %r1, 1; st.global.u32 [0], %r2; ret;
		A: add.u32 %r3, %r0, 1; add.u32 %r4, %r3, 1; st.global.u32 [0], %r4;`, area32, 1},
	{"kept once: what the other side reads stays", "", `mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 5;
		mov.u32 %r1, %ctaid.x; add.u32 %r2, %r1, 7; add.u32 %r1, %r1, 8; @%p0 bra A;
		add.u32 %r3, %r2, 1; add.u32 %r4, %r0, %r3; st.global.u32 [0], %r4; ret;
		A: add.u32 %r5, %r1, 3; add.u32 %r6, %r5, %r5; add.u32 %r7, %r6, %r0; st.global.u32 [0], %r7;`, uniScalar, 3},
	{"guarded pair", "", `mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 5; add.u32 %r2, %r0, 9; st.global.u32 [0], %r2;
		@%p0 add.u32 %r1, %r0, 1; @%p0 st.global.u32 [0], %r1;`, area32, 1},
	{"recursion", ".func (.reg .b32 x) f (.reg .b32 a, .reg .b32 b) { .reg .pred %p; .reg .b32 %c; setp.eq.u32 %p, a, 0; mov.u32 x, b; @%p ret; sub.u32 %c, a, 1; call (x), f, (b, %c); ret; }",
		"mov.u32 %r0, %tid.x; call (%r1), f, (%r0, %r0); st.global.u32 [0], %r1;", area32, -1},
}

func TestShare(t *testing.T) {
	for _, c := range shareBodies {
		t.Run(c.name, func(t *testing.T) {
			u := emitted(t, kernel(t, c.decls, c.body))
			u.share()
			if err := u.checkSharing(); err != nil {
				t.Error(err)
			}
			if n := places(u, c.kind); c.places >= 0 && n != c.places {
				t.Errorf("%d places, want %d", n, c.places)
			}
		})
	}
}

// TestZeroes: what begins as 0, and which registers are noted as read before they are written, is
// decided with guards: two slots that begin so never share a place.
func TestZeroes(t *testing.T) {
	for _, c := range []struct {
		name, body string
		zeroes     int
	}{
		{"read first", "add.u32 %r1, %r1, 1; st.global.u32 [0], %r1;", 1},
		{"written and read under a guard", "mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 5; @%p0 add.u32 %r1, %r0, 1; @%p0 st.global.u32 [0], %r1;", 0},
		{"both", `add.u32 %r2, %r2, 1; st.global.u32 [0], %r2;
			mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 5; @%p0 add.u32 %r1, %r0, 1; @%p0 st.global.u32 [0], %r1;`, 1},
		{"the guard is another by then", "mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 5; @%p0 add.u32 %r1, %r0, 1; setp.lt.u32 %p0, %r0, 6; @%p0 st.global.u32 [0], %r1;", 1},
		{"the other lanes", "mov.u32 %r0, %tid.x; setp.lt.u32 %p0, %r0, 5; @%p0 add.u32 %r1, %r0, 1; @!%p0 st.global.u32 [0], %r1;", 1},
		{"two that live together", "add.u32 %r3, %r1, %r2; st.global.u32 [0], %r3;", 2},
		{"nothing reads it", "mov.u32 %r0, %tid.x; st.global.u32 [0], %r0;", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := emitted(t, kernel(t, "", c.body))
			u.share()
			if err := u.checkSharing(); err != nil {
				t.Error(err)
			}
			if z, n := len(u.prog.Zero), len(u.prog.Unset); z != c.zeroes || n != c.zeroes {
				t.Errorf("%d slots begin as 0, %d are noted as unset, want %d", z, n, c.zeroes)
			}
		})
	}
}

// TestClobbered gives slots places that they must not have, and wants the
// check to find all of it.
func TestClobbered(t *testing.T) {
	for _, c := range shareBodies {
		if c.places < 2 {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			u := emitted(t, kernel(t, c.decls, c.body))
			u.share()
			first := int32(0)
			for i := range u.slots {
				if s := &u.slots[i]; i > 0 && s.kind == c.kind && s.place > 0 {
					if first == 0 {
						first = s.place
					}
					s.place = first
				}
			}
			if err := u.checkSharing(); err == nil {
				t.Error("no error")
			}
		})
	}
}
