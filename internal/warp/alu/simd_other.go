//go:build !amd64

package alu

var simds []simd
