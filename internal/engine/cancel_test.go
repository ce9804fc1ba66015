package engine_test

import (
	"fmt"
	"testing"
)

// cancelSource is a kernel whose blocks (clusters of two, if pairs) mark the tile that they have, and ask for
// that of another one until none is left.
func cancelSource(pairs, generic bool) string {
	space, response, bar := ".shared::cta", "response", "bar"
	if generic {
		space, response, bar = "", "%gr", "%gb"
	}
	all, start, sync, expect := "", "mov.u32 %x, %ctaid.x;", "bar.sync 0;", "setp.eq.u32 %q, %t, 0;"
	if pairs {
		all = ".multicast::cluster::all"
		start = "mov.u32 %r, %cluster_ctarank; mov.u32 %x, %ctaid.x;"
		sync = "barrier.cluster.arrive; barrier.cluster.wait;"
	}
	return header100 + fmt.Sprintf(`.visible .entry k(.param .u64 out) {
.shared .align 16 .b8 response[16]; .shared .align 8 .b64 bar;
.reg .b32 %%t, %%x, %%y, %%z, %%r, %%parity, %%n; .reg .b64 %%out, %%at, %%gr, %%gb; .reg .b128 %%h; .reg .pred %%p, %%q, %%lead;
ld.param.u64 %%out, [out]; mov.u64 %%gr, response; cvta.shared.u64 %%gr, %%gr; mov.u64 %%gb, bar; cvta.shared.u64 %%gb, %%gb; mov.u32 %%t, %%tid.x; mov.u32 %%r, 0; %[2]s %[4]s
@%%q mbarrier.init.shared.b64 [bar], 1; fence.proxy.async;
setp.eq.and.u32 %%lead, %%r, 0, %%q; mov.u32 %%parity, 0;
LOOP: %[3]s
@%%q mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;
@%%lead clusterlaunchcontrol.try_cancel.async%[5]s.mbarrier::complete_tx::bytes%[1]s.b128 [%[6]s], [%[7]s];
mul.wide.u32 %%at, %%x, 4; add.u64 %%at, %%out, %%at; @%%q atom.global.add.u32 %%n, [%%at], 1;
WAIT: mbarrier.try_wait.parity.shared.b64 %%p, [bar], %%parity; @!%%p bra WAIT;
xor.b32 %%parity, %%parity, 1; ld.shared.b128 %%h, [response]; fence.proxy.async;
clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %%p, %%h; @!%%p bra DONE;
clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%%x, %%y, %%z, _}, %%h;
clusterlaunchcontrol.query_cancel.get_first_ctaid::y.b32.b128 %%n, %%h; add.u32 %%y, %%y, %%n;
clusterlaunchcontrol.query_cancel.get_first_ctaid::z.b32.b128 %%n, %%h; add.u32 %%y, %%y, %%n; add.u32 %%y, %%y, %%z;
clusterlaunchcontrol.query_cancel.get_first_ctaid::x.b32.b128 %%n, %%h; sub.u32 %%n, %%n, %%x; add.u32 %%n, %%n, %%y;
add.u32 %%x, %%x, %%r; add.u32 %%x, %%x, %%n; bra LOOP;
DONE: %[3]s ret; }`, all, start, sync, expect, space, response, bar)
}

// TestLaunchCancel wants each tile of a launch once, whoever has it.
func TestLaunchCancel(t *testing.T) {
	for _, pairs := range []bool{false, true} {
		for _, workers := range []int{1, 3} {
			const n = 40
			out := newBuffer(t, 4*n)
			l := launch{src: cancelSource(pairs, workers == 1), grid: n, block: 64, params: []any{out}, arch: "sm_100", workers: workers, resident: 4}
			if pairs {
				l.cluster = 2
			}
			mustRun(t, l)
			for i, v := range out.u32() {
				if v != 1 {
					t.Errorf("pairs=%v, %d workers: tile %d was done %d times", pairs, workers, i, v)
				}
			}
		}
	}
}
