package isa

import "github.com/warpgrind/warpgrind/internal/inst"

const (
	ldSem = "~weak|volatile|relaxed|acquire? ~mmio? ~$scope? $ldss? ~nc? ~$cop? ~$l1? ~$l2? ~$hint? ~$pre? ~unified? "
	stSem = "~weak|volatile|relaxed|release? ~mmio? ~$scope? $stss? ~$cop? ~$l1? ~$l2? ~$hint? "
)

var memoryRows = []row{
	{"ld", Memory, inst.Load, "Data Movement and Conversion Instructions: ld", "1.0 10", run, []string{
		ldSem + "v2|v4? $scalar ; d m s?", ldSem + "v8 b32|u32|s32|f32 ; d m s?", ldSem + "b128 ; d m s?"}},
	{"ldu", Memory, inst.Load, "Data Movement and Conversion Instructions: ldu", "2.0 20", run, []string{"global? v2|v4? $scalar ; d m", "global? b128 ; d m"}},
	{"st", Memory, inst.Store, "Data Movement and Conversion Instructions: st", "1.0 10", run, []string{
		stSem + "v2|v4? $scalar ; m s s?", stSem + "v8 b32|u32|s32|f32 ; m s s?", stSem + "b128 ; m s s?"}},
	{"st.async", Memory, inst.StoreAsync, "Data Movement and Conversion Instructions: st.async", "8.1 90", run, []string{
		"~weak? ~cluster? shared::cluster? mbarrier::complete_tx::bytes? $vec? b32|b64|u32|u64|s32|s64|f32|f64 ; m s m",
		"mmio? release ~gpu|sys? global? b8|b16|b32|b64|u8|u16|u32|u64|s8|s16|s32|s64|f32|f64 ; m s"}},
	{"st.bulk", Memory, inst.FillAsync, "Data Movement and Conversion Instructions: st.bulk", "8.6 100", run, []string{
		"weak? shared::cta? ; m s s"}},
	{"multimem.ld_reduce", Memory, inst.Load, "Data Movement and Conversion Instructions: multimem", "8.1 90", run, multimemForms(
		"~weak|relaxed|acquire? ~$scope? global? ", "d m", multimemInts, multimemFloats("min|max|add", "acc::f32|acc::f16? ", true))},
	{"multimem.st", Memory, inst.Store, "Data Movement and Conversion Instructions: multimem", "8.1 90", run, multimemForms(
		"~weak|relaxed|release? ~$scope? global? ", "m s", []string{"b32|b64|u32|u64|s32|s64"}, multimemFloats("", "", true))},
	{"multimem.red", Memory, inst.Atomic, "Data Movement and Conversion Instructions: multimem", "8.1 90", run, multimemForms(
		"~relaxed|release? ~$scope? global? ", "m s", multimemInts, multimemFloats("add", "", false))},
	{"prefetch", Memory, inst.Hint, "Data Movement and Conversion Instructions: prefetch, prefetchu", "2.0 20", run, []string{
		"const|param|param::entry|global|local? L1|L2|tensormap|L2::evict_last|L2::evict_normal ; m"}},
	{"prefetchu", Memory, inst.Hint, "Data Movement and Conversion Instructions: prefetch, prefetchu", "2.0 20", run, []string{"L1 ; m"}},
	{"applypriority", Memory, inst.Hint, "Data Movement and Conversion Instructions: applypriority", "7.4 80", run, []string{
		"global? L2::evict_normal ; m i"}},
	{"discard", Memory, inst.Discard, "Data Movement and Conversion Instructions: discard", "7.4 80", run, []string{"global? L2 ; m i"}},
	{"createpolicy", Memory, inst.Compute, "Data Movement and Conversion Instructions: createpolicy", "7.4 80", run, []string{
		"fractional $l2 $l2? b64 ; d s?",
		"range global? $l2 $l2? b64 ; d m s s",
		"cvt L2 b64 ; d s"}},
	{"isspacep", Memory, inst.Compute, "Data Movement and Conversion Instructions: isspacep", "2.0 20", run, []string{
		"const|global|local|shared|shared::cta|shared::cluster|param|param::entry ; d s"}},
	{"cvta", Memory, inst.Compute, "Data Movement and Conversion Instructions: cvta", "2.0 20", run, []string{
		"to? const|global|local|shared|shared::cta|shared::cluster|param|param::entry u32|u64 ; d s"}},
	{"mapa", Memory, inst.Compute, "Data Movement and Conversion Instructions: mapa", "7.8 90", run, []string{"shared::cluster? u32|u64 ; d s s"}},
	{"getctarank", Memory, inst.Compute, "Data Movement and Conversion Instructions: getctarank", "7.8 90", run, []string{
		"shared::cluster? u32|u64 ; d s"}},
}

var copyRows = []row{
	{"cp.async", Copy, inst.CopyAsync, "Data Movement and Conversion Instructions: cp.async", "7.0 80", run, []string{
		"ca|cg shared|shared::cta global $hint? $pre? ; m m i i? s?"}},
	{"cp.async.commit_group", Copy, inst.CopyCommit, "Data Movement and Conversion Instructions: cp.async.commit_group", "7.0 80", run, []string{" ; "}},
	{"cp.async.wait_group", Copy, inst.CopyWait, "Data Movement and Conversion Instructions: cp.async.wait_group / cp.async.wait_all", "7.0 80", run, []string{" ; i"}},
	{"cp.async.wait_all", Copy, inst.CopyWait, "Data Movement and Conversion Instructions: cp.async.wait_group / cp.async.wait_all", "7.0 80", run, []string{" ; "}},
	{"cp.async.bulk", Copy, inst.BulkCopy, "Data Movement and Conversion Instructions: cp.async.bulk", "8.0 90", run, []string{"* ; m m s x*"}},
	{"cp.reduce.async.bulk", Copy, inst.BulkReduce, "Data Movement and Conversion Instructions: cp.reduce.async.bulk", "8.0 90", run, []string{"* ; m m s x*"}},
	{"cp.async.bulk.prefetch", Copy, inst.Hint, "Data Movement and Conversion Instructions: cp.async.bulk.prefetch", "8.0 90", run, []string{
		"L2 global $hint? ; m s s?"}},
	{"cp.async.bulk.tensor", Copy, inst.BulkCopy, "Data Movement and Conversion Instructions: cp.async.bulk.tensor", "8.0 90", run, []string{"* ; m m x*"}},
	{"cp.reduce.async.bulk.tensor", Copy, inst.BulkReduce, "Data Movement and Conversion Instructions: cp.reduce.async.bulk.tensor", "8.0 90", run, []string{"* ; m m x*"}},
	{"cp.async.bulk.prefetch.tensor", Copy, inst.Hint, "Data Movement and Conversion Instructions: cp.async.bulk.prefetch.tensor", "8.0 90", run, []string{"* ; m x*"}},
	{"cp.async.bulk.commit_group", Copy, inst.BulkCommit, "Data Movement and Conversion Instructions: cp.async.bulk.commit_group", "8.0 90", run, []string{" ; "}},
	{"cp.async.bulk.wait_group", Copy, inst.BulkWait, "Data Movement and Conversion Instructions: cp.async.bulk.wait_group", "8.0 90", run, []string{"read? ; i"}},
	{"multimem.cp.async.bulk", Copy, inst.BulkCopy, "Data Movement and Conversion Instructions: multimem.cp.async.bulk", "9.1 90", parse, []string{"* ; m m s x*"}},
	{"multimem.cp.reduce.async.bulk", Copy, inst.BulkReduce, "Data Movement and Conversion Instructions: multimem.cp.reduce.async.bulk", "9.1 90", parse, []string{"* ; m m s x*"}},
	{"tensormap.replace", Copy, inst.TensorMap, "Data Movement and Conversion Instructions: tensormap.replace", "8.3 90", run, []string{"* ; m s s?"}},
	{"tensormap.cp_fenceproxy", Copy, inst.TensorMapCopy, "Parallel Synchronization and Communication Instructions: tensormap.cp_fenceproxy", "8.3 90", run, []string{"* ; m m i"}},
}

var textureRows = []row{
	{"tex", Texture, inst.TextureLoad, "Texture Instructions: tex", "1.0 10", run, []string{
		"level|grad|base? 1d|2d|3d|a1d|a2d v4 u32|s32|f16|f32 s32|f32 ; D m x*",
		"level|grad|base? 1d|2d|3d|a1d|a2d v2 f16x2 s32|f32 ; D m x*",
		"level|grad|base? cube|acube v4 u32|s32|f16|f32 f32 ; D m x*",
		"level|grad|base? cube|acube v2 f16x2 f32 ; D m x*",
		"- base? 2dms|a2dms v4 u32|s32|f16|f32 s32 ; D m x*",
		"- base? 2dms|a2dms v2 f16x2 s32 ; D m x*"}},
	{"tld4", Texture, inst.TextureLoad, "Texture Instructions: tld4", "2.2 20", run, []string{
		"r|g|b|a 2d|a2d|cube|acube v4 u32|s32|f32 f32 ; D m x*"}},
	{"txq", Texture, inst.Compute, "Texture Instructions: txq", "1.5 10", run, []string{
		"width|height|depth|channel_data_type|channel_order|normalized_coords|array_size|num_mipmap_levels|num_samples b32 ; d m",
		"level width|height|depth b32 ; d m s",
		"force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2 b32 ; d m"}},
	{"istypep", Texture, inst.Compute, "Texture Instructions: istypep", "4.0 30", run, []string{"texref|samplerref|surfref ; d s"}},
	{"suld", Texture, inst.SurfaceLoad, "Surface Instructions: suld", "1.5 20", run, []string{
		"b 1d|2d|3d|a1d|a2d ~$cop? v2|v4? b8|b16|b32 $clamp? ; d m", "b 1d|2d|3d|a1d|a2d ~$cop? v2? b64 $clamp? ; d m",
		"- p 1d|2d|3d ~$cop? v2|v4? b32|u32|s32|f32 $clamp? ; d m"}},
	{"sust", Texture, inst.SurfaceStore, "Surface Instructions: sust", "1.5 20", run, []string{
		"b 1d|2d|3d|a1d|a2d ~$cop? v2|v4? b8|b16|b32 $clamp? ; m s", "b 1d|2d|3d|a1d|a2d ~$cop? v2? b64 $clamp? ; m s",
		"p 1d|2d|3d v2|v4? b32|u32|s32|f32 $clamp? ; m s"}},
	{"sured", Texture, inst.SurfaceRed, "Surface Instructions: sured", "2.0 20", run, []string{
		"b add 1d|2d|3d u32|s32|u64 $clamp? ; m s", "b min|max 1d|2d|3d u32|s32|u64|s64 $clamp? ; m s",
		"b and|or 1d|2d|3d b32 $clamp? ; m s", "p add|min|max|and|or 1d|2d|3d b32|b64 $clamp? ; m s"}},
	{"suq", Texture, inst.Compute, "Surface Instructions: suq", "1.5 20", run, []string{
		"width|height|depth|channel_data_type|channel_order|array_size|memory_layout b32 ; d m"}},
}

// multimemInts are the operations of multimem on integers.
var multimemInts = []string{"min|max u32|u64|s32|s64", "add u32|u64|s32", "and|or|xor b32|b64"}

// multimemFloats are those on floats, in vectors of 32, 64 or 128 bits; eight adds those of
// eight bits.
func multimemFloats(op, acc string, eight bool) []string {
	wide := op
	if op == "min|max|add" {
		wide = "add"
	}
	list := []string{op + " " + acc + "f16x2|bf16x2", op + " " + acc + "v2 f16|f16x2|bf16|bf16x2", op + " " + acc + "v4 f16|f16x2|bf16|bf16x2", op + " " + acc + "v8 f16|bf16",
		wide + " f32|f64", wide + " v2|v4 f32"}
	if eight {
		list = append(list, op+" "+acc+"e5m2x4|e4m3x4", op+" "+acc+"v2 e5m2x2|e5m2x4|e4m3x2|e4m3x4", op+" "+acc+"v4 e5m2|e5m2x2|e5m2x4|e4m3|e4m3x2|e4m3x4", op+" "+acc+"v8 e5m2|e4m3|e5m2x2|e4m3x2")
	}
	return list
}

func multimemForms(sem, args string, lists ...[]string) (forms []string) {
	for _, list := range lists {
		for _, f := range list {
			forms = append(forms, sem+f+" ; "+args)
		}
	}
	return forms
}
