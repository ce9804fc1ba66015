//go:build !amd64

package matrix

const useAVX2 = false

func multiplyFloats(a, b, c *float32, m, k, n int) { panic("matrix: no assembly") }

func multiplyInts(a, b, c *int32, m, k, n int) { panic("matrix: no assembly") }
