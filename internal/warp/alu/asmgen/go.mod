module github.com/warpgrind/warpgrind/internal/warp/alu/asmgen

go 1.26.0

require (
	github.com/mmcloughlin/avo v0.5.0
	github.com/warpgrind/warpgrind v0.0.0
)

replace github.com/warpgrind/warpgrind => ../../../..

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
)
