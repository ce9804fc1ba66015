// Package memory makes the patches for memory and launches: first values (fill.go, heap.go, copies.go), sizes (extent.go,
// sizeof.go, parameter.go, overlap.go), lifetimes (free.go, leak.go, readonly.go), copies (transfer.go, hostaccess.go), the
// configuration of launches (launch.go, attributes.go, device.go), the order of streams and child grids (streams.go,
// children.go), and results of calls that are not read (status.go).
package memory
