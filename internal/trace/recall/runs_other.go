//go:build !amd64

package recall

import "unsafe"

const vectors = false

func readRuns512(states unsafe.Pointer, runs *run, n int, tag, thread uint32) bool {
	panic("recall: no assembly")
}
