// Package isatest has an example of each instruction with an effect, for the
// tests that hold whoever looks at instructions to the table: each must be
// modeled or be treated as one that may do anything.
package isatest

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// Example is an instruction in a kernel.
type Example struct {
	// Op is the row that it is of, Text the instruction.
	Op, Text string
	// Does is what it does.
	Does inst.Op
}

// Module returns a module whose kernel "k" executes the instruction between
// accesses of each thread to four bytes of its own, which begin where the
// instruction goes to: at the array "s" in shared memory, and at the parameter
// "p" in global memory. With byBlock that place depends on the block.
func (e Example) Module(byBlock bool) string {
	shift := "mov.u64 %db, 0;"
	if byBlock {
		shift = "mov.u32 %rb, %ctaid.x; mul.wide.u32 %db, %rb, 4;"
	}
	return strings.NewReplacer("EXAMPLE", e.Text, "SHIFT", shift).Replace(module)
}

// Lines of the module's own accesses, and of the instruction.
const (
	SharedLine = 20
	GlobalLine = 21
	Line       = 22
)

// Recursive returns a module whose kernel calls a function with the instruction
// that also calls itself.
func (e Example) Recursive() string {
	head, body, _ := strings.Cut(e.Module(false), ".visible .entry k(.param .u64 p)\n")
	call := "call f, (%d8);"
	return head + ".func f(.reg .u64 p)\n" + strings.NewReplacer("ld.param.u64 %dg, [p];", "mov.u64 %dg, p;", "\nret;\n}", "\n.reg .u64 %d8; mov.u64 %d8, 0; "+call+"\nret;\n}", "%d<9>", "%d<8>").Replace(body) +
		".visible .entry k(.param .u64 p)\n{ .reg .u64 %d8; ld.param.u64 %d8, [p]; " + call + " ret; }\n"
}

// Replaced returns the module with other text in place of the instruction, in
// which EXAMPLE stands for it.
func (e Example) Replaced(byBlock bool, text string) string {
	e.Text = strings.ReplaceAll(text, "EXAMPLE", e.Text)
	return e.Module(byBlock)
}

const module = `.version 8.8
.target sm_100a
.address_size 64
.extern .func other(.reg .b32 x);
.visible .entry k(.param .u64 p)
{
.reg .pred %p, %q;
.reg .b16 %h<9>;
.reg .b32 %r<20>, %rt, %rb;
.reg .f32 %f<20>;
.reg .b64 %d<9>, %ds, %dg, %ms, %mg, %db, %dt, %di;
.reg .b128 %w;
.shared .align 16 .b8 s[4096];
ld.param.u64 %dg, [p]; cvta.to.global.u64 %dg, %dg; mov.u64 %ds, s; SHIFT
mov.u32 %rt, %tid.x; mul.wide.u32 %dt, %rt, 4; add.u64 %ms, %ds, %dt;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r3, %r1, %r2, %rt; mul.wide.u32 %di, %r3, 4; add.u64 %mg, %dg, %di;
add.u64 %ds, %ds, %db; add.u64 %dg, %dg, %db;
mov.u32 %r0, 0; mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u64 %d0, 0; mov.u64 %d1, 0;
mov.u16 %h1, 0; mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0; setp.eq.u32 %p, %r0, 0;
st.shared.u32 [%ms], %rt;
st.global.u32 [%mg], %rt;
EXAMPLE
ret;
}
`

const (
	eight = "{%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}"
	regs8 = "{%r8, %r9, %r10, %r11, %r12, %r13, %r14, %r15}"
)

// texts are the examples by row, several where the row has forms that do
// different things.
var texts = map[string][]string{
	"ld":                 {"ld.shared.u32 %r8, [%ds];", "ld.global.u32 %r8, [%dg];", "ld.u32 %r8, [%dg];"},
	"ldu":                {"ldu.global.u32 %r8, [%dg];"},
	"st":                 {"st.shared.u32 [%ds], %r0;", "st.global.u32 [%dg], %r0;", "st.u32 [%dg], %r0;"},
	"st.async":           {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%ds], %r0, [%ds+64];", "st.async.mmio.release.sys.global.b32 [%dg], %r0;"},
	"st.bulk":            {"st.bulk.weak.shared::cta [%ds], %d1, 0;"},
	"multimem.ld_reduce": {"multimem.ld_reduce.relaxed.gpu.global.add.f32 %f8, [%dg];"},
	"multimem.st":        {"multimem.st.relaxed.gpu.global.f32 [%dg], %f0;"},
	"multimem.red":       {"multimem.red.relaxed.gpu.global.add.f32 [%dg], %f0;"},
	"discard":            {"discard.global.L2 [%dg], 128;"},

	"cp.async":                      {"cp.async.ca.shared.global [%ds], [%dg], 4;"},
	"cp.async.commit_group":         {"cp.async.commit_group;"},
	"cp.async.wait_group":           {"cp.async.wait_group 0;"},
	"cp.async.wait_all":             {"cp.async.wait_all;"},
	"cp.async.bulk":                 {"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%ds], [%dg], 16, [%ds+64];", "cp.async.bulk.global.shared::cta.bulk_group [%dg], [%ds], 16;"},
	"cp.reduce.async.bulk":          {"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%dg], [%ds], 16;"},
	"cp.async.bulk.tensor":          {"cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%ds], [%dg, {%r0}], [%ds+64];"},
	"cp.reduce.async.bulk.tensor":   {"cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%dg, {%r0}], [%ds];"},
	"cp.async.bulk.commit_group":    {"cp.async.bulk.commit_group;"},
	"cp.async.bulk.wait_group":      {"cp.async.bulk.wait_group 0;"},
	"multimem.cp.async.bulk":        {"multimem.cp.async.bulk.dst.src.completion_mechanism [%dg], [%ds], %r0;"},
	"multimem.cp.reduce.async.bulk": {"multimem.cp.reduce.async.bulk.add.u32 [%dg], [%ds], %r0;"},
	"tensormap.replace":             {"tensormap.replace.tile.global_address.global.b1024.b64 [%dg], %d0;"},
	"tensormap.cp_fenceproxy":       {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%dg], [%ds], 128;"},

	"tex":   {"tex.1d.v4.f32.s32 {%f8, %f9, %f10, %f11}, [%d0, {%r0}];"},
	"tld4":  {"tld4.r.2d.v4.f32.f32 {%f8, %f9, %f10, %f11}, [%d0, {%f0, %f1}];"},
	"suld":  {"suld.b.1d.b32.trap %r8, [%d0, {%r0}];"},
	"sust":  {"sust.b.1d.b32.trap [%d0, {%r0}], %r0;"},
	"sured": {"sured.b.add.1d.u32.trap [%d0, {%r0}], %r0;"},

	"bra":     {"bra DONE; DONE:"},
	"brx.idx": {"T: .branchtargets DONE; brx.idx %r0, T; DONE:"},
	"call":    {"call other, (%r0);"},
	"ret":     {"ret;"},
	"exit":    {"exit;"},
	"trap":    {"trap;"},

	"bar":                 {"bar.sync 0;", "bar.arrive 1, 64;", "bar.red.popc.u32 %r8, 0, %p;"},
	"barrier":             {"barrier.sync 0;"},
	"bar.warp.sync":       {"bar.warp.sync -1;"},
	"barrier.cluster":     {"barrier.cluster.arrive;", "barrier.cluster.wait;"},
	"membar":              {"membar.gl;"},
	"fence":               {"fence.acq_rel.gpu;"},
	"fence.proxy":         {"fence.proxy.async;"},
	"fence.mbarrier_init": {"fence.mbarrier_init.release.cluster;"},
	"griddepcontrol":      {"griddepcontrol.wait;", "griddepcontrol.launch_dependents;"},

	"atom":      {"atom.shared.add.u32 %r8, [%ds], %r0;", "atom.global.cas.b32 %r8, [%dg], %r0, %r4;"},
	"atom.byte": {"atom.byte.shared.add.u8 %h3, [%ds], %h1;", "atom.byte.global.cas.b8 %h3, [%dg], %h1, %h1;"},
	"red":       {"red.shared.add.u32 [%ds], %r0;", "red.global.add.u32 [%dg], %r0;"},
	"red.async": {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%ds], %r0, [%ds+64];", "red.async.mmio.release.sys.global.add.u32 [%dg], %r0;"},

	"mbarrier.init":            {"mbarrier.init.shared.b64 [%ds], %r0;"},
	"mbarrier.inval":           {"mbarrier.inval.shared.b64 [%ds];"},
	"mbarrier.expect_tx":       {"mbarrier.expect_tx.relaxed.cta.shared.b64 [%ds], %r0;"},
	"mbarrier.complete_tx":     {"mbarrier.complete_tx.relaxed.cta.shared.b64 [%ds], %r0;"},
	"mbarrier.arrive":          {"mbarrier.arrive.shared.b64 %d2, [%ds];"},
	"mbarrier.arrive_drop":     {"mbarrier.arrive_drop.shared.b64 %d2, [%ds];"},
	"mbarrier.test_wait":       {"mbarrier.test_wait.shared.b64 %p, [%ds], %d0;"},
	"mbarrier.try_wait":        {"mbarrier.try_wait.shared.b64 %p, [%ds], %d0;"},
	"cp.async.mbarrier.arrive": {"cp.async.mbarrier.arrive.shared.b64 [%ds];"},
	"clusterlaunchcontrol.try_cancel": {
		"clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.b128 [%ds], [%ds+64];"},

	"shfl":       {"shfl.down.b32 %r8, %r0, 1, 31;"},
	"shfl.sync":  {"shfl.sync.down.b32 %r8, %r0, 1, 31, -1;"},
	"vote":       {"vote.ballot.b32 %r8, %p;"},
	"vote.sync":  {"vote.sync.ballot.b32 %r8, %p, -1;"},
	"match":      {"match.any.sync.b32 %r8, %r0, -1;"},
	"activemask": {"activemask.b32 %r8;"},
	"redux":      {"redux.sync.add.u32 %r8, %r0, -1;"},
	"elect":      {"elect.sync %r8|%q, -1;"},

	"stacksave":    {"stacksave.u64 %d2;"},
	"stackrestore": {"stackrestore.u64 %d0;"},
	"alloca":       {"alloca.u64 %d2, %d0;"},

	"wmma.load":                {"wmma.load.c.sync.aligned.row.m16n16k16.shared.f32 " + eight + ", [%ds];", "wmma.load.c.sync.aligned.row.m16n16k16.global.f32 " + eight + ", [%dg];", "wmma.load.c.sync.aligned.row.m16n16k16.f32 " + eight + ", [%dg];"},
	"wmma.store":               {"wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%ds], " + eight + ";", "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%dg], " + eight + ";", "wmma.store.d.sync.aligned.row.m16n16k16.f32 [%dg], " + eight + ";"},
	"wmma.mma":                 {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " + eight + ", " + regs8 + ", " + regs8 + ", " + eight + ";"},
	"mma":                      {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f8, %f9, %f10, %f11}, {%r0, %r4}, {%r5}, {%f0, %f1, %f2, %f3};"},
	"mma.sp":                   {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f8, %f9, %f10, %f11}, {%r0, %r4}, {%r5, %r6}, {%f0, %f1, %f2, %f3}, %r7, 0;"},
	"mma.sp::ordered_metadata": {"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f8, %f9, %f10, %f11}, {%r0, %r4}, {%r5, %r6}, {%f0, %f1, %f2, %f3}, %r7, 0;"},
	"ldmatrix":                 {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r8}, [%ds];"},
	"stmatrix":                 {"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%ds], {%r0};"},
	"movmatrix":                {"movmatrix.sync.aligned.m8n8.trans.b16 %r8, %r0;"},

	"wgmma.mma_async":                   {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f8, %f9, %f10, %f11}, %d0, %d1, 1, 1, 1, 0, 0;"},
	"wgmma.mma_async.sp":                {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f8, %f9, %f10, %f11}, %d0, %d1, %r0, 0, 1, 1, 1, 0, 0;"},
	"wgmma.fence":                       {"wgmma.fence.sync.aligned;"},
	"wgmma.commit_group":                {"wgmma.commit_group.sync.aligned;"},
	"wgmma.wait_group":                  {"wgmma.wait_group.sync.aligned 0;"},
	"tcgen05.alloc":                     {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%ds], 32;"},
	"tcgen05.dealloc":                   {"tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r0, 32;"},
	"tcgen05.relinquish_alloc_permit":   {"tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"},
	"tcgen05.ld":                        {"tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r8}, [%r0];"},
	"tcgen05.ld.red":                    {"tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r8, %r9}, %r10, [%r0];"},
	"tcgen05.st":                        {"tcgen05.st.sync.aligned.32x32b.x1.b32 [%r0], {%r4};"},
	"tcgen05.wait::ld":                  {"tcgen05.wait::ld.sync.aligned;"},
	"tcgen05.wait::st":                  {"tcgen05.wait::st.sync.aligned;"},
	"setmaxnreg":                        {"setmaxnreg.inc.sync.aligned.u32 64;"},
	"tcgen05.cp":                        {"tcgen05.cp.cta_group::1.128x256b [%r0], %d0;"},
	"tcgen05.shift":                     {"tcgen05.shift.cta_group::1.down [%r0];"},
	"tcgen05.mma":                       {"tcgen05.mma.cta_group::1.kind::f16 [%r0], %d0, %d1, %r4, %p;"},
	"tcgen05.mma.sp":                    {"tcgen05.mma.sp.cta_group::1.kind::f16 [%r0], %d0, %d1, [%r4], %r5, %p;"},
	"tcgen05.mma.ws":                    {"tcgen05.mma.ws.cta_group::1.kind::f16 [%r0], %d0, %d1, %r4, %p;"},
	"tcgen05.mma.ws.sp":                 {"tcgen05.mma.ws.sp.cta_group::1.kind::f16 [%r0], %d0, %d1, [%r4], %r5, %p;"},
	"tcgen05.fence::before_thread_sync": {"tcgen05.fence::before_thread_sync;"},
	"tcgen05.fence::after_thread_sync":  {"tcgen05.fence::after_thread_sync;"},
	"tcgen05.commit":                    {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%ds];"},
}

// Examples returns the examples in the order of the table; missing are the rows
// with an effect that have none.
func Examples() (list []Example, missing []string) {
	for _, d := range isa.All() {
		if d.Kind.Effect() != 0 && texts[d.Op] == nil {
			missing = append(missing, d.Op)
		}
		for _, text := range texts[d.Op] {
			opcode, _, _ := strings.Cut(strings.TrimPrefix(text, "T: .branchtargets DONE; "), " ")
			does, _ := isa.What(strings.TrimSuffix(opcode, ";"))
			list = append(list, Example{Op: d.Op, Text: text, Does: does})
		}
	}
	return list, missing
}
