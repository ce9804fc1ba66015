package program

import "github.com/warpgrind/warpgrind/internal/warp/alu"

// SpecialKind tells how often a special register has a value of its own.
type SpecialKind uint8

// NoSpecial: there is none of that name; Lane: differs by lane; PerWarp: one value
// a warp.
const (
	NoSpecial SpecialKind = iota
	Lane
	PerWarp
)

// specials are the special registers (PTX ISA, "Special Registers"), without
// clocks, which are instructions.
var specials = kinds(map[SpecialKind][]string{
	Lane: {"tid.x", "tid.y", "tid.z", "laneid", "lanemask_eq", "lanemask_lt", "lanemask_le", "lanemask_gt", "lanemask_ge"},
	PerWarp: {
		"ntid.x", "ntid.y", "ntid.z", "ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y", "nctaid.z",
		"warpid", "nwarpid", "smid", "nsmid", "gridid", "envreg1", "envreg2",
		"dynamic_smem_size", "total_smem_size", "aggr_smem_size", "reserved_smem_offset_begin", "reserved_smem_offset_end",
		"clusterid.x", "clusterid.y", "clusterid.z", "nclusterid.x", "nclusterid.y", "nclusterid.z",
		"cluster_ctaid.x", "cluster_ctaid.y", "cluster_ctaid.z", "cluster_nctaid.x", "cluster_nctaid.y", "cluster_nctaid.z",
		"cluster_ctarank", "cluster_nctarank", "is_explicit_cluster",
	},
})

func kinds(names map[SpecialKind][]string) map[string]SpecialKind {
	m := map[string]SpecialKind{}
	for k, list := range names {
		for _, n := range list {
			m[n] = k
		}
	}
	return m
}

// Specials has the kind of each special register by its name without %.
func Specials() map[string]SpecialKind { return specials }

// FindSpecial is the kind of the special register of that name.
func FindSpecial(name string) SpecialKind { return specials[name] }

// SpecialWidth is the width of a special register.
func SpecialWidth(name string) alu.Width {
	if name == "gridid" {
		return alu.W64
	}
	return alu.W32
}
