//go:build !amd64

package matrix

import "github.com/warpgrind/warpgrind/internal/warp/vec"

func rowsOfBF16(dst *float32, src *vec.Row32, step int) { panic("matrix: no assembly") }

func rowsOfF16(dst *float32, src *vec.Row32, step int) { panic("matrix: no assembly") }

func rowsOfTF32(dst *float32, src *vec.Row32, step int) { panic("matrix: no assembly") }

func rowsOfS8(dst *int32, src *vec.Row32, step int) { panic("matrix: no assembly") }

func rowsOfU8(dst *int32, src *vec.Row32, step int) { panic("matrix: no assembly") }

func columnsOfBF16(dst *float32, src *vec.Row32) { panic("matrix: no assembly") }

func columnsOfF16(dst *float32, src *vec.Row32) { panic("matrix: no assembly") }

func columnsOfTF32(dst *float32, src *vec.Row32) { panic("matrix: no assembly") }

func columnsOfS8(dst *int32, src *vec.Row32) { panic("matrix: no assembly") }

func columnsOfU8(dst *int32, src *vec.Row32) { panic("matrix: no assembly") }

func rowsOfPairs(dst *uint32, even, odd *vec.Row32, step int) { panic("matrix: no assembly") }

func pairsOfRows(even, odd *vec.Row32, src *float32, step int) { panic("matrix: no assembly") }

func halvesOfRows(dst *vec.Row32, src *float32, step int) { panic("matrix: no assembly") }

func multiplyDoubles884(d0, d1, a, b, c0, c1 *vec.Row64) { panic("matrix: no assembly") }
