package warp

//go:noescape
func rowsOfBF16(dst *float32, src *row32, step int)

//go:noescape
func rowsOfF16(dst *float32, src *row32, step int)

//go:noescape
func rowsOfTF32(dst *float32, src *row32, step int)

//go:noescape
func rowsOfS8(dst *int32, src *row32, step int)

//go:noescape
func rowsOfU8(dst *int32, src *row32, step int)

//go:noescape
func columnsOfBF16(dst *float32, src *row32)

//go:noescape
func columnsOfF16(dst *float32, src *row32)

//go:noescape
func columnsOfTF32(dst *float32, src *row32)

//go:noescape
func columnsOfS8(dst *int32, src *row32)

//go:noescape
func columnsOfU8(dst *int32, src *row32)

//go:noescape
func rowsOfPairs(dst *uint32, even, odd *row32, step int)

//go:noescape
func pairsOfRows(even, odd *row32, src *float32, step int)

//go:noescape
func halvesOfRows(dst *row32, src *float32, step int)

//go:noescape
func multiplyDoubles884(d0, d1, a, b, c0, c1 *row64)
