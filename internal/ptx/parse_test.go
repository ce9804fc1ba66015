package ptx

import (
	"reflect"
	"strings"
	"testing"
)

const header = ".version 9.0\n.target sm_100a\n.address_size 64\n"

// wrap puts statements into a kernel with declared names of every kind.
func wrap(body string) string {
	return header + `.extern .func (.param .b32 r) callee (.param .b32 a, .param .b64 b);
.extern .func plain ();
.global .align 16 .b32 g[64];
.const .b32 c[16];
.global .texref tex;
.global .surfref surf;
.global .samplerref smp;
.extern .shared .align 16 .b8 dyn[];
.entry k(.param .u64 kp, .param .align 8 .b8 ks[16])
{
	.reg .pred p, q, %p<9>;
	.reg .b16 h, %rs<9>;
	.reg .b32 a, b, d, e, %r<40>;
	.reg .f32 x, y, z, %f<9>;
	.reg .b64 l, m, policy, %rd<9>;
	.reg .f64 %fd<9>;
	.reg .b128 %rq<4>;
	.reg .v2 .f32 v2;
	.reg .v4 .f32 v4, w4;
	.shared .align 8 .b64 bar[2];
	.shared .b32 sm[2][3];
` + body + "\n}\n"
}

// bodies are statements and how they print, "" if as written.
var bodies = []struct{ name, src, want string }{
	// Operands.
	{"register range", "add.s32 %r39, %r0, %r12;", ""},
	{"spaces in opcode", "add .sat\t.s32 d,a,b ;", "add.sat.s32 d, a, b;"},
	{"guards", "@p add.s32 d, a, b; @!%p1 bra L; @ !p exit; L: ret;",
		"@p add.s32 d, a, b;\n@!%p1 bra L;\n@!p exit;\nL:\nret;"},
	{"label at once", "bra $L; $L: bra %L2; %L2: bra _L3; _L3: bra .L4; .L4: ret;",
		"bra $L;\n$L:\nbra %L2;\n%L2:\nbra _L3;\n_L3:\nbra .L4;\n.L4:\nret;"},
	{"special registers", "mov.u32 d, %tid.x; mov.u32 d, %ctaid.z; mov.u64 l, %clock64; mov.b32 d, %envreg31; mov.u32 d, %pm7;",
		"mov.u32 d, %tid.x;\nmov.u32 d, %ctaid.z;\nmov.u64 l, %clock64;\nmov.b32 d, %envreg31;\nmov.u32 d, %pm7;"},
	{"special vector", "mov.v4.u32 v4, %tid;", ""},
	{"vector elements", "mov.f32 x, v4.x; mov.f32 v4.w, y; mov.f32 v2.g, v4.r;",
		"mov.f32 x, v4.x;\nmov.f32 v4.w, y;\nmov.f32 v2.g, v4.r;"},
	{"vectors", "mov.b64 {a, b}, l; mov.b64 l, {a, _}; ld.v4.f32 {x, _, y, z}, [l];",
		"mov.b64 {a, b}, l;\nmov.b64 l, {a, _};\nld.v4.f32 {x, _, y, z}, [l];"},
	{"pairs", "setp.lt.and.s32 p|q, a, b, !%p1; shfl.sync.up.b32 d|p, a, 1, 0, -1; setp.eq.s32 _|p, a, 0; elect.sync _|p, -1;",
		"setp.lt.and.s32 p|q, a, b, !%p1;\nshfl.sync.up.b32 d|p, a, 1, 0, -1;\nsetp.eq.s32 _|p, a, 0;\nelect.sync _|p, -1;"},
	{"addresses", "ld.b32 d, [l]; ld.b32 d, [l+4]; ld.b32 d, [l + -8]; ld.b32 d, [l-8]; ld.b32 d, [240]; ld.global.b32 d, [g+4*3-2]; ld.b32 d, [0xFFFFFFFFFFFFFFFF];",
		"ld.b32 d, [l];\nld.b32 d, [l+4];\nld.b32 d, [l-8];\nld.b32 d, [l-8];\nld.b32 d, [240];\nld.global.b32 d, [g+10];\nld.b32 d, [0xFFFFFFFFFFFFFFFF];"},
	{"array elements", "ld.global.b32 d, g[3]; mov.u64 l, g[2]; ld.shared.b32 d, [sm[1]]; ld.shared.b32 d, [sm[1]+4]; cvta.global.u64 l, g[1];",
		"ld.global.b32 d, [g+12];\nmov.u64 l, g+8;\nld.shared.b32 d, [sm+12];\nld.shared.b32 d, [sm+16];\ncvta.global.u64 l, g+4;"},
	{"symbols", "mov.u64 l, g; mov.u64 l, g+16; mov.u64 l, callee; mov.u64 l, g-4;",
		"mov.u64 l, g;\nmov.u64 l, g+16;\nmov.u64 l, callee;\nmov.u64 l, g-4;"},
	{"constant banks", "ld.const[3].v2.f32 {x, y}, [c+4]; ld.const.b32 d, [c];", "ld.const.v2.f32 {x, y}, [c+4];\nld.const.b32 d, [c];"},
	{"unified", "ld.global.f32 x, [g].unified;", ""},
	// Constants.
	{"integers", "mov.b64 l, 0x1F; mov.b64 l, 0b101; mov.b64 l, 017; mov.b64 l, 5U; mov.b64 l, 0xFFFFFFFFFFFFFFFF; mov.b64 l, -1; mov.b64 l, 0;",
		"mov.b64 l, 31;\nmov.b64 l, 5;\nmov.b64 l, 15;\nmov.b64 l, 5U;\nmov.b64 l, 18446744073709551615U;\nmov.b64 l, -1;\nmov.b64 l, 0;"},
	{"floats", "mov.f32 x, 0f3F800000; mov.f64 %fd0, 0d7FF8000000000000; mov.f32 x, 1.5; mov.f32 x, -1e3; mov.f32 x, .5; mov.f32 x, 2.e0; mov.f32 x, -0f3F800000; mov.f32 x, 3.; mov.f32 x, 1e+2;",
		"mov.f32 x, 0f3F800000;\nmov.f64 %fd0, 0d7FF8000000000000;\nmov.f32 x, 0d3FF8000000000000;\nmov.f32 x, 0dC08F400000000000;\nmov.f32 x, 0d3FE0000000000000;\nmov.f32 x, 0d4000000000000000;\nmov.f32 x, 0fBF800000;\nmov.f32 x, 0d4008000000000000;\nmov.f32 x, 0d4059000000000000;"},
	{"expressions", "mov.b64 l, (1 + 2) * 3; mov.b64 l, 1 << 4 | 1; mov.b64 l, WARP_SZ-1; mov.b64 l, 1 ? 2 : 3; mov.b64 l, !0; mov.b64 l, ~0; mov.b64 l, -7 / 2; mov.b64 l, 3 > 2 && 1 != 1; mov.b64 l, (.u64)-1; mov.b64 l, -8 >> 1; mov.b64 l, 7 % 4;",
		"mov.b64 l, 9;\nmov.b64 l, 17U;\nmov.b64 l, 31;\nmov.b64 l, 2;\nmov.b64 l, 1;\nmov.b64 l, 18446744073709551615U;\nmov.b64 l, -3;\nmov.b64 l, 0;\nmov.b64 l, 18446744073709551615U;\nmov.b64 l, -4;\nmov.b64 l, 3;"},
	{"float expressions", "mov.f32 x, 1.0 / 4; mov.b64 l, 1.5 < 2; mov.f64 %fd0, 1 ? 2.0 : 1;",
		"mov.f32 x, 0d3FD0000000000000;\nmov.b64 l, 1;\nmov.f64 %fd0, 0d4000000000000000;"},
	{"smallest integer", "mov.b64 l, -9223372036854775807 - 1;", "mov.b64 l, (.s64)0x8000000000000000U;"},
	// Declarations and scopes.
	{"nested scopes", "{ .reg .b32 t; mov.b32 t, 1; { .reg .f32 t; mov.f32 t, x; } L: bra L; } { .reg .b64 t; mov.b64 t, l; L: bra L; }",
		"{\n\t.reg .b32 t;\n\tmov.b32 t, 1;\n\t{\n\t\t.reg .f32 t;\n\t\tmov.f32 t, x;\n\t}\n\tL:\n\tbra L;\n}\n{\n\t.reg .b64 t;\n\tmov.b64 t, l;\n\tL:\n\tbra L;\n}"},
	{"shadowing", "{ .shared .b32 a; mov.u32 d, a; } mov.u32 d, a;", "{\n\t.shared .b32 a;\n\tmov.u32 d, a;\n}\nmov.u32 d, a;"},
	{"local variables", ".local .align 16 .b8 depot[64]; .param .b32 p0; .shared .v4 .f32 vs[2]; .local .u32 n1, n2[2], n<3>; mov.u32 d, n2; st.local.b32 [n_1], d;",
		"error"},
	{"counted variables", ".local .u32 n1, n2[2], n<3>; mov.u32 d, n2; st.local.b32 [n0+4], d;",
		".local .u32 n1;\n.local .u32 n2[2];\n.local .u32 n<3>;\nmov.u32 d, n2;\nst.local.b32 [n0+4], d;"},
	{"pragmas", `.pragma "nounroll"; .pragma "used_bytes_mask 0xfff", "frequency 32";`,
		".pragma \"nounroll\";\n.pragma \"used_bytes_mask 0xfff\", \"frequency 32\";"},
	{"stray semicolons", ";; ret;;", "ret;"},
	{"comments", "// begin inline asm\nadd.s32 /* a\nb */ d, a, b; // end\n# 12 \"x.c\"\n\tret;", "add.s32 d, a, b;\nret;"},
	// Control flow.
	{"calls", "call plain; call.uni plain, (); call (d), callee, (a, l); call.uni (_), callee, (1, 2);",
		"call plain;\ncall.uni plain, ();\ncall (d), callee, (a, l);\ncall.uni (_), callee, (1, 2);"},
	{"call sequence", "{\n.param .b32 p0;\nst.param.b32 [p0+0], a;\n.param .b32 retval0;\ncall.uni (retval0),\ncallee,\n(\np0,\nl\n);\nld.param.b32 d, [retval0+0];\n}",
		"{\n\t.param .b32 p0;\n\tst.param.b32 [p0], a;\n\t.param .b32 retval0;\n\tcall.uni (retval0), callee, (p0, l);\n\tld.param.b32 d, [retval0];\n}"},
	{"prototype", "prototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 4 .b8 _[12]) .noreturn .abi_preserve 4; call (d), l, (m, a), prototype_0;",
		"prototype_0: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 4 .b8 _[12]) .noreturn .abi_preserve 4;\ncall (d), l, (m, a), prototype_0;"},
	{"call targets", "ct: .calltargets callee, plain; call (d), l, (m, a), ct;",
		"ct: .calltargets callee, plain;\ncall (d), l, (m, a), ct;"},
	{"branch targets", "ts: .branchtargets L1, L2; brx.idx a, ts; @p brx.idx.uni a, ts; L1: L2: trap;",
		"ts: .branchtargets L1, L2;\nbrx.idx a, ts;\n@p brx.idx.uni a, ts;\nL1:\nL2:\ntrap;"},
	// Instruction families.
	{"memory", "ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v4.f32 {x,y,z,%f1}, [l+16], policy; ld.acquire.gpu.global.u32 d, [l]; ld.global.relaxed.gpu.u32 d, [l]; ld.mmio.relaxed.sys.u32 d, [l]; st.volatile.shared.u8 [dyn+3], d; ld.param::entry.u64 l, [kp];",
		"ld.global.nc.L1::no_allocate.L2::cache_hint.L2::128B.v4.f32 {x, y, z, %f1}, [l+16], policy;\nld.acquire.gpu.global.u32 d, [l];\nld.global.relaxed.gpu.u32 d, [l];\nld.mmio.relaxed.sys.u32 d, [l];\nst.volatile.shared.u8 [dyn+3], d;\nld.param::entry.u64 l, [kp];"},
	{"atomics", "atom.global.add.u32 d, [l], 1; atom.acq_rel.sys.shared::cta.cas.b32 d, [l], a, b; red.global.add.noftz.f16x2 [l], a; atom.add.noftz.v2.f16 {h, %rs1}, [l], {h, %rs2}; atom.global.v4.f32.add {x,y,z,%f1}, [l], {x,y,z,%f1}; atom.exch.b128 %rq0, [l], %rq1; atom.inc.u32 _, [l], 9;",
		"atom.global.add.u32 d, [l], 1;\natom.acq_rel.sys.shared::cta.cas.b32 d, [l], a, b;\nred.global.add.noftz.f16x2 [l], a;\natom.add.noftz.v2.f16 {h, %rs1}, [l], {h, %rs2};\natom.global.v4.f32.add {x, y, z, %f1}, [l], {x, y, z, %f1};\natom.exch.b128 %rq0, [l], %rq1;\natom.inc.u32 _, [l], 9;"},
	{"barriers", "bar.sync 0; barrier.cta.sync.aligned a, 64; bar.red.popc.u32 d, 1, 64, !p; bar.red.and.pred p, 0, q; bar.warp.sync -1; bar.arrive 1, 64; barrier.cluster.arrive.release.aligned; fence.acq_rel.gpu; membar.gl; fence.proxy.async.shared::cta; fence.sc.cta;",
		"bar.sync 0;\nbarrier.cta.sync.aligned a, 64;\nbar.red.popc.u32 d, 1, 64, !p;\nbar.red.and.pred p, 0, q;\nbar.warp.sync -1;\nbar.arrive 1, 64;\nbarrier.cluster.arrive.release.aligned;\nfence.acq_rel.gpu;\nmembar.gl;\nfence.proxy.async.shared::cta;\nfence.sc.cta;"},
	{"warp", "vote.sync.ballot.b32 d, p, -1; vote.sync.all.pred q, !p, 0xffffffff; match.any.sync.b64 d, l, -1; match.all.sync.b32 d|p, a, -1; redux.sync.min.s32 d, a, -1; activemask.b32 d; shfl.bfly.b32 d, a, 1, 31;",
		"vote.sync.ballot.b32 d, p, -1;\nvote.sync.all.pred q, !p, 4294967295;\nmatch.any.sync.b64 d, l, -1;\nmatch.all.sync.b32 d|p, a, -1;\nredux.sync.min.s32 d, a, -1;\nactivemask.b32 d;\nshfl.bfly.b32 d, a, 1, 31;"},
	{"logic", "lop3.b32 d, a, b, e, 0xE8; lop3.or.b32 d|p, a, b, e, 0x3f, q; lop3.and.b32 _|p, a, b, e, 1, q; shf.l.wrap.b32 d, a, b, 3; prmt.b32.f4e d, a, b, e; bfi.b32 d, a, b, 4, 8;",
		"lop3.b32 d, a, b, e, 232;\nlop3.or.b32 d|p, a, b, e, 63, q;\nlop3.and.b32 _|p, a, b, e, 1, q;\nshf.l.wrap.b32 d, a, b, 3;\nprmt.b32.f4e d, a, b, e;\nbfi.b32 d, a, b, 4, 8;"},
	{"conversions", "cvt.rn.f32.s32 x, a; cvt.rzi.ftz.s32.f32 d, x; cvt.rn.satfinite.e4m3x2.f32 h, x, y; cvt.rna.tf32.f32 d, x; cvt.sat.u8.s32 d, a; cvt.rn.bf16x2.f32 d, x, y; cvt.pack.sat.s8.s32.b32 d, a, b, e; cvt.rs.satfinite.e4m3x4.f32 d, {x,y,z,%f1}, b;",
		"cvt.rn.f32.s32 x, a;\ncvt.rzi.ftz.s32.f32 d, x;\ncvt.rn.satfinite.e4m3x2.f32 h, x, y;\ncvt.rna.tf32.f32 d, x;\ncvt.sat.u8.s32 d, a;\ncvt.rn.bf16x2.f32 d, x, y;\ncvt.pack.sat.s8.s32.b32 d, a, b, e;\ncvt.rs.satfinite.e4m3x4.f32 d, {x, y, z, %f1}, b;"},
	{"textures", "tex.2d.v4.f32.f32 {x,y,z,%f1}, [tex, {x, y}]; tex.1d.v4.s32.s32 {a,b,d,e}, [tex, smp, {a}]; tex.level.2d.v4.f32.f32 {x,y,z,%f1}, [l, {x,y}], z; tex.grad.2d.v4.f32.f32 {x,y,z,%f1}, [tex, {x,y}], {x,y}, {x,y}; tld4.r.2d.v4.f32.f32 {x,y,z,%f1}, [tex, {x,y}]; txq.width.b32 d, [tex]; suld.b.1d.b32.trap d, [surf, {a}]; sust.p.2d.v4.f32.clamp [surf, {a, b}], {x,y,z,%f1}; sured.b.add.1d.u32.trap [surf, {a}], b; suq.height.b32 d, [surf];",
		"tex.2d.v4.f32.f32 {x, y, z, %f1}, [tex, {x, y}];\ntex.1d.v4.s32.s32 {a, b, d, e}, [tex, smp, {a}];\ntex.level.2d.v4.f32.f32 {x, y, z, %f1}, [l, {x, y}], z;\ntex.grad.2d.v4.f32.f32 {x, y, z, %f1}, [tex, {x, y}], {x, y}, {x, y};\ntld4.r.2d.v4.f32.f32 {x, y, z, %f1}, [tex, {x, y}];\ntxq.width.b32 d, [tex];\nsuld.b.1d.b32.trap d, [surf, {a}];\nsust.p.2d.v4.f32.clamp [surf, {a, b}], {x, y, z, %f1};\nsured.b.add.1d.u32.trap [surf, {a}], b;\nsuq.height.b32 d, [surf];"},
	{"layout before modifiers", "cp.async.cg.shared.global .L2::cache_hint [a], [l], 16, policy; ld.global .L1::no_allocate\n.L2::128B .f32 %f1, [l]; bra .L2; .L2: bra  .L1; .L1: ret;",
		"cp.async.cg.shared.global.L2::cache_hint [a], [l], 16, policy;\nld.global.L1::no_allocate.L2::128B.f32 %f1, [l];\nbra .L2;\n.L2:\nbra .L1;\n.L1:\nret;"},
	{"copies", "cp.async.ca.shared.global [dyn], [l], 16, 4; cp.async.cg.shared.global.L2::cache_hint [a], [l], 16, policy; cp.async.commit_group; cp.async.wait_group 2; cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [l], 64, [b]; cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [a], [l, {a, b}], [e]; cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [l], [a], 32; cp.async.bulk.wait_group.read 0; tensormap.replace.tile.global_address.global.b1024.b64 [l], m;",
		"cp.async.ca.shared.global [dyn], [l], 16, 4;\ncp.async.cg.shared.global.L2::cache_hint [a], [l], 16, policy;\ncp.async.commit_group;\ncp.async.wait_group 2;\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [a], [l], 64, [b];\ncp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [a], [l, {a, b}], [e];\ncp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [l], [a], 32;\ncp.async.bulk.wait_group.read 0;\ntensormap.replace.tile.global_address.global.b1024.b64 [l], m;"},
	{"mbarrier", "mbarrier.init.shared::cta.b64 [bar], 1; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 64; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [a]; mbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0, 1000; mbarrier.pending_count.b64 d, l; cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; mbarrier.inval.shared.b64 [bar];",
		"mbarrier.init.shared::cta.b64 [bar], 1;\nmbarrier.arrive.expect_tx.shared.b64 _, [bar], 64;\nmbarrier.arrive.release.cluster.shared::cluster.b64 _, [a];\nmbarrier.try_wait.parity.shared::cta.b64 p, [bar], 0, 1000;\nmbarrier.pending_count.b64 d, l;\ncp.async.mbarrier.arrive.noinc.shared.b64 [bar];\nmbarrier.inval.shared.b64 [bar];"},
	{"matrix", "wmma.load.a.sync.aligned.row.m16n16k16.f16 {a,b,d,e,%r1,%r2,%r3,%r4}, [l], 16; mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {x,y,z,%f1}, {a,b,d,e}, {a,b}, {x,y,z,%f1}; mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {x,y,z,%f1}, {a,b,d,e}, {a,b}, {x,y,z,%f1}, a, {0,1}, b, {0,1}; ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a,b,d,e}, [%r1]; wgmma.fence.sync.aligned; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {x,y,z,%f1}, l, m, p, 1, 1, 0, 1; wgmma.wait_group.sync.aligned 0;",
		"wmma.load.a.sync.aligned.row.m16n16k16.f16 {a, b, d, e, %r1, %r2, %r3, %r4}, [l], 16;\nmma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {x, y, z, %f1}, {a, b, d, e}, {a, b}, {x, y, z, %f1};\nmma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4.block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {x, y, z, %f1}, {a, b, d, e}, {a, b}, {x, y, z, %f1}, a, {0, 1}, b, {0, 1};\nldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {a, b, d, e}, [%r1];\nwgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {x, y, z, %f1}, l, m, p, 1, 1, 0, 1;\nwgmma.wait_group.sync.aligned 0;"},
	{"tcgen05", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [a], 64; tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {a}, [b], 2; tcgen05.wait::ld.sync.aligned; tcgen05.mma.cta_group::1.kind::tf32 [a], l, m, b, p; tcgen05.mma.cta_group::1.kind::f16.collector::a::fill [a], [b], m, d, {a,b,d,e}, p, 1; tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [l]; tcgen05.fence::after_thread_sync; tcgen05.cp.cta_group::1.128x256b [a], l; tcgen05.dealloc.cta_group::1.sync.aligned.b32 a, 64;",
		"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [a], 64;\ntcgen05.ld.sync.aligned.16x32bx2.x1.b32 {a}, [b], 2;\ntcgen05.wait::ld.sync.aligned;\ntcgen05.mma.cta_group::1.kind::tf32 [a], l, m, b, p;\ntcgen05.mma.cta_group::1.kind::f16.collector::a::fill [a], [b], m, d, {a, b, d, e}, p, 1;\ntcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [l];\ntcgen05.fence::after_thread_sync;\ntcgen05.cp.cta_group::1.128x256b [a], l;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 a, 64;"},
	{"video", "vadd.s32.u32.s32.sat d, a.b0, b.h1, e; vmad.s32.s32.s32 d, -a, b.b1, -e; vset2.u32.u32.eq.add d.h10, a, b.h32, e; vmad.u32.u32.u32.po.shr15 d, a, b, e;",
		"vadd.s32.u32.s32.sat d, a.b0, b.h1, e;\nvmad.s32.s32.s32 d, -a, b.b1, -e;\nvset2.u32.u32.eq.add d.h10, a, b.h32, e;\nvmad.u32.u32.u32.po.shr15 d, a, b, e;"},
}

func TestBodies(t *testing.T) {
	for _, c := range bodies {
		t.Run(c.name, func(t *testing.T) {
			src := wrap(c.src)
			m, err := Parse("body.ptx", []byte(src))
			if c.want == "error" {
				if err == nil {
					t.Fatal("no error")
				}
				return
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, context(src, err))
			}
			want := c.want
			if want == "" {
				want = c.src
			}
			if got := printBody(m); got != want {
				t.Errorf("printed\n%s\nwant\n%s", got, want)
			}
			roundTrip(t, m)
		})
	}
}

// printBody prints the statements that wrap was given.
func printBody(m *Module) string {
	const declarations = 11
	var s strings.Builder
	for i, st := range m.Func("k").Body.Stmts[declarations:] {
		if i > 0 {
			s.WriteByte('\n')
		}
		s.WriteString(printStmt(st))
	}
	return s.String()
}

// modules are whole files without the header.
var modules = []struct{ name, src, want string }{
	{"linkage", ".visible .global .b32 a; .extern .global .b32 b[]; .weak .const .f32 c; .common .global .u8 d[4];", ""},
	{"initializers", ".global .b32 a[3] = {1, -2, 0x10}; .global .b32 m[2][2] = {{1,2},{3}}; .global .f32 f = 1.5; .global .f64 d = 0d3FF0000000000000; .const .f32 bias[] = {-1.0, 1.0}; .global .b32 e = 2*3+1;", ""},
	{"symbol initializers", ".global .b32 a[4]; .global .u64 p[3] = {a, a+4, generic(a)+8}; .global .u64 q = generic(a); .global .u8 b[4] = {0xFF(a), 0xFF00(a), 0xFF0000(generic(a)+4), 0xFF000000(a)}; .global .u64 r[1] = {generic(a+4)};", ""},
	{"opaque", ".global .texref t; .global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = nearest, force_unnormalized_coords = 1 }; .global .surfref u[2];", ""},
	{"attributes", ".global .attribute(.managed) .s32 g; .global .attribute(.unified(19,95)) .f32 f; .func .attribute(.unified(0xAB, 0xCD)) bar() { ret; }", ""},
	{"alignment and vectors", ".global .align 64 .v4 .f32 v; .shared .align 16 .b8 s[16]; .tex .u32 old; .const[2] .b32 bank[];", ""},
	{"forward declared function", ".func (.param .b32 r) f (.param .b32 a); .func (.param .b32 r) f (.param .b32 a) { st.param.b32 [r], 1; ret; }", ""},
	{"register parameters", ".func (.reg .b32 r) f (.reg .b32 a, .reg .f64 d) { mov.b32 r, a; ret; }", ""},
	{"entry directives", ".entry k (.param .u64 .ptr .global .align 16 p, .param .b32 n) .maxntid 256, 1, 1 .minnctapersm 2 .maxnreg 64 .pragma \"nounroll\"; .explicitcluster .reqnctapercluster 2, 1, 1 .maxclusterrank 8 { ret; }", ""},
	{"blocks are clusters", ".entry k .reqntid 128 .reqnctapercluster 2 .blocksareclusters { ret; }", ""},
	{"noreturn", ".func f () .noreturn { trap; } .func g .noreturn .abi_preserve 8 .abi_preserve_control 2;", ""},
	{"old entry", ".entry k { .reg .u32 a; ret; }", ""},
	{"alias", ".visible .func f () { ret; } .visible .func g (); .alias g, f;", ""},
	{"texture parameter", ".entry k (.param .texref t, .param .surfref s) { ret; }", ""},
	{"flexible parameter", ".func (.param .u32 rval) bar(.param .u32 N, .param .align 4 .b8 numbers[]) { .reg .b32 a; ld.param.b32 a, [numbers + 4]; ret; }", ""},
	{"pragma", ".pragma \"a\";", ""},
	{"sections", ".section .debug_abbrev\n{\n.b8 1 // } comment\n.b8 17 /* } */ .b32 .debug_info\nL: .b64 L+4\n}\n.section .debug_loc { }", ""},
	{"old dwarf", "@@DWARF .section .debug_info\n@@DWARF .byte 1, 2\n.entry k { ret; }", ""},
	{"file stamps", ".file 1 \"a \\\"b\\\" \\303\\251 c:\\\\d\", 1234, 99", ""},
	{"module registers", ".reg .b32 shared_reg; .func f () { mov.b32 shared_reg, 1; ret; }", ""},
	{"line markers", "# 1 \"a.cu\"\n#pragma x\n.global .b32 a;", ""},
	{"trailing zero byte", ".global .b32 a;\n\x00", ""},
}

func TestModules(t *testing.T) {
	for _, c := range modules {
		t.Run(c.name, func(t *testing.T) {
			m, err := Parse("module.ptx", []byte(header+c.src))
			if err != nil {
				t.Fatalf("%v\n%s", err, context(header+c.src, err))
			}
			roundTrip(t, m)
		})
	}
}

func mustParse(t testing.TB, src string) *Module {
	t.Helper()
	m, err := Parse("test.ptx", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestTree(t *testing.T) {
	m := mustParse(t, header+`.file 2 "b.cu"
.visible .global .align 8 .u64 table[2] = {generic(other)+4, 0xFF00(other)};
.global .b32 other[] = {1, 2, 3};
.weak .entry k(.param .u64 .ptr .shared .align 8 a) .maxntid 32, 2, 1 { ret; }`)
	v := m.Variable("table")
	want := []*Init{
		{Value: &SymbolRef{Name: "other", Offset: 4, Generic: true}},
		{Value: &SymbolRef{Name: "other", Mask: 0xFF00}},
	}
	if !reflect.DeepEqual(v.Init.List, want) || v.Linkage != Visible || v.Size() != 16 || v.Alignment() != 8 {
		t.Errorf("table: %+v", v)
	}
	if d := m.Variable("other").Dims; !reflect.DeepEqual(d, []int64{3}) {
		t.Errorf("flexible array with initializer has extents %v", d)
	}
	k := m.Func("k")
	if !k.Entry || k.Linkage != Weak || !reflect.DeepEqual(k.Params[0].Attrs, []string{"ptr", "shared", "align", "8"}) {
		t.Errorf("k: %+v", k.Params[0])
	}
	if d := k.Directives[0]; d.Name != "maxntid" || !reflect.DeepEqual(d.Args, []int64{32, 2, 1}) {
		t.Errorf("directive %+v", d)
	}
	if m.Version != [2]int{9, 0} || m.Files[2] != "b.cu" || m.Target[0] != "sm_100a" {
		t.Errorf("module %+v", m)
	}
}

func TestInstruction(t *testing.T) {
	m := mustParse(t, wrap("@!p ld.global.v2.f32 {x, _}, [l+8];\n\tsetp.lt.s32 p|q, a, 5;"))
	var list []*Instr
	walk(m, func(in *Instr) { list = append(list, in) })
	ld, setp := list[0], list[1]
	if ld.Op != "ld" || !ld.Has("v2") || ld.Has("v4") || ld.Desc.Op != "ld" || *ld.Guard != (Guard{"p", true}) {
		t.Errorf("ld: %+v", ld)
	}
	want := []Operand{
		&Vector{[]Operand{&RegRef{Name: "x"}, &Sink{}}},
		&Address{Base: &RegRef{Name: "l"}, Offset: 8},
	}
	if !equalValue(reflect.ValueOf(ld.Args), reflect.ValueOf(want)) {
		t.Errorf("operands %s", ld)
	}
	if want := (&Pair{&RegRef{Name: "p"}, &RegRef{Name: "q"}}); !equalValue(reflect.ValueOf(setp.Args[0]), reflect.ValueOf(Operand(want))) {
		t.Errorf("pair %s", setp)
	}
	if s := ld.String(); s != "@!p ld.global.v2.f32 {x, _}, [l+8];" {
		t.Errorf("String gives %q", s)
	}
}

func printStmt(s Stmt) string {
	var b strings.Builder
	p := newPrinter(&b)
	p.stmt(s)
	p.w.Flush()
	return b.String()
}

// TestQuote: names of files are read as they are written, and as LLVM writes them.
func TestQuote(t *testing.T) {
	var all strings.Builder
	for c := range 256 {
		all.WriteByte(byte(c))
	}
	for _, c := range []struct{ quoted, want string }{
		{Quote(all.String()), all.String()},
		{`"a\rb\tc\nd\be\ff\\g\"h\033i\377.cu"`, "a\rb\tc\nd\be\ff\\g\"h\033i\377.cu"},
		{`"C:\x\9"`, `C:\x\9`}, // no escapes
	} {
		m, err := Parse("a.ptx", []byte(".version 7.8\n.target sm_80\n.file 1 "+c.quoted+"\n"))
		if err != nil {
			t.Errorf("%s: %v", c.quoted, err)
		} else if got := m.Files[1]; got != c.want {
			t.Errorf("%s: got %q, want %q", c.quoted, got, c.want)
		}
	}
}
