package alu

import (
	"errors"
	"testing"
)

// value is an instruction, its operands and the result that the ISA's
// pseudo-code gives.
type value struct {
	op      string
	a, b, c uint64
	want    uint64
}

const (
	inf32, ninf32, one32, two32 = 0x7f800000, 0xff800000, 0x3f800000, 0x40000000
	nan32c                      = 0x7fffffff // canonical
	m1_64                       = 0xffffffffffffffff
	one64, inf64, min64         = 0x3ff0000000000000, 0x7ff0000000000000, 1 << 63
)

var integerValues = []value{
	{"add.s32", 0x7fffffff, 1, 0, 0x80000000},
	{"add.u16", 0xffff, 1, 0, 0},
	{"add.s64", m1_64, 2, 0, 1},
	{"add.sat.s32", 0x7fffffff, 1, 0, 0x7fffffff},
	{"add.sat.s32", 0x80000000, 0xffffffff, 0, 0x80000000},
	{"add.u16x2", 0xffff0001, 0x00010002, 0, 0x00000003},
	{"sub.u32", 0, 1, 0, 0xffffffff},
	{"sub.sat.s32", 0x80000000, 1, 0, 0x80000000},
	{"mul.lo.s16", 0x8000, 2, 0, 0},
	{"mul.hi.u16", 0xffff, 0xffff, 0, 0xfffe},
	{"mul.hi.s16", 0xffff, 2, 0, 0xffff},
	{"mul.hi.s32", 0x80000000, 0x80000000, 0, 0x40000000},
	{"mul.hi.u32", 0xffffffff, 0xffffffff, 0, 0xfffffffe},
	{"mul.hi.u64", m1_64, m1_64, 0, 0xfffffffffffffffe},
	{"mul.hi.s64", m1_64, m1_64, 0, 0},
	{"mul.hi.s64", min64, 2, 0, m1_64},
	{"mul.wide.s16", 0xffff, 2, 0, 0xfffffffe},
	{"mul.wide.u16", 0xffff, 0xffff, 0, 0xfffe0001},
	{"mul.wide.s32", 0xffffffff, 2, 0, 0xfffffffffffffffe},
	{"mul.wide.u32", 0xffffffff, 2, 0, 0x1fffffffe},
	{"mad.lo.s32", 0x10000, 0x10000, 5, 5},
	{"mad.wide.u16", 0xffff, 0xffff, 1, 0xfffe0002},
	{"mad.wide.s32", 0xffffffff, 3, 4, 1},
	{"mad.hi.sat.s32", 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff},
	{"mul24.lo.u32", 0xff000003, 0x00ffffff, 0, 0x02fffffd},
	{"mul24.lo.s32", 0x00ffffff, 2, 0, 0xfffffffe},
	{"mul24.hi.u32", 0xffffff, 0xffffff, 0, 0xfffffe00},
	{"mad24.lo.u32", 3, 4, 5, 17},
	{"mad24.hi.sat.s32", 0x7fffff, 0x7fffff, 0x7fffffff, 0x7fffffff},
	{"sad.s32", 0xffffffff, 1, 10, 12},
	{"sad.u32", 0xffffffff, 1, 10, 8},
	{"div.s32", 0xfffffff9, 2, 0, 0xfffffffd},
	{"div.s32", 0x80000000, 0xffffffff, 0, 0x80000000},
	{"div.u32", 7, 0, 0, 0xffffffff},
	{"div.s64", 7, 0, 0, m1_64},
	{"div.s16", 0x8000, 0xffff, 0, 0x8000},
	{"rem.s32", 0xfffffff9, 2, 0, 0xffffffff},
	{"rem.s32", 0x80000000, 0xffffffff, 0, 0},
	{"rem.u64", 7, 0, 0, m1_64},
	{"rem.s16", 0xfff9, 4, 0, 0xfffd},
	{"abs.s32", 0x80000000, 0, 0, 0x80000000},
	{"abs.s16", 0xffff, 0, 0, 1},
	{"neg.s64", min64, 0, 0, min64},
	{"min.s32", 0xffffffff, 1, 0, 0xffffffff},
	{"min.u32", 0xffffffff, 1, 0, 1},
	{"max.relu.s32", 0xffffffff, 0xfffffffe, 0, 0},
	{"min.s16x2", 0x8000ffff, 0x00017fff, 0, 0x8000ffff},
	{"max.u16x2", 0x8000ffff, 0x00017fff, 0, 0x8000ffff},
	{"popc.b64", m1_64, 0, 0, 64},
	{"clz.b32", 0, 0, 0, 32},
	{"clz.b64", 1, 0, 0, 63},
	{"brev.b32", 1, 0, 0, 0x80000000},
	{"brev.b64", 1, 0, 0, min64},
	{"bfind.u32", 0, 0, 0, 0xffffffff},
	{"bfind.s32", 0xffffffff, 0, 0, 0xffffffff},
	{"bfind.s32", 0xfffffffe, 0, 0, 0},
	{"bfind.shiftamt.u32", 1, 0, 0, 31},
	{"bfind.shiftamt.u64", 1, 0, 0, 63},
	{"fns.b32", 0xaaaaaaaa, 3, 1, 3},
	{"fns.b32", 0xaaaaaaaa, 3, 0xffffffff, 3},
	{"fns.b32", 0xaaaaaaaa, 2, 1, 3},
	{"fns.b32", 0xaaaaaaaa, 2, 0xffffffff, 1},
	{"fns.b32", 0xaaaaaaaa, 2, 0, 0xffffffff},
	{"fns.b32", 0xaaaaaaaa, 0, 0x80000000, 0xffffffff},
	{"bfe.u32", 0x12345678, 8, 8, 0x56},
	{"bfe.s32", 0x00008000, 8, 8, 0xffffff80},
	{"bfe.s32", 0x80000000, 28, 8, 0xfffffff8},
	{"bfe.s32", 0x80000000, 40, 3, 0xffffffff},
	{"bfe.u32", 0xffffffff, 40, 3, 0},
	{"bfe.s32", 0xffffffff, 0, 0, 0},
	{"bfe.s64", 0x8000000000000000, 60, 8, 0xfffffffffffffff8},
	{"bfe.u64", m1_64, 60, 255, 0xf},
	{"szext.clamp.s32", 0x12345680, 8, 0, 0xffffff80},
	{"szext.clamp.s32", 0x12345680, 32, 0, 0x12345680},
	{"szext.wrap.u32", 0xffffffff, 32, 0, 0},
	{"szext.wrap.u32", 0xffffffff, 0, 0, 0},
	{"bmsk.wrap.b32", 1, 2, 0, 6},
	{"bmsk.clamp.b32", 32, 2, 0, 0},
	{"bmsk.clamp.b32", 4, 40, 0, 0xfffffff0},
	{"bmsk.clamp.b32", 4, 0, 0, 0},
	{"dp4a.u32.s32", 0xff010203, 0xff010101, 1, 0xffffff08},
	{"dp4a.u32.u32", 0xff010203, 0xff010101, 0, 0xfe07},
	{"dp2a.lo.s32.s32", 0xffff0002, 0x0000_0103, 10, 15},
	{"dp2a.hi.u32.u32", 0x00010002, 0x05060000, 0, 17},
	{"shl.b32", 1, 32, 0, 0},
	{"shl.b32", 1, 0xffffffff, 0, 0},
	{"shl.b16", 0x8001, 1, 0, 2},
	{"shl.b64", 1, 63, 0, min64},
	{"shl.b64", 1, 64, 0, 0},
	{"shr.s32", 0x80000000, 40, 0, 0xffffffff},
	{"shr.u32", 0x80000000, 32, 0, 0},
	{"shr.s16", 0x8000, 20, 0, 0xffff},
	{"shr.s64", min64, 64, 0, m1_64},
	{"shf.l.wrap.b32", 0x89abcdef, 0x01234567, 36, 0x12345678},
	{"shf.l.clamp.b32", 0x89abcdef, 0x01234567, 36, 0x89abcdef},
	{"shf.r.wrap.b32", 0x89abcdef, 0x01234567, 4, 0x789abcde},
	{"shf.r.clamp.b32", 0x89abcdef, 0x01234567, 40, 0x01234567},
	{"lop3.b32:lut=0x96", 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x96969696},
	{"lop3.b32:lut=0xe8", 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0xe8e8e8e8},
	{"not.b16", 0x00ff, 0, 0, 0xff00},
	{"not.pred", 1, 0, 0, 0},
	{"and.pred", 1, 0, 0, 0},
	{"cnot.b32", 0, 0, 0, 1},
	{"prmt.b32", 0x33221100, 0x77665544, 0x7531, 0x77553311},
	{"prmt.b32", 0x00008000, 0, 0x0009, 0x000000ff},
	{"prmt.b32.f4e", 0x33221100, 0x77665544, 1, 0x44332211},
	{"prmt.b32.b4e", 0x33221100, 0x77665544, 1, 0x66770011},
	{"prmt.b32.rc16", 0x33221100, 0x77665544, 1, 0x33223322},
	{"prmt.b32.ecl", 0x33221100, 0x77665544, 2, 0x33222222},
	{"prmt.b32.ecr", 0x33221100, 0x77665544, 2, 0x22221100},
	{"selp.b32", 5, 6, 1, 5},
	{"selp.f64", 5, 6, 0, 6},
	{"slct.u32.s32", 5, 6, 0x80000000, 6},
	{"slct.u32.f32", 5, 6, 0x80000000, 5},
	{"slct.u32.f32", 5, 6, nan32c, 6},
	{"slct.ftz.u32.f32", 5, 6, 0x80000001, 5},
	{"setp.lt.s32", 0xffffffff, 0, 0, 1},
	{"setp.lt.u32", 0xffffffff, 0, 0, 0},
	{"setp.lo.u16", 1, 2, 0, 1},
	{"setp.lt.and.u64", 1, 2, 0, 0},
	{"setp.lt.or.s16", 0xffff, 0, 0, 1},
	{"set.gt.u32.s32", 1, 0xffffffff, 0, 0xffffffff},
	{"set.gt.f32.s32", 1, 0xffffffff, 0, one32},
}

var floatValues = []value{
	{"add.f32", one32, nan32c &^ 0x1234, 0, nan32c},
	{"add.f32", inf32, ninf32, 0, nan32c},
	{"add.rm.f32", one32, 0xbf800000, 0, 0x80000000},
	{"add.rn.f32", one32, 0xbf800000, 0, 0},
	{"add.rp.f32", 0x7f7fffff, 0x00000001, 0, inf32},
	{"add.rz.f32", 0x7f7fffff, 0x7f7fffff, 0, 0x7f7fffff},
	{"add.ftz.f32", 0x80000001, 0x80000001, 0, 0x80000000},
	{"add.f32", 1, 1, 0, 2},
	{"add.sat.f32", one32, one32, 0, one32},
	{"add.sat.f32", nan32c, one32, 0, 0},
	{"add.sat.f32", 0xbf800000, 0, 0, 0},
	{"mul.ftz.f32", 0x00800000, 0x3f000000, 0, 0},
	{"mul.f32", 0x00800000, 0x3f000000, 0, 0x00400000},
	{"mul.rp.f32", 1, 1, 0, 1},
	{"mul.f32", 0, inf32, 0, nan32c},
	{"fma.rn.ftz.sat.f32", two32, two32, 0, one32},
	{"fma.rm.f32", one32, one32, 0xbf800000, 0x80000000},
	{"add.f64", inf64, inf64 | min64, 0, 0xfff8000000000000},
	{"add.f64", one64, 0x7ff0000000000001, 0, 0x7ff8000000000001},
	{"add.rp.f64", one64, 1, 0, one64 + 1},
	{"mul.rz.f64", 0x7fefffffffffffff, 0x4000000000000000, 0, 0x7fefffffffffffff},
	{"mul.rm.f64", 1, 0x8000000000000001, 0, 0x8000000000000001},
	{"fma.rz.f64", one64, one64, 1, one64},
	{"div.rn.f32", one32, 0, 0, inf32},
	{"div.rn.f32", 0, 0, 0, nan32c},
	{"div.rz.f32", one32, 0x40400000, 0, 0x3eaaaaaa},
	{"div.rn.f32", one32, 0x40400000, 0, 0x3eaaaaab},
	{"div.approx.f32", one32, 0x7e800001, 0, 0},
	{"div.approx.f32", inf32, 0x7e800001, 0, nan32c},
	{"div.full.f32", 0x40c00000, two32, 0, 0x40400000},
	{"div.rn.f64", one64, min64, 0, inf64 | min64},
	{"rcp.approx.f32", 0x80000000, 0, 0, ninf32},
	{"rcp.approx.ftz.f32", 1, 0, 0, inf32},
	{"rcp.rn.f32", inf32, 0, 0, 0},
	{"rcp.approx.ftz.f64", 0x4000000012345678, 0, 0, 0x3fe0000000000000},
	{"sqrt.rn.f32", 0x80000000, 0, 0, 0x80000000},
	{"sqrt.approx.f32", 0xbf800000, 0, 0, nan32c},
	{"sqrt.rn.f64", 0x4010000000000000, 0, 0, 0x4000000000000000},
	{"rsqrt.approx.f32", 0x80000000, 0, 0, ninf32},
	{"rsqrt.approx.f32", 0x40800000, 0, 0, 0x3f000000},
	{"rsqrt.approx.f64", 0x4010000000000000, 0, 0, 0x3fe0000000000000},
	{"sin.approx.f32", inf32, 0, 0, nan32c},
	{"sin.approx.f32", 0x80000000, 0, 0, 0x80000000},
	{"sin.approx.f32", 0x40490fdb, 0, 0, 0}, // pi; this and the next were seen on a GPU
	{"sin.approx.f32", 0x4b800001, 0, 0, 0}, // 2^24+2
	{"cos.approx.f32", 0x3fc90fdb, 0, 0, 0}, // pi/2
	{"cos.approx.f32", 0x4b800001, 0, 0, one32},
	{"cos.approx.ftz.f32", 1, 0, 0, one32},
	{"lg2.approx.f32", 0, 0, 0, ninf32},
	{"lg2.approx.f32", 0xbf800000, 0, 0, nan32c},
	{"lg2.approx.f32", 0x41000000, 0, 0, 0x40400000},
	{"lg2.approx.ftz.f32", 0x80000001, 0, 0, ninf32},
	{"ex2.approx.f32", ninf32, 0, 0, 0},
	{"ex2.approx.f32", 0x40400000, 0, 0, 0x41000000},
	{"ex2.approx.f16", 0x4200, 0, 0, 0x4800},
	{"tanh.approx.f32", inf32, 0, 0, one32},
	{"min.f32", 0, 0x80000000, 0, 0x80000000},
	{"max.f32", 0x80000000, 0, 0, 0},
	{"min.f32", nan32c, one32, 0, one32},
	{"min.NaN.f32", nan32c, one32, 0, nan32c},
	{"min.f32", 0xffc00000, 0x7fc00000, 0, nan32c},
	{"max.ftz.f32", 1, 0x80000000, 0, 0},
	{"min.xorsign.abs.f32", 0xbf800000, two32, 0, 0xbf800000},
	{"min.NaN.xorsign.abs.f32", 0xbf800000, 0xc0000000, 0, one32},
	{"max.f64", one64, 0x7ff8000000000000, 0, one64},
	{"abs.f32", 0xbf800000, 0, 0, one32},
	{"neg.ftz.f32", 1, 0, 0, 0x80000000},
	{"neg.f16x2", 0x3c008000, 0, 0, 0xbc000000},
	{"copysign.f32", 0x80000000, one32, 0, 0xbf800000},
	{"testp.subnormal.f32", 1, 0, 0, 1},
	{"testp.infinite.f64", inf64 | min64, 0, 0, 1},
	{"testp.normal.f32", 0x7f7fffff, 0, 0, 1},
	{"testp.notanumber.f32", 0x7f800001, 0, 0, 1},
	{"add.f16", 0x3c00, 0x3c00, 0, 0x4000},
	{"add.f16", 0x7bff, 0x7bff, 0, 0x7c00},
	{"add.sat.f16x2", 0x3c00bc00, 0x3c000000, 0, 0x3c000000},
	{"mul.bf16", 0x3f80, 0x4000, 0, 0x4000},
	{"fma.rn.relu.f16x2", 0xbc003c00, 0x3c003c00, 0, 0x00003c00},
	{"fma.rn.bf16x2", 0x3f804000, 0x40004000, 0x3f800000, 0x40404080},
	{"fma.rn.oob.f16", 0x7ff7, 0x3c00, 0x3c00, 0},
	{"fma.rn.oob.bf16", 0x3f80, 0xfff7, 0x3f80, 0},
	{"fma.rn.oob.f16", 0x3c00, 0x3c00, 0x7ff7, 0x7fff},
	{"fma.rn.oob.f16", 0xffff, 0x3c00, 0x3c00, 0x7fff},
	{"sub.f16", 0x7c00, 0x7c00, 0, 0x7fff},
	{"add.f32.f16", 0x3c00, one32, 0, two32},
	{"setp.geu.ftz.f32", nan32c, 0, 0, 1},
	{"setp.ge.f32", nan32c, 0, 0, 0},
	{"setp.ne.f32", nan32c, 0, 0, 0},
	{"setp.neu.f32", nan32c, 0, 0, 1},
	{"setp.gt.ftz.f32", 1, 0, 0, 0},
	{"setp.gt.f32", 1, 0, 0, 1},
	{"setp.eq.f64", 0, min64, 0, 1},
	{"setp.num.f16", 0x7e00, 0, 0, 0},
	{"set.lt.f16x2.f16x2", 0x3c004000, 0x40003c00, 0, 0x3c000000},
	{"set.gt.u32.f32", one32, 0, 0, 0xffffffff},
}

var convertValues = []value{
	{"cvt.u64.u32", 0xffffffff, 0, 0, 0xffffffff},
	{"cvt.s64.s32", 0xffffffff, 0, 0, m1_64},
	{"cvt.s32.s8", 0x80, 0, 0, 0xffffff80},
	{"cvt.u32.u8", 0x1ff, 0, 0, 0xff},
	{"cvt.u16.u32", 0x12345, 0, 0, 0x2345},
	{"cvt.s8.s32", 0x180, 0, 0, 0xffffff80},
	{"cvt.s16.s64", 0x8000, 0, 0, 0xffff8000},
	{"cvt.u64.s8", 0x80, 0, 0, 0xffffffffffffff80},
	{"cvt.sat.u8.s32", 0xffffffff, 0, 0, 0},
	{"cvt.sat.u8.s32", 300, 0, 0, 255},
	{"cvt.sat.s8.s32", 0xffffff00, 0, 0, 0xffffff80},
	{"cvt.sat.s32.u64", m1_64, 0, 0, 0x7fffffff},
	{"cvt.sat.u64.s64", m1_64, 0, 0, 0},
	{"cvt.rzi.s32.f32", 0xbfc00000, 0, 0, 0xffffffff},
	{"cvt.rzi.s32.f32", inf32, 0, 0, 0x7fffffff},
	{"cvt.rzi.s32.f32", nan32c, 0, 0, 0},
	{"cvt.rzi.u32.f32", 0xbf800000, 0, 0, 0},
	{"cvt.rzi.u32.f32", inf32, 0, 0, 0xffffffff},
	{"cvt.rzi.s64.f32", nan32c, 0, 0, min64},
	{"cvt.rzi.s32.f64", 0x7ff8000000000000, 0, 0, 0x80000000},
	{"cvt.rzi.u64.f64", 0x43f0000000000000, 0, 0, m1_64},
	{"cvt.rzi.u64.f64", 0x43e0000000000000, 0, 0, min64},
	{"cvt.rni.s32.f32", 0x40200000, 0, 0, 2},
	{"cvt.rni.s32.f32", 0x3fc00000, 0, 0, 2},
	{"cvt.rmi.s32.f32", 0xbf000000, 0, 0, 0xffffffff},
	{"cvt.rpi.s32.f32", 0x3f000000, 0, 0, 1},
	{"cvt.rpi.ftz.s32.f32", 1, 0, 0, 0},
	{"cvt.rpi.s32.f32", 1, 0, 0, 1},
	{"cvt.rzi.s8.f32", 0x43480000, 0, 0, 127},
	{"cvt.rzi.s8.f32", 0xc3480000, 0, 0, 0xffffff80},
	{"cvt.rzi.u8.f32", 0x43fa0000, 0, 0, 255},
	{"cvt.rn.f32.s32", 0x01000001, 0, 0, 0x4b800000},
	{"cvt.rp.f32.s32", 0x01000001, 0, 0, 0x4b800001},
	{"cvt.rm.f32.s32", 0xfeffffff, 0, 0, 0xcb800001},
	{"cvt.rz.f32.u64", m1_64, 0, 0, 0x5f7fffff},
	{"cvt.rn.f32.u64", m1_64, 0, 0, 0x5f800000},
	{"cvt.rn.f32.u64", 0x8000008000000001, 0, 0, 0x5f000001},
	{"cvt.rz.f64.u64", m1_64, 0, 0, 0x43efffffffffffff},
	{"cvt.rn.f64.u64", m1_64, 0, 0, 0x43f0000000000000},
	{"cvt.rn.f16.s32", 100000, 0, 0, 0x7c00},
	{"cvt.rz.f16.s32", 100000, 0, 0, 0x7bff},
	{"cvt.f64.f32", nan32c, 0, 0, 0x7fffffffe0000000},
	{"cvt.rn.f32.f64", 0x3ff0000010000000, 0, 0, one32},
	{"cvt.rp.f32.f64", 0x3ff0000010000000, 0, 0, one32 + 1},
	{"cvt.rn.f32.f64", 0x7ff8000000000000, 0, 0, nan32c},
	{"cvt.rn.ftz.f32.f64", 0x3800000000000000, 0, 0, 0},
	{"cvt.sat.f32.f32", two32, 0, 0, one32},
	{"cvt.rni.f32.f32", 0x40200000, 0, 0, two32},
	{"cvt.rmi.f32.f32", 0xbf000000, 0, 0, 0xbf800000},
	{"cvt.rn.f16.f32", 0x477ff000, 0, 0, 0x7c00},
	{"cvt.rn.f16.f32", 0x33000000, 0, 0, 0},
	{"cvt.rn.f16.f32", 0x33000001, 0, 0, 1},
	{"cvt.rn.relu.f16.f32", 0xbf800000, 0, 0, 0},
	{"cvt.rn.satfinite.f16.f32", inf32, 0, 0, 0x7bff},
	{"cvt.rn.bf16.f32", 0x3f808000, 0, 0, 0x3f80},
	{"cvt.rn.bf16.f32", 0x3f818000, 0, 0, 0x3f82},
	{"cvt.rz.bf16.f32", 0x3f81ffff, 0, 0, 0x3f81},
	{"cvt.rn.bf16x2.f32", one32, two32, 0, 0x3f804000},
	{"cvt.rn.f16x2.f32", one32, two32, 0, 0x3c004000},
	{"cvt.f32.f16", 1, 0, 0, 0x33800000},
	{"cvt.f32.bf16", 0x3f80, 0, 0, one32},
	{"cvt.rna.tf32.f32", 0x3f801000, 0, 0, 0x3f802000},
	{"cvt.rn.tf32.f32", 0x3f801000, 0, 0, 0x3f800000},
	{"cvt.rn.satfinite.e4m3x2.f32", 0x44000000, 0xbf800000, 0, 0x7eb8},
	{"cvt.rn.satfinite.e5m2x2.f32", nan32c, inf32, 0, 0x7f7b},
	{"cvt.rn.f16x2.e4m3x2", 0x7e38, 0, 0, 0x5f003c00},
	{"cvt.rn.f16x2.e5m2x2", 0x3cfc, 0, 0, 0x3c00fc00},
	{"cvt.rn.satfinite.e2m1x2.f32", 0x40e00000, 0xbf000000, 0, 0x79},
	{"cvt.rz.ue8m0x2.f32", 0x40400000, one32, 0, 0x807f},
	{"cvt.rp.ue8m0x2.f32", 0x40400000, one32, 0, 0x817f},
	{"cvt.rn.bf16x2.ue8m0x2", 0x807f, 0, 0, 0x40003f80},
	{"cvt.pack.sat.s16.s32", 0x12345678, 0xffffffff, 0, 0x7fffffff},
	{"cvt.pack.sat.s8.s32.b32", 200, 0xffffff00, 0xabcd1234, 0x12347f80},
	{"cvt.pack.sat.u4.s32.b32", 20, 3, 0x123456, 0x123456f3},
}

var videoValues = []value{
	{"vadd.s32.u32.s32.sat:d=h0,a=b1,b=b3", 0xff00, 0x7f000000, 0xaaaaaaaa, 0xaaaa017e},
	{"vadd.u32.u32.u32.sat", 0xffffffff, 1, 0, 0xffffffff},
	{"vsub.s32.s32.s32.add", 5, 7, 10, 8},
	{"vabsdiff.u32.u32.u32", 3, 10, 0, 7},
	{"vmin.s32.s32.s32.max", 0xffffffff, 5, 0, 0},
	{"vshl.u32.u32.u32.clamp", 1, 40, 0, 0},
	{"vshl.u32.u32.u32.wrap", 1, 33, 0, 2},
	{"vshr.s32.s32.u32.clamp", 0x80000000, 50, 0, 0xffffffff},
	{"vmad.s32.s32.s32.sat", 0x7fffffff, 2, 0, 0x7fffffff},
	{"vmad.u32.u32.u32.shr15", 0x8000, 3, 0, 3},
	{"vmad.s32.s32.s32:na=1", 3, 4, 20, 8},
	{"vset.s32.s32.lt", 0xffffffff, 0, 0, 1},
	{"vset.u32.u32.lt.add", 0xffffffff, 0, 9, 9},
	{"vadd2.u32.u32.u32", 0xffff0001, 0x00010002, 0, 0x00000003},
	{"vadd4.u32.u32.u32.sat", 0xff010203, 0x01010101, 0, 0xff020304},
	{"vabsdiff4.u32.u32.u32.add", 0x05000000, 0x00040302, 1, 15},
	{"vavrg4.u32.u32.u32", 0x01020304, 0x02020304, 0, 0x02020304},
	{"vset4.u32.u32.eq", 0x01020304, 0x01000300, 0, 0x01000100},
	{"vadd4.u32.u32.u32:d=b0", 1, 2, 0xaabbccdd, 0xaabbcc03},
	{"vadd2.u32.u32.u32:a=h01", 0x00010002, 0x00000000, 0, 0x00020001},
}

func TestValues(t *testing.T) {
	for _, group := range [][]value{integerValues, floatValues, convertValues, videoValues} {
		for _, v := range group {
			o, err := Lookup(v.op)
			if err != nil {
				t.Error(err)
				continue
			}
			if got, _ := o.Fn(v.a, v.b, v.c, 0); got != v.want {
				t.Errorf("%s(%#x, %#x, %#x) = %#x, want %#x", v.op, v.a, v.b, v.c, got, v.want)
			}
		}
	}
}

// TestFourOperands covers bfi and lop3 with its table in a register.
func TestFourOperands(t *testing.T) {
	for _, v := range []struct {
		op               string
		a, b, c, d, want uint64
	}{
		{"bfi.b32", 0xff, 0, 4, 4, 0xf0},
		{"bfi.b32", 0xff, 0x12345678, 32, 4, 0x12345678},
		{"bfi.b32", 0xff, 0x12345678, 4, 0, 0x12345678},
		{"bfi.b32", 0xff, 0, 28, 8, 0xf0000000},
		{"bfi.b64", m1_64, 0, 32, 255, 0xffffffff00000000},
		{"lop3.b32", 0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x1e, 0x1e1e1e1e},
		{"madc.hi.cc.u32", 0xffffffff, 0xffffffff, 1, 1, 0},
	} {
		o, err := Lookup(v.op)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := o.Fn(v.a, v.b, v.c, v.d); got != v.want {
			t.Errorf("%s(%#x, %#x, %#x, %#x) = %#x, want %#x", v.op, v.a, v.b, v.c, v.d, got, v.want)
		}
	}
}

// TestSecondResults covers carries and setp's second predicate.
func TestSecondResults(t *testing.T) {
	for _, v := range []struct {
		op             string
		a, b, c, r, r2 uint64
	}{
		{"add.cc.u32", 0xffffffff, 1, 0, 0, 1},
		{"add.cc.s64", m1_64, m1_64, 0, 0xfffffffffffffffe, 1},
		{"addc.cc.u32", 0xffffffff, 0xffffffff, 1, 0xffffffff, 1},
		{"addc.u32", 0xffffffff, 0, 1, 0, 1},
		{"sub.cc.u32", 0, 1, 0, 0xffffffff, 0},
		{"sub.cc.u64", 1, 1, 0, 0, 1},
		{"subc.cc.u64", 5, 5, 0, m1_64, 0},
		{"subc.cc.u32", 5, 5, 1, 0, 1},
		{"mad.lo.cc.u32", 0x10000, 0x10000, 1, 1, 0},
		{"mad.hi.cc.u64", m1_64, m1_64, 2, 0, 1},
		{"setp.lt.s32", 1, 2, 0, 1, 0},
		{"setp.lt.and.s32", 2, 1, 1, 0, 1},
		{"setp.lt.xor.s32", 2, 1, 1, 1, 0},
		{"setp.gt.f16x2", 0x40003c00, 0x3c004000, 0, 0, 1},
	} {
		o, err := Lookup(v.op)
		if err != nil {
			t.Fatal(err)
		}
		if r, r2 := o.Fn(v.a, v.b, v.c, 0); r != v.r || r2 != v.r2 {
			t.Errorf("%s(%#x, %#x, %#x) = %#x, %#x, want %#x, %#x", v.op, v.a, v.b, v.c, r, r2, v.r, v.r2)
		}
	}
}

func TestUnsupported(t *testing.T) {
	for _, op := range []string{"", ".", "foo.s32", "add", "add.pred", "add.rn.s32", "add.ftz.f64", "mul.s32",
		"cvt.s32", "cvt.rn.bogus.f32", "setp.lt.b32", "setp.ltu.s32", "prmt.b64", "lop3.b32:lut=256", "shf.l.b32",
		"vadd.u32.u32.u32:a=b4", "mad.wide.u64", "min.relu.u32", "rcp.approx.f64", "ld.global.u32", "bar.sync", "cvt.sat.f16x2.f32"} {
		o, err := Lookup(op)
		var u *Unsupported
		if o != nil || !errors.As(err, &u) || u.Opcode != op {
			t.Errorf("Lookup(%q) = %v, %v; want an Unsupported error naming it", op, o, err)
		}
	}
}

func TestExtend(t *testing.T) {
	for _, v := range []struct {
		op      string
		r       uint64
		regBits int
		want    uint64
	}{
		{"cvt.s8.s32", 0xffffff80, 16, 0xff80},
		{"cvt.s8.s32", 0xffffff80, 64, 0xffffffffffffff80},
		{"cvt.u8.s32", 0x80, 64, 0x80},
		{"cvt.s16.s32", 0xffff8000, 16, 0x8000},
		{"cvt.s64.s32", m1_64, 64, m1_64},
		{"cvt.s64.s32", m1_64, 32, 0xffffffff},
	} {
		o, err := Lookup(v.op)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Extend(v.r, v.regBits); got != v.want {
			t.Errorf("%s: Extend(%#x, %d) = %#x, want %#x", v.op, v.r, v.regBits, got, v.want)
		}
	}
}
