package alu

import "strings"

// All lists the opcodes of the supported instructions, in the ISA's order of
// modifiers. It leaves out the combinations with colon attributes, of which
// there is no end, except examples.
func All() []string {
	var out []string
	for _, line := range strings.Fields(patterns) {
		out = append(out, expand(line)...)
	}
	return out
}

// expand resolves the leftmost group of braces, "{a,b}", into its alternatives.
func expand(p string) []string {
	i := strings.IndexByte(p, '{')
	if i < 0 {
		return []string{p}
	}
	j := i + strings.IndexByte(p[i:], '}')
	var out []string
	for _, alt := range strings.Split(p[i+1:j], ",") {
		out = append(out, expand(p[:i]+alt+p[j+1:])...)
	}
	return out
}

const patterns = `
{add,sub,min,max}.{u16,u32,u64,s16,s32,s64} {add,min,max}.{u16x2,s16x2} {add,sub}.sat.s32
{min,max}.relu.{s16x2,s32}
{mul,mad}.{lo,hi}.{u16,u32,u64,s16,s32,s64} {mul,mad}.wide.{u16,u32,s16,s32} mad.hi.sat.s32
{mul24,mad24}.{lo,hi}.{u32,s32} mad24.hi.sat.s32
{sad,div,rem}.{u16,u32,u64,s16,s32,s64} {abs,neg}.{s16,s32,s64}
{popc,clz,brev,bfi}.{b32,b64} bfind{,.shiftamt}.{u32,u64,s32,s64} fns.b32
bfe.{u32,u64,s32,s64} szext.{clamp,wrap}.{u32,s32} bmsk.{clamp,wrap}.b32
dp4a.{u32,s32}.{u32,s32} dp2a.{lo,hi}.{u32,s32}.{u32,s32}
{add,sub}.cc.{u32,s32,u64,s64} {addc,subc}{,.cc}.{u32,s32,u64,s64}
mad.{lo,hi}.cc.{u32,s32,u64,s64} madc.{lo,hi}{,.cc}.{u32,s32,u64,s64}
{add,sub,mul}{,.rn,.rz,.rm,.rp}{,.ftz}{,.sat}.f32 {add,sub,mul}{,.rn,.rz,.rm,.rp}.f64
{add,sub,mul}{,.rn,.rz,.rm,.rp}{,.ftz}.f32x2 fma.{rn,rz,rm,rp}{,.ftz}.f32x2
{fma,mad}.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32 {fma,mad}.{rn,rz,rm,rp}.f64 mad{,.ftz}{,.sat}.f32 mad.f64
{add,sub,mul}{,.rn}{,.ftz}{,.sat}.{f16,f16x2} {add,sub,mul}{,.rn}.{bf16,bf16x2}
fma.rn{,.ftz}{,.sat,.relu}.{f16,f16x2} fma.rn{,.relu}.{bf16,bf16x2} fma.rn.oob{,.relu}.{f16,f16x2,bf16,bf16x2}
{add,sub}{,.rn,.rz,.rm,.rp}{,.sat}.f32.{f16,bf16} fma.{rn,rz,rm,rp}{,.sat}.f32.{f16,bf16}
div.{approx,full}{,.ftz}.f32 div.{rn,rz,rm,rp}{,.ftz}.f32 div.{rn,rz,rm,rp}.f64
{rcp,sqrt}.{approx,rn,rz,rm,rp}{,.ftz}.f32 {rcp,sqrt}.{rn,rz,rm,rp}.f64
rcp.approx.ftz.f64 rsqrt.approx{,.ftz}.{f32,f64}
{sin,cos,lg2,ex2}.approx{,.ftz}.f32 tanh.approx.{f32,f16,f16x2,bf16,bf16x2}
ex2.approx.{f16,f16x2} ex2.approx.ftz.{bf16,bf16x2}
{abs,neg}{,.ftz}.{f32,f16,f16x2} {abs,neg}.{f64,bf16,bf16x2}
{min,max}{,.ftz}{,.NaN}{,.xorsign.abs}.{f32,f16,f16x2} {min,max}{,.NaN}{,.xorsign.abs}.{bf16,bf16x2} {min,max}.f64 {min,max}{,.ftz}{,.NaN}{,.abs}.f32:n=3
testp.{finite,infinite,number,notanumber,normal,subnormal}.{f32,f64} copysign.{f32,f64}
setp.{eq,ne,lt,le,gt,ge}{,.and,.or,.xor}.{u16,u32,u64,s16,s32,s64} setp.{lo,ls,hi,hs}{,.and,.or,.xor}.{u16,u32,u64}
setp.{eq,ne}{,.and,.or,.xor}.{b16,b32,b64}
setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}{,.ftz}.{f32,f16,f16x2}
setp.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}.{f64,bf16,bf16x2}
set.{eq,ne,lt,le,gt,ge}{,.and,.or,.xor}.{u32,s32,f32}.{u16,u32,u64,s16,s32,s64}
set.{eq,ne}{,.and,.or,.xor}.{u32,s32,f32}.{b16,b32,b64} set.{lo,ls,hi,hs}{,.and,.or,.xor}.{u32,s32,f32}.{u16,u32,u64}
set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}.{u32,s32,f32}.f64
set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}{,.ftz}.{u32,s32,f32}.f32
set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}{,.ftz}.{f16,u16,s16,u32,s32}.f16
set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}.{bf16,u16,s16,u32,s32}.bf16
set.{eq,ne,lt,le,gt,ge}{,.and,.or,.xor}.{f16,bf16}.{u16,u32,u64,s16,s32,s64} set.{eq,ne}{,.and,.or,.xor}.{f16,bf16}.{b16,b32,b64}
set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}{,.ftz}.f16.f32
set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}.{f16.f64,bf16.f16,bf16.f32,bf16.f64}
set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}{,.ftz}.{f16x2,u32,s32}.f16x2
set.{eq,ne,lt,le,gt,ge,equ,neu,ltu,leu,gtu,geu,num,nan}{,.and,.or,.xor}.{bf16x2,u32,s32}.bf16x2
selp.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}
slct.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.s32 slct{,.ftz}.{b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64}.f32
{and,or,xor,not}.{pred,b16,b32,b64} cnot.{b16,b32,b64} lop3.b32 lop3.b32:lut=0x96 lop3.{or,and}.b32:lut=0x96
shf.{l,r}.{wrap,clamp}.b32 shl.{b16,b32,b64} shr.{b16,b32,b64,u16,u32,u64,s16,s32,s64}
mov.{pred,b16,b32,b64,u16,u32,u64,s16,s32,s64,f32,f64,f16,f16x2,bf16,bf16x2} prmt.b32{,.f4e,.b4e,.rc8,.ecl,.ecr,.rc16}
cvt.{u8,u16,u32,u64,s8,s16,s32,s64}.{u8,u16,u32,u64,s8,s16,s32,s64}
cvt.sat.{u8,u16,u32,u64,s8,s16,s32,s64}.{u8,u16,u32,u64,s8,s16,s32,s64}
cvt.{rni,rzi,rmi,rpi}{,.sat}.{u8,u16,u32,u64,s8,s16,s32,s64}.{f16,bf16,f32,f64}
cvt.{rni,rzi,rmi,rpi}.ftz{,.sat}.{u8,u16,u32,u64,s8,s16,s32,s64}.f32
cvt.{rn,rz,rm,rp}{,.ftz}{,.sat}.f32.{u8,u16,u32,u64,s8,s16,s32,s64} cvt.{rn,rz,rm,rp}{,.sat}.{f16,f64}.{u8,u16,u32,u64,s8,s16,s32,s64} cvt.{rn,rz,rm,rp}.bf16.{u8,u16,u32,u64,s8,s16,s32,s64}
cvt.bf16.bf16 cvt{,.sat}.{f16.f16,f32.f16,f32.bf16,f32.f32,f64.f16,f64.bf16,f64.f32,f64.f64} cvt.ftz{,.sat}.{f32.f16,f32.bf16,f32.f32,f64.f32}
cvt.{rn,rz,rm,rp}{,.ftz}{,.sat}.{f16.f32,f32.f64} cvt.{rn,rz,rm,rp}{,.sat}.f16.{f64,bf16} cvt.{rn,rz,rm,rp}.bf16.{f16,f32,f64}
cvt.{rni,rzi,rmi,rpi}{,.sat}.{f16.f16,f32.f32,f64.f64} cvt.{rni,rzi,rmi,rpi}.ftz{,.sat}.f32.f32 cvt.{rni,rzi,rmi,rpi}.bf16.bf16
cvt.{rn,rz}{,.relu}{,.satfinite}.{f16,bf16}.f32 cvt.{rn,rz}{,.relu}{,.satfinite}.{f16x2,bf16x2}.f32
cvt.rna{,.satfinite}.tf32.f32 cvt.{rn,rz}{,.satfinite}{,.relu}.tf32.f32
cvt.rn.satfinite{,.relu}.{e4m3x2,e5m2x2,e2m3x2,e3m2x2,e2m1x2}.{f32,f16x2,bf16x2}
cvt.rn{,.relu}.f16x2.{e4m3x2,e5m2x2,e2m3x2,e3m2x2,e2m1x2} cvt.rn{,.relu}{,.satfinite}.bf16x2.{e4m3x2,e5m2x2,e2m3x2,e3m2x2,e2m1x2}
cvt.{rz,rp}{,.satfinite}.ue8m0x2.{f32,bf16x2} cvt.rn.bf16x2.ue8m0x2
cvt.pack.sat.{s16,u16}.s32 cvt.pack.sat.{s8,u8,s4,u4,s2,u2}.s32.b32
{vadd,vsub,vabsdiff,vmin,vmax}.{u32,s32}.{u32,s32}.{u32,s32}{,.sat}{,.add,.min,.max}
{vshl,vshr}.{u32,s32}.{u32,s32}.u32{,.sat}.{clamp,wrap}{,.add,.min,.max}
vmad.{u32,s32}.{u32,s32}.{u32,s32}{,.po}{,.sat}{,.shr7,.shr15} vset.{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge}{,.add,.min,.max}
{vadd,vsub,vavrg,vabsdiff,vmin,vmax}{2,4}.{u32,s32}.{u32,s32}.{u32,s32}{,.sat,.add,.sat.add}
{vset2,vset4}.{u32,s32}.{u32,s32}.{eq,ne,lt,le,gt,ge}{,.add}
vadd.s32.u32.s32.sat:d=h0,a=b1,b=b3 vadd4.u32.u32.u32:d=b210,a=b7610 vmad.s32.s32.s32:na=1 vset2.s32.s32.lt:b=h01
`
