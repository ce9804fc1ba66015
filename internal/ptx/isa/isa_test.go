package isa

import (
	"strings"
	"testing"
)

func TestLookup(t *testing.T) {
	cases := []struct{ op, want string }{
		{"add.s32", "add"}, {"add", "add"}, {"add.cc.u32", "add.cc"}, {"ret", "ret"},
		{"bar.sync", "bar"}, {"bar.warp.sync", "bar.warp.sync"}, {"barrier.cta.sync", "barrier"},
		{"barrier.cluster.arrive.aligned", "barrier.cluster"},
		{"shfl.sync.up.b32", "shfl.sync"}, {"shfl.up.b32", "shfl"}, {"vote.ballot.sync.b32", "vote.sync"},
		{"cp.async.ca.shared.global", "cp.async"}, {"cp.async.bulk.tensor.1d.global", "cp.async.bulk.tensor"},
		{"cp.async.bulk.wait_group.read", "cp.async.bulk.wait_group"},
		{"mma.sync.aligned", "mma"}, {"mma.sp::ordered_metadata.sync", "mma.sp::ordered_metadata"},
		{"tcgen05.mma.ws.sp.cta_group::1", "tcgen05.mma.ws.sp"}, {"fence.proxy.alias", "fence.proxy"},
		{"nosuch", ""}, {"cp", ""}, {"", ""}, {"mbarrier.frob", ""},
	}
	for _, c := range cases {
		got := ""
		if d := Lookup(c.op); d != nil {
			got = d.Op
		}
		if got != c.want {
			t.Errorf("Lookup(%q) = %q, want %q", c.op, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	good := `add.s32 add.sat.s32 add.f32 add.rn.ftz.sat.f32 add.rn.f16x2 add.rn.bf16 add.cc.u64 add.u16x2 add.rn.f32.bf16
addc.cc.s32 mad.lo.cc.u32 madc.hi.u32 mul.wide.s16 mul.f32 mul.lo.u64 fma.rn.relu.bf16x2 div.full.ftz.f32 div.approx.f32 div.rn.f64
rcp.approx.ftz.f64 sqrt.rn.f32 min.xorsign.abs.f32 min.NaN.f16x2 max.ftz.NaN.xorsign.abs.f32 max.relu.s16x2 neg.ftz.f32 abs.bf16
setp.lt.and.ftz.f32 setp.neu.f64 setp.hs.u32 set.gtu.u32.f32 set.eq.and.f16.f16 selp.b64 slct.ftz.f32.f32
cvt.rn.f32.s32 cvt.rzi.s32.f32 cvt.sat.f32.f32 cvt.rn.relu.satfinite.f16.f32 cvt.rn.satfinite.relu.e5m2x2.f16x2 cvt.rz.satfinite.ue8m0x2.f32
cvt.u64.u32 cvt.rn.f16x2.e4m3x2 cvt.ftz.f64.f32 ld.u32 ld.global.nc.v4.f32 ld.volatile.shared.f64 ld.acquire.sys.global.b32 ld.relaxed.cluster.b64
ld.global.L1::evict_last.L2::cache_hint.v2.b64 st.release.gpu.u32 st.wt.global.b8 ldu.global.v4.f32 prefetch.global.L2 prefetchu.L1
atom.global.add.f64 atom.add.noftz.f16 atom.cas.b16 atom.global.v8.f16.max.noftz red.relaxed.sys.global.add.u64 bar.sync barrier.sync.aligned
bar.red.or.pred vote.ballot.b32 vote.sync.uni.pred match.all.sync.b64 redux.sync.add.u32 redux.sync.min.abs.NaN.f32 membar.sys fence.sc.gpu
cvta.to.shared.u64 cvta.param.u64 isspacep.shared::cluster mov.pred mov.b128 shf.r.clamp.b32 lop3.b32 dp4a.u32.s32 dp2a.hi.s32.u32 bfind.shiftamt.u32
tex.2d.v2.f16x2.f32 tex.base.cube.v4.f32.f32 nanosleep.u32 bra.uni call.uni ret.uni exit trap brkpt pmevent.mask activemask.b32
prmt.b32.rc16 szext.wrap.s32 bmsk.clamp.b32 setmaxnreg.dec.sync.aligned.u32 griddepcontrol.wait discard.global.L2 ex2.approx.ftz.bf16x2 mad.rn.f64`
	for _, op := range strings.Fields(good) {
		d, forms, err := Check(op)
		if err != nil || d == nil || len(forms) == 0 {
			t.Errorf("%s: %v", op, err)
		}
	}
	bad := []struct{ op, want string }{
		{"frob.u32", `unknown instruction "frob.u32"`},
		{"add", "add: missing modifier: one of ."},
		{"add.rn.s32", "add.rn.s32: modifier .s32 does not fit"},
		{"add.s32.s32", "add.s32.s32: modifier .s32 does not fit"},
		{"add.b32", "add.b32: modifier .b32 does not fit"},
		{"cvt.rni.f32.s32", "cvt.rni.f32.s32: modifier"},
		{"set.lt.s32.bf16x2.f32", "set.lt.s32.bf16x2.f32: modifier"},
		{"and.u32", "and.u32: modifier .u32 does not fit"},
		{"ld.frob.u32", "ld.frob.u32: modifier .frob does not fit"},
		{"bar", "bar: missing modifier: one of .sync"},
		{"setp.s32", "setp.s32: missing modifier: one of .eq"},
	}
	for _, c := range bad {
		if _, _, err := Check(c.op); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.op, err, c.want)
		}
	}
}

// TestRows checks each row's own consistency.
func TestRows(t *testing.T) {
	for _, d := range All() {
		if strings.Count(d.Op, ".") >= maxWords {
			t.Errorf("%s has more than %d words", d.Op, maxWords)
		}
		if d.Section == "" || len(d.Forms) == 0 || d.PTX[0] < 1 || d.SM < 10 || d.Class >= NumClasses {
			t.Errorf("incomplete row %+v", d)
		}
		for _, f := range d.Forms {
			optional := false
			for _, a := range f.Args {
				if optional && !a.Optional && !a.Rest && d.Op != "bar" && d.Op != "barrier" {
					t.Errorf("%s: an operand follows an optional one", d.Op)
				}
				optional = a.Optional
			}
		}
	}
}

// TestComplete lists the opcodes that the ISA's chapter "Instructions" names.
func TestComplete(t *testing.T) {
	const names = `abs activemask add add.cc addc alloca and applypriority atom bar bar.warp.sync barrier barrier.cluster bfe bfi bfind
bmsk bra brev brkpt brx.idx call clusterlaunchcontrol.query_cancel clusterlaunchcontrol.try_cancel clz cnot copysign cos cp.async
cp.async.bulk cp.async.bulk.commit_group cp.async.bulk.prefetch cp.async.bulk.prefetch.tensor cp.async.bulk.tensor
cp.async.bulk.wait_group cp.async.commit_group cp.async.mbarrier.arrive cp.async.wait_all cp.async.wait_group cp.reduce.async.bulk
cp.reduce.async.bulk.tensor createpolicy cvt cvt.pack cvta discard div dp2a dp4a elect ex2 exit fence fma fns getctarank griddepcontrol
isspacep istypep ld ldmatrix ldu lg2 lop3 mad mad24 madc mapa match max mbarrier.arrive mbarrier.arrive_drop mbarrier.complete_tx
mbarrier.expect_tx mbarrier.init mbarrier.inval mbarrier.pending_count mbarrier.test_wait mbarrier.try_wait membar min mma mma.sp mov
movmatrix mul mul24 multimem.ld_reduce multimem.red multimem.st nanosleep neg not or pmevent popc prefetch prefetchu prmt rcp red
red.async redux rem ret rsqrt sad selp set setmaxnreg setp shf shfl shfl.sync shl shr sin slct sqrt st st.async st.bulk stackrestore
stacksave stmatrix sub sub.cc subc suld suq sured sust szext tanh tcgen05.alloc tcgen05.commit tcgen05.cp tcgen05.dealloc
tcgen05.fence::after_thread_sync tcgen05.fence::before_thread_sync tcgen05.ld tcgen05.mma tcgen05.mma.sp tcgen05.mma.ws
tcgen05.mma.ws.sp tcgen05.relinquish_alloc_permit tcgen05.shift tcgen05.st tcgen05.wait::ld tcgen05.wait::st tensormap.cp_fenceproxy
tensormap.replace testp tex tld4 trap txq vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin
vmin2 vmin4 vote vote.sync vset vset2 vset4 vshl vshr vsub vsub2 vsub4 wgmma.commit_group wgmma.fence wgmma.mma_async
wgmma.mma_async.sp wgmma.wait_group wmma.load wmma.mma wmma.store xor`
	for _, n := range strings.Fields(names) {
		if d := Lookup(n); d == nil || d.Op != n {
			t.Errorf("no row for %s", n)
		}
	}
}

func TestSpecial(t *testing.T) {
	for _, n := range []string{"%tid", "%tid.x", "%ntid.w", "%ctaid.r", "%envreg0", "%envreg31", "%pm7", "%pm3_64", "%clock64"} {
		if Special(n) == nil {
			t.Errorf("%s is not found", n)
		}
	}
	for _, n := range []string{"%tid.q", "%tid.xy", "%tid.", "%laneid.x", "%envreg32", "%pm8", "%foo", "tid", ""} {
		if Special(n) != nil {
			t.Errorf("%s is found", n)
		}
	}
	if s := Special("%tid.x"); s.Type != U32 || s.Components != "xyzw" {
		t.Errorf("%%tid is %+v", s)
	}
}

func TestTypes(t *testing.T) {
	for ty := B8; ty < numTypes; ty++ {
		if ParseType(ty.String()) != ty {
			t.Errorf("type %d: name %q", ty, ty)
		}
	}
	if ParseType("") != TypeNone || ParseType("x") != TypeNone {
		t.Error("a type without a name")
	}
}
