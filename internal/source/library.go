package source

import (
	"path"
	"slices"
	"strings"
)

// roots are the folders that NVIDIA's header libraries lie in: of a toolkit, a package or the project's
// repository; the names of warpgrind's own begin with toolkitRoot.
var roots = []string{"include", "cccl", "thrust", "cub"}

const toolkitRoot = "toolkit-"

// ownRoot begins the names of folders with warpgrind's own headers, below include.
const ownRoot = "shim-"

// closedRoot begins the names of folders with the replacements for NVIDIA's closed libraries, below closedFolder.
const closedRoot, closedFolder = "shim-libraries-", "libraries"

// warpPackage is the folder of the Python package Warp.
const warpPackage = "warp"

// InLibrary reports whether a place and all functions that it is inlined into are in header libraries: no code of the
// program has a part in it.
func (l Location) InLibrary() bool {
	user := func(p Pos) bool { return Library(p.File) == "" }
	return !user(l.Pos) && !slices.ContainsFunc(l.InlinedAt, user)
}

// Library returns the part of a file's path by which programs include it, if it is a header of Thrust, CUB
// or libcu++: "cub/block/block_scan.cuh", or one of warpgrind's own: "curand_kernel.h"; or that below the folder of our libraries if it is one of their
// sources: "cublas/level1.cu"; or one of Warp's. For other files it is "".
func Library(file string) string {
	parts := strings.Split(path.Clean(file), "/")
	for i := len(parts) - 2; i > 0; i-- {
		if parts[i] == closedFolder && strings.HasPrefix(parts[i-1], closedRoot) {
			return strings.Join(parts[i+1:], "/")
		}
		if parts[i] == "include" && strings.HasPrefix(parts[i-1], ownRoot) {
			return strings.Join(parts[i+1:], "/")
		}
		if parts[i] == "native" && parts[i-1] == warpPackage { // its kernels are C++ that includes these
			return strings.Join(parts[i-1:], "/")
		}
		if !slices.Contains(roots, parts[i-1]) && !strings.HasPrefix(parts[i-1], toolkitRoot) {
			continue
		}
		next := parts[i+1]
		switch parts[i] {
		case "thrust", "cub":
			return strings.Join(parts[i:], "/")
		case "cuda": // programs have folders of this name too; libcu++'s public headers have no extension
			if next == "std" || strings.HasPrefix(next, "__") || i+2 == len(parts) && path.Ext(next) == "" {
				return strings.Join(parts[i:], "/")
			}
		}
	}
	return ""
}
