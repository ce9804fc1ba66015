package warp

import (
	"strings"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

func ptr64(r *vec.Row64) unsafe.Pointer { return unsafe.Pointer(r) }

// laneSpecials differ by lane (PTX ISA, "Special Registers").
var laneSpecials = map[string]func(w *Warp, l uint32) uint32{
	"tid.x":       func(w *Warp, l uint32) uint32 { return w.tid(l).X },
	"tid.y":       func(w *Warp, l uint32) uint32 { return w.tid(l).Y },
	"tid.z":       func(w *Warp, l uint32) uint32 { return w.tid(l).Z },
	"laneid":      func(_ *Warp, l uint32) uint32 { return l },
	"lanemask_eq": func(_ *Warp, l uint32) uint32 { return 1 << l },
	"lanemask_lt": func(_ *Warp, l uint32) uint32 { return 1<<l - 1 },
	"lanemask_le": func(_ *Warp, l uint32) uint32 { return 2<<l - 1 },
	"lanemask_gt": func(_ *Warp, l uint32) uint32 { return ^(2<<l - 1) },
	"lanemask_ge": func(_ *Warp, l uint32) uint32 { return ^(1<<l - 1) },
}

// warpSpecials are the same for all lanes of a warp.
var warpSpecials = map[string]func(w *Warp) uint64{
	"ntid.x":                     func(w *Warp) uint64 { return uint64(w.Env.Block.Launch.Block.X) },
	"ntid.y":                     func(w *Warp) uint64 { return uint64(w.Env.Block.Launch.Block.Y) },
	"ntid.z":                     func(w *Warp) uint64 { return uint64(w.Env.Block.Launch.Block.Z) },
	"ctaid.x":                    func(w *Warp) uint64 { return uint64(w.Env.Block.Coord.X) },
	"ctaid.y":                    func(w *Warp) uint64 { return uint64(w.Env.Block.Coord.Y) },
	"ctaid.z":                    func(w *Warp) uint64 { return uint64(w.Env.Block.Coord.Z) },
	"nctaid.x":                   func(w *Warp) uint64 { return uint64(w.Env.Block.Launch.Grid.X) },
	"nctaid.y":                   func(w *Warp) uint64 { return uint64(w.Env.Block.Launch.Grid.Y) },
	"nctaid.z":                   func(w *Warp) uint64 { return uint64(w.Env.Block.Launch.Grid.Z) },
	"warpid":                     func(w *Warp) uint64 { return uint64(w.Index) },
	"nwarpid":                    func(w *Warp) uint64 { return uint64(w.Env.Arch.MaxThreadsPerSM / 32) },
	"smid":                       func(*Warp) uint64 { return 0 },
	"nsmid":                      func(*Warp) uint64 { return 1 },
	"gridid":                     func(w *Warp) uint64 { return uint64(w.Env.Block.Launch.ID) },
	"dynamic_smem_size":          func(w *Warp) uint64 { return uint64(w.Env.Block.Launch.SharedDynamic) },
	"total_smem_size":            func(w *Warp) uint64 { return uint64(len(w.Env.Block.Shared)) },
	"aggr_smem_size":             func(w *Warp) uint64 { return uint64(len(w.Env.Block.Shared)) },
	"reserved_smem_offset_begin": func(*Warp) uint64 { return 0 },
	"reserved_smem_offset_end":   func(*Warp) uint64 { return 0 },
	"envreg1":                    func(w *Warp) uint64 { return w.Env.Block.Launch.GridWorkspace >> 32 },
	"envreg2":                    func(w *Warp) uint64 { return w.Env.Block.Launch.GridWorkspace & 0xffffffff },
}

// blockSpecial reports whether name is a special register that differs between the blocks of a
// launch: those of the block's place in the grid and in its cluster.
func blockSpecial(name string) bool {
	return strings.HasPrefix(name, "ctaid.") || strings.HasPrefix(name, "clusterid.") || strings.HasPrefix(name, "cluster_cta")
}

type coord struct{ X, Y, Z uint32 }

// tid is the thread index of a lane (CUDA C++ Programming Guide, "Thread
// Hierarchy": x runs fastest).
func (w *Warp) tid(l uint32) coord {
	b := w.Env.Block.Launch.Block
	i := uint32(w.Index)*32 + l
	return coord{i % b.X, i / b.X % b.Y, i / (b.X * b.Y)}
}
