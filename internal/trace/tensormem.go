package trace

import "math/bits"

// Tensor memory is that of tcgen05: a matrix of cells of 32 bits for each block (PTX ISA,
// "Tensor Memory").
const (
	// TensorLanes and TensorColumns are its extents.
	TensorLanes   = 128
	TensorColumns = 512
	// TensorUnits is the number of its units, which are what accesses are told in: 16 lanes
	// of one column.
	TensorUnits = TensorColumns * TensorLanes / tensorUnitLanes

	tensorUnitLanes = 16
	unitsPerColumn  = TensorLanes / tensorUnitLanes
)

// The numbers of operations of a pipe (AsyncAccess.Pipe) have it above PipeShift bits, those of
// others their warp, from FirstWarp on.
const (
	PipeShift = 24
	FirstWarp = 192
)

// PipeOf is the pipe of an operation's number, 0 for none.
func PipeOf(op uint64) uint32 {
	if pipe := uint32(op >> PipeShift); pipe < FirstWarp {
		return pipe
	}
	return 0
}

// TensorUnit is the address, in ranges of units, of the unit of a cell: each counts as four
// bytes, so that it is a word.
func TensorUnit(lane, column int) uint64 {
	return uint64(column*unitsPerColumn+lane/tensorUnitLanes) * 4
}

// TensorPlace is the first cell of the unit at an address.
func TensorPlace(unit uint64) (lane, column int) {
	n := int(unit / 4)
	return n % unitsPerColumn * tensorUnitLanes, n / unitsPerColumn
}

// TensorRanges are the units of columns from first on in the lanes of a mask, in order.
// Each bit of lanes stands for 16 of them.
func TensorRanges(out []Range, lanes uint8, first, columns int) []Range {
	if lanes == 0xff {
		return append(out, Range{TensorUnit(0, first), uint64(columns) * unitsPerColumn * 4})
	}
	for c := first; c < first+columns; c++ {
		for m := lanes; m != 0; {
			from := bits.TrailingZeros8(m)
			n := bits.TrailingZeros8(^(m >> from))
			out = append(out, Range{TensorUnit(from*tensorUnitLanes, c), uint64(n) * 4})
			m &^= uint8(1<<n-1) << from
		}
	}
	return out
}
