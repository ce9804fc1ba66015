//go:build !amd64

package sandbox

// forks are the system calls besides clone that make processes.
var forks []uintptr
