//go:build !amd64

package warp

const useAVX2 = false

func multiplyFloats(a, b, c *float32, m, k, n int) { panic("warp: no assembly") }

func multiplyInts(a, b, c *int32, m, k, n int) { panic("warp: no assembly") }
