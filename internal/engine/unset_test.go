package engine_test

import (
	"math/bits"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// TestUnsetInFunction: registers that a function reads before it sets them are 0 at each call,
// on every executor, whatever an earlier call, or one of another function, has left.
func TestUnsetInFunction(t *testing.T) {
	defer useOwnExecutor()
	decls := `
.func (.param .b32 r) sum(.param .b32 n)
{
	.reg .b32 %n, %s, %u; .reg .b64 %w; .reg .pred %q, %p;
	ld.param.b32 %n, [n];
	@%q bra SET;
	add.u32 %s, %u, %n;
	cvt.u32.u64 %u, %w;
	add.u32 %s, %s, %u;
	setp.eq.u32 %p, %n, 0;
	@%p bra OUT;
	sub.u32 %n, %n, 1;
	{ .param .b32 a; .param .b32 b; st.param.b32 [a], %n; call.uni (b), sum, (a); ld.param.b32 %u, [b]; }
	add.u32 %s, %s, %u;
SET:
	mov.u32 %u, 1000;
	mov.u64 %w, 100000;
	setp.eq.u32 %q, %u, 1000;
OUT:
	st.param.b32 [r], %s;
	ret;
}
.func (.param .b32 r) once()
{
	.reg .b32 %u;
	st.param.b32 [r], %u;
	mov.u32 %u, 7;
	ret;
}`
	body := `
	{ .param .b32 a; .param .b32 b; and.b32 %r2, %t, 3; st.param.b32 [a], %r2; call.uni (b), sum, (a); ld.param.b32 %r1, [b]; }
	{ .param .b32 b; call.uni (b), once, (); ld.param.b32 %r3, [b]; call.uni (b), once, (); ld.param.b32 %r4, [b]; }
	shl.b32 %r3, %r3, 16;
	or.b32 %r1, %r1, %r3;
	or.b32 %r1, %r1, %r4;
	st.global.u32 [%o], %r1;`
	for _, mode := range executors() {
		warp.UseExecutor(mode)
		t.Run(mode, func(t *testing.T) {
			got := outs(t, launch{grid: 2, block: 64}, decls, body)
			expect(t, got, func(i uint32) uint32 { n := i & 3; return n * (n + 1) / 2 })
		})
	}
}

// unsetNames gives each register that a kernel may read before it is written an origin of its own, and
// notes whose values matter.
type unsetNames struct{ unset, used []string }

func (u *unsetNames) observer() *trace.Observer {
	return &trace.Observer{Launch: func(*trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{MarksWritten: true, Block: func() *trace.BlockObserver {
			return &trace.BlockObserver{
				Begin: func(*trace.Block) {}, End: func() {}, Unwritten: func(*trace.Unwritten) {},
				Undefined: &trace.UndefinedObserver{
					Unset: func(e *trace.UnsetRegister) {
						u.unset = append(u.unset, e.Site.Register)
						for l := range e.Origin {
							e.Origin[l] = uint32(len(u.unset))
						}
					},
					Reread: func(*trace.Reread) {}, Mixed: func(uint32, uint32) {},
					Lasting: func(o uint32) uint32 { return o },
					Used: func(e *trace.Used) {
						u.used = append(u.used, u.unset[e.Origin[bits.TrailingZeros32(e.Mask)]&trace.MaxOrigin-1])
					},
				},
			}
		}}}
	}}
}

// TestUnsetRegisters: which register an undefined value comes from, where another register's place is
// the same. The second is written and read under one guard, so its first read follows a write.
func TestUnsetRegisters(t *testing.T) {
	arena.TrackWrites()
	defer useOwnExecutor()
	for _, c := range []struct{ name, body, want string }{
		{"read before it is written", "add.u64 %d0, %d0, 1; st.global.u32 [%o], %r1;", "%r1"},
		{"and another under a guard", `setp.lt.u32 %p0, %t, 5; setp.lt.u64 %p1, %d0, 9; @%p1 bra L; exit;
			L: @%p0 cvt.u64.u32 %d1, %t; @%p0 st.global.u32 [%o], %d1;`, "%d0"},
		{"under a guard that changed", `setp.lt.u32 %p0, %t, 5; @%p0 cvt.u64.u32 %d1, %t; setp.lt.u32 %p0, %t, 9;
			@%p0 setp.lt.u64 %p1, %d1, 9; @%p1 exit;`, "%d1"},
		{"under the other guard", "setp.lt.u32 %p0, %t, 5; @%p0 cvt.u64.u32 %d1, %t; @!%p0 st.global.u32 [%o], %d1;", "%d1"},
		{"under a guard alone", "setp.lt.u32 %p0, %t, 5; @%p0 cvt.u64.u32 %d1, %t; @%p0 st.global.u64 [%base], %d1;", ""},
	} {
		for _, mode := range executors() {
			warp.UseExecutor(mode)
			t.Run(c.name+" "+mode, func(t *testing.T) {
				u := &unsetNames{}
				out := newBuffer(t, 128)
				if _, err := tryRun(t, launch{src: simple("", c.body), params: []any{out}, observers: []*trace.Observer{u.observer()}}); err != nil {
					t.Fatal(err)
				}
				if slices.Sort(u.used); c.want == "" && len(u.used) > 0 || c.want != "" && !slices.Equal(slices.Compact(u.used), []string{c.want}) {
					t.Errorf("used values of %v, want %q", u.used, c.want)
				}
			})
		}
	}
}
