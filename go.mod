module github.com/warpgrind/warpgrind

go 1.26
