package matrix

import "github.com/warpgrind/warpgrind/internal/warp/vec"

// Orders in which assembly takes elements of two registers, as VPERMI2W, VPERMI2D and VPERMI2PD want them: the second
// register's numbers follow the first one's.
var (
	// columnPairs has by pair of rows of B the words of eight columns, each in the upper half of an element.
	columnPairs [4][2][8][2]uint16
	// columnFours has by four rows of B the words of eight columns, columnWords by two rows the elements of 32 bits.
	columnFours [2][4][8]uint16
	columnWords [2][2][8]uint32
	// pairRow is a row of C from the even and the odd columns of two rows, columnHalves are two rows of B from four
	// columns, evensOdds the columns of two rows of D.
	pairRow      [2][4][2]uint64
	columnHalves [2][2][4]uint64
	evensOdds    [2][8]uint64
)

func init() {
	for column := range 8 {
		for row := range 8 {
			word := uint16(8*column + row)
			columnPairs[row/2][row%2][column][1] = word
			columnFours[row/4][row%4][column] = word
		}
		for row := range 4 {
			columnWords[row/2][row%2][column] = uint32(4*column + row)
		}
		evensOdds[0][column], evensOdds[1][column] = uint64(2*column), uint64(2*column+1)
	}
	for i := range 4 {
		for row := range 2 {
			pairRow[row][i] = [2]uint64{uint64(4*row + i), uint64(4*row + i + 8)}
			for half := range 2 {
				columnHalves[row][half][i] = uint64(2*row + half + 4*i)
			}
		}
	}
}

//go:noescape
func rowsOfBF16(dst *float32, src *vec.Row32, step int)

//go:noescape
func rowsOfF16(dst *float32, src *vec.Row32, step int)

//go:noescape
func rowsOfTF32(dst *float32, src *vec.Row32, step int)

//go:noescape
func rowsOfS8(dst *int32, src *vec.Row32, step int)

//go:noescape
func rowsOfU8(dst *int32, src *vec.Row32, step int)

//go:noescape
func columnsOfBF16(dst *float32, src *vec.Row32)

//go:noescape
func columnsOfF16(dst *float32, src *vec.Row32)

//go:noescape
func columnsOfTF32(dst *float32, src *vec.Row32)

//go:noescape
func columnsOfS8(dst *int32, src *vec.Row32)

//go:noescape
func columnsOfU8(dst *int32, src *vec.Row32)

//go:noescape
func rowsOfPairs(dst *uint32, even, odd *vec.Row32, step int)

//go:noescape
func pairsOfRows(even, odd *vec.Row32, src *float32, step int)

//go:noescape
func halvesOfRows(dst *vec.Row32, src *float32, step int)

//go:noescape
func multiplyDoubles884(d0, d1, a, b, c0, c1 *vec.Row64)
