package engine_test

// halfOps are instructions on halves, packed values and narrow formats, which
// random programs use as well.
var halfOps = []string{
	"add.f16 h h h", "mul.rn.sat.f16 h h h", "fma.rn.f16 h h h h", "fma.rn.relu.bf16 h h h h", "add.bf16 h h h", "min.NaN.f16 h h h", "neg.bf16 h h",
	"add.f16x2 r r r", "fma.rn.bf16x2 r r r r", "max.xorsign.abs.bf16x2 r r r", "abs.f16x2 r r", "tanh.approx.f16x2 r r", "ex2.approx.f16 h h",
	"add.f32x2 d d d", "fma.rn.ftz.f32x2 d d d d", "add.rn.f32.bf16 f h f", "fma.rz.f32.f16 f h h f", "add.u16x2 r r r", "max.relu.s16x2 r r r",
	"setp.lt.f16 p h h", "setp.geu.bf16 p h h", "setp.gt.f16x2 p|p r r", "set.lt.f16x2.f16x2 r r r", "set.gtu.u32.bf16x2 r r r", "set.ne.or.f16.f32 h f f p", "set.eq.bf16.s64 h d d",
	"cvt.rn.f16.f32 h f", "cvt.f32.f16 f h", "cvt.rz.bf16.f32 h f", "cvt.rn.bf16x2.f32 r f f", "cvt.rn.relu.satfinite.f16x2.f32 r f f", "cvt.rna.tf32.f32 r f", "cvt.rm.f16.s32 h r",
	"cvt.rni.s32.f16 r h", "cvt.rn.bf16.u64 h d", "cvt.rpi.sat.u8.f32 r f", "cvt.sat.s16.s32 h r", "cvt.rmi.f32.f32 f f", "cvt.f64.bf16 g h",
	"cvt.rn.satfinite.e4m3x2.f32 h f f", "cvt.rn.f16x2.e5m2x2 r h", "cvt.rn.satfinite.relu.e5m2x2.f16x2 h r", "cvt.pack.sat.s16.s32 r r r", "cvt.pack.sat.u8.s32.b32 r r r r",
	"dp4a.u32.s32 r r r r", "dp2a.hi.s32.u32 r r r r", "vadd4.u32.u32.u32.add r r r r", "vset2.s32.s32.lt r r r r", "vmad.s32.s32.s32.sat.shr7 r r r r", "vabsdiff2.s32.u32.s32 r r r r",
	"szext.clamp.s32 r r R", "bmsk.wrap.b32 r r R", "fns.b32 r r 3 r", "bfind.shiftamt.s64 r d", "shf.r.clamp.b32 r r r R", "prmt.b32.rc8 r r r R", "mad.hi.sat.s32 r r r r", "mad.wide.u16 r h h r",
	"mad24.hi.s32 r r r r", "copysign.f64 g g g", "testp.subnormal.f32 p f", "sqrt.rm.f32 f f", "rcp.rn.f64 g g", "div.rp.f32 f f f", "div.full.f32 f f f", "rsqrt.approx.ftz.f32 f f", "sin.approx.f32 f f",
	"mad.lo.cc.u32 r r r r", "madc.hi.u32 r r r r",
}

func init() { genOps = append(genOps, halfOps...) }
