package check

import (
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// opNames are the intrinsics of CUDA by the operation and its function.
var opNames = map[inst.Kind]map[inst.Fn]string{
	inst.WarpSync: {inst.FnNone: "__syncwarp"},
	inst.Shuffle: {
		inst.FnUp: "__shfl_up_sync", inst.FnDown: "__shfl_down_sync", inst.FnBfly: "__shfl_xor_sync", inst.FnIdx: "__shfl_sync",
	},
	inst.Vote:  {inst.FnAll: "__all_sync", inst.FnAny: "__any_sync", inst.FnUni: "vote.sync.uni", inst.FnBallot: "__ballot_sync"},
	inst.Match: {inst.FnAny: "__match_any_sync", inst.FnAll: "__match_all_sync"},
	inst.Redux: {
		inst.FnAdd: "__reduce_add_sync", inst.FnMin: "__reduce_min_sync", inst.FnMax: "__reduce_max_sync",
		inst.FnAnd: "__reduce_and_sync", inst.FnOr: "__reduce_or_sync", inst.FnXor: "__reduce_xor_sync",
	},
	inst.Elect: {inst.FnNone: "elect.sync"},
}

// OpName is the name of a warp-level operation as the source has it.
func OpName(s *trace.Site) string {
	if n := opNames[s.Op.Kind][s.Op.Fn]; n != "" {
		return n
	}
	return s.Op.Kind.String()
}
