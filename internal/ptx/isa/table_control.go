package isa

import "github.com/warpgrind/warpgrind/internal/inst"

const (
	sem     = "~relaxed|acquire|release|acq_rel? ~$scope? $ss? "
	redSem  = "~relaxed|release? ~$scope? $ss? "
	halfOps = "add|min|max noftz ~$hint? "
)

// atomForms are the operations on memory of atom and red, with the operands
// of one of them.
func atomForms(sem, args string) []string {
	var list []string
	for _, f := range []string{
		"add ~$hint? u32|s32|u64|f32|f64", "and|or|xor ~$hint? b32|b64", "inc|dec ~$hint? u32", "min|max ~$hint? u32|s32|u64|s64",
		"add noftz ~$hint? $half", "add ~$hint? v2|v4 f32", halfOps + "v2|v4|v8 f16|bf16", halfOps + "v2|v4 f16x2|bf16x2",
	} {
		list = append(list, sem+f+" ; "+args+" s?")
	}
	return list
}

var controlRows = []row{
	{"bra", Control, inst.Branch, "Control Flow Instructions: bra", "1.0 10", run, []string{"uni? ; l l?"}},
	{"brx.idx", Control, inst.Branch, "Control Flow Instructions: brx.idx", "6.0 30", run, []string{"uni? ; s l"}},
	{"call", Control, inst.Call, "Control Flow Instructions: call", "1.0 10", run, []string{"uni? ; c c? c? c?"}},
	{"ret", Control, inst.Return, "Control Flow Instructions: ret", "1.0 10", run, []string{"uni? ; "}},
	{"exit", Control, inst.Exit, "Control Flow Instructions: exit", "1.0 10", run, []string{" ; "}},
	{"trap", Misc, inst.Trap, "Miscellaneous Instructions: trap", "1.0 10", run, []string{" ; "}},
}

var syncRows = []row{
	{"bar", Sync, inst.Barrier, "Parallel Synchronization and Communication Instructions: bar, barrier", "1.0 10", run, []string{
		"cta? sync ; s s?", "cta? arrive ; s s",
		"cta? red popc u32 ; d s s s?", "cta? red and|or pred ; d s s s?"}},
	{"barrier", Sync, inst.Barrier, "Parallel Synchronization and Communication Instructions: bar, barrier", "6.0 30", run, []string{
		"cta? sync aligned? ; s s?", "cta? arrive aligned? ; s s",
		"cta? red popc aligned? u32 ; d s s s?", "cta? red and|or aligned? pred ; d s s s?"}},
	{"bar.warp.sync", Sync, inst.WarpSync, "Parallel Synchronization and Communication Instructions: bar.warp.sync", "6.0 30", run, []string{" ; s"}},
	{"barrier.cluster", Sync, inst.ClusterArrive, "Parallel Synchronization and Communication Instructions: barrier.cluster", "7.8 90", run, []string{
		"arrive release|relaxed? aligned? ; ", "wait acquire? aligned? ; "}},
	{"membar", Sync, inst.Fence, "Parallel Synchronization and Communication Instructions: membar, fence", "1.4 10", run, []string{
		"cta|gl|sys ; ", "proxy alias ; ", "proxy async global|shared::cta|shared::cluster? ; "}},
	{"fence", Sync, inst.Fence, "Parallel Synchronization and Communication Instructions: membar, fence", "6.0 70", run, []string{
		"sc|acq_rel|acquire|release? $scope ; ",
		"acquire|release sync_restrict::shared::cta|sync_restrict::shared::cluster cluster ; "}},
	{"fence.proxy", Sync, inst.ProxyFence, "Parallel Synchronization and Communication Instructions: membar, fence", "7.5 70", run, []string{
		"alias ; ", "async global|shared::cta|shared::cluster? ; ", "async::generic acquire|release sync_restrict::shared::cta|sync_restrict::shared::cluster cluster ; ",
		"tensormap::generic acquire $scope ; m i", "tensormap::generic release $scope ; "}},
	{"fence.mbarrier_init", Sync, inst.InitFence, "Parallel Synchronization and Communication Instructions: membar, fence", "8.0 90", run, []string{
		"release cluster ; "}},
	{"atom", Atomic, inst.Atomic, "Parallel Synchronization and Communication Instructions: atom", "1.1 11", run, append(atomForms(sem, "d m s"),
		sem+"exch ~$hint? b32|b64 ; d m s s?", sem+"cas ~$hint? b16|b32|b64 ; d m s s s?",
		sem+"exch ~$hint? b128 ; d m s s?", sem+"cas ~$hint? b128 ; d m s s s?")},
	{"atom.byte", Atomic, inst.Atomic, "none: a byte, which PTX's atom cannot access", "1.1 11", run, []string{
		sem + "add u8 ; d m s", sem + "min|max u8|s8 ; d m s", sem + "and|or|xor|exch b8 ; d m s", sem + "cas b8 ; d m s s"}},
	{"red", Atomic, inst.Atomic, "Parallel Synchronization and Communication Instructions: red", "1.2 20", run, atomForms(redSem, "m s")},
	{"red.async", Atomic, inst.AtomicAsync, "Parallel Synchronization and Communication Instructions: red.async", "8.1 90", run, []string{
		"~relaxed? ~cluster? shared::cluster? mbarrier::complete_tx::bytes inc|dec u32 ; m s m",
		"~relaxed? ~cluster? shared::cluster? mbarrier::complete_tx::bytes min|max u32|s32 ; m s m",
		"~relaxed? ~cluster? shared::cluster? mbarrier::complete_tx::bytes add u32|s32|u64 ; m s m",
		"~relaxed? ~cluster? shared::cluster? mbarrier::complete_tx::bytes and|or|xor b32 ; m s m",
		"mmio? release ~gpu|sys global? add u32|s32|u64|s64 ; m s"}},
	{"mbarrier.init", Sync, inst.MBarrierInit, "Parallel Synchronization and Communication Instructions: mbarrier.init", "7.0 80", run, []string{
		"shared|shared::cta? b64 ; m s"}},
	{"mbarrier.inval", Sync, inst.MBarrierInval, "Parallel Synchronization and Communication Instructions: mbarrier.inval", "7.0 80", run, []string{
		"shared|shared::cta? b64 ; m"}},
	{"mbarrier.expect_tx", Sync, inst.MBarrierExpect, "Parallel Synchronization and Communication Instructions: mbarrier.expect_tx", "8.0 90", run, []string{
		"~relaxed? ~$scope? shared|shared::cta|shared::cluster? b64 ; m s"}},
	{"mbarrier.complete_tx", Sync, inst.MBarrierComplete, "Parallel Synchronization and Communication Instructions: mbarrier.complete_tx", "8.0 90", run, []string{
		"~relaxed? ~$scope? shared|shared::cta|shared::cluster? b64 ; m s"}},
	{"mbarrier.arrive", Sync, inst.MBarrierArrive, "Parallel Synchronization and Communication Instructions: mbarrier.arrive", "7.0 80", run, []string{
		"expect_tx|noComplete? ~release|relaxed? ~$scope? shared|shared::cta|shared::cluster? b64 ; d m s?", "expect_tx? ~release|relaxed? ~$scope? shared|shared::cta|shared::cluster? b64 ; m s?"}},
	{"mbarrier.arrive_drop", Sync, inst.MBarrierArrive, "Parallel Synchronization and Communication Instructions: mbarrier.arrive_drop", "7.0 80", run, []string{
		"expect_tx|noComplete? ~release|relaxed? ~$scope? shared|shared::cta|shared::cluster? b64 ; d m s?", "expect_tx? ~release|relaxed? ~$scope? shared|shared::cta|shared::cluster? b64 ; m s?"}},
	{"mbarrier.test_wait", Sync, inst.MBarrierTest, "Parallel Synchronization and Communication Instructions: mbarrier.test_wait / mbarrier.try_wait", "7.0 80", run, []string{
		"parity? ~acquire|relaxed? ~$scope? shared|shared::cta? b64 ; d m s"}},
	{"mbarrier.try_wait", Sync, inst.MBarrierTest, "Parallel Synchronization and Communication Instructions: mbarrier.test_wait / mbarrier.try_wait", "7.8 90", run, []string{
		"parity? ~acquire|relaxed? ~$scope? shared|shared::cta? b64 ; d m s s?"}},
	{"mbarrier.pending_count", Sync, inst.Compute, "Parallel Synchronization and Communication Instructions: mbarrier.pending_count", "7.0 80", run, []string{
		"b64 ; d s"}},
	{"cp.async.mbarrier.arrive", Sync, inst.CopyArrive, "Parallel Synchronization and Communication Instructions: cp.async.mbarrier.arrive", "7.0 80", run, []string{
		"noinc? shared|shared::cta? b64 ; m"}},
	{"griddepcontrol", Sync, inst.GridTrigger, "Parallel Synchronization and Communication Instructions: griddepcontrol", "7.8 90", run, []string{
		"launch_dependents|wait ; "}},
	{"clusterlaunchcontrol.try_cancel", Sync, inst.LaunchCancel, "Parallel Synchronization and Communication Instructions: clusterlaunchcontrol.try_cancel", "8.6 100", run, []string{
		"async shared::cta? mbarrier::complete_tx::bytes multicast::cluster::all? b128 ; m m"}},
	{"clusterlaunchcontrol.query_cancel", Sync, inst.Compute, "Parallel Synchronization and Communication Instructions: clusterlaunchcontrol.query_cancel", "8.6 100", run, []string{
		"is_canceled pred b128 ; d s", "get_first_ctaid v4 b32 b128 ; d s",
		"get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z b32 b128 ; d s"}},
}

var warpRows = []row{
	{"shfl", Warp, inst.Shuffle, "Data Movement and Conversion Instructions: shfl", "3.0 30", run, []string{"up|down|bfly|idx b32 ; D s s s"}},
	{"shfl.sync", Warp, inst.Shuffle, "Data Movement and Conversion Instructions: shfl.sync", "6.0 30", run, []string{"up|down|bfly|idx b32 ; D s s s s"}},
	{"vote", Warp, inst.Vote, "Parallel Synchronization and Communication Instructions: vote", "1.2 12", run, []string{
		"all|any|uni pred ; d s", "ballot b32 ; d s"}},
	{"vote.sync", Warp, inst.Vote, "Parallel Synchronization and Communication Instructions: vote.sync", "6.0 30", run, []string{
		"all|any|uni pred ; d s s", "ballot b32 ; d s s"}},
	{"match", Warp, inst.Match, "Parallel Synchronization and Communication Instructions: match.sync", "6.0 70", run, []string{
		"any sync b32|b64 ; d s s", "all sync b32|b64 ; D s s"}},
	{"activemask", Warp, inst.ActiveMask, "Parallel Synchronization and Communication Instructions: activemask", "6.2 30", run, []string{"b32 ; d"}},
	{"redux", Warp, inst.Redux, "Parallel Synchronization and Communication Instructions: redux.sync", "7.0 80", run, []string{
		"sync add|min|max u32|s32 ; d s s", "sync and|or|xor b32 ; d s s", "sync min|max abs? NaN? f32 ; d s s"}},
	{"elect", Warp, inst.Elect, "Parallel Synchronization and Communication Instructions: elect.sync", "8.0 90", run, []string{"sync ; D s"}},
}

var miscRows = []row{
	{"stacksave", Stack, inst.StackSave, "Stack Manipulation Instructions: stacksave", "7.3 52", run, []string{"u32|u64 ; d"}},
	{"stackrestore", Stack, inst.StackSet, "Stack Manipulation Instructions: stackrestore", "7.3 52", run, []string{"u32|u64 ; s"}},
	{"alloca", Stack, inst.StackAlloc, "Stack Manipulation Instructions: alloca", "7.3 52", run, []string{"u32|u64 ; d s i?"}},
	{"brkpt", Misc, inst.Hint, "Miscellaneous Instructions: brkpt", "1.0 11", run, []string{" ; "}},
	{"nanosleep", Misc, inst.Hint, "Miscellaneous Instructions: nanosleep", "6.3 70", run, []string{"u32 ; s"}},
	{"pmevent", Misc, inst.Hint, "Miscellaneous Instructions: pmevent", "1.4 10", run, []string{"mask? ; i"}},
	{"setmaxnreg", Misc, inst.SetRegisters, "Miscellaneous Instructions: setmaxnreg", "8.0 90", run, []string{"inc|dec sync aligned u32 ; i"}},
}
