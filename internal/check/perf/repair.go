package perf

import "github.com/warpgrind/warpgrind/internal/finding"

// The repairs of the performance rules: the changes that they try.
const (
	PadRows         finding.RepairKind = "pad-rows"
	PadIndex        finding.RepairKind = "pad-index"
	Swizzle         finding.RepairKind = "swizzle"
	UnitStride      finding.RepairKind = "unit-stride"
	ExchangeLanes   finding.RepairKind = "exchange-lanes"
	ExchangeAxes    finding.RepairKind = "exchange-axes"
	Align           finding.RepairKind = "align-rows"
	VectorAccess    finding.RepairKind = "vector-access"
	Tile            finding.RepairKind = "tile"
	WiderBlock      finding.RepairKind = "wider-block"
	Transpose       finding.RepairKind = "transpose"
	StructOfArrays  finding.RepairKind = "structure-of-arrays"
	GroupThreads    finding.RepairKind = "group-threads"
	GlobalMemory    finding.RepairKind = "global-memory"
	SharedMemory    finding.RepairKind = "shared-memory"
	SameElement     finding.RepairKind = "same-element"
	WholeWarps      finding.RepairKind = "whole-warps"
	NeighboringWork finding.RepairKind = "neighboring-lanes"
	// OtherWork is where no change that was tried helps.
	OtherWork finding.RepairKind = "other-work"
)
