package perf

import (
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/source"
)

// InOrder returns the values of m in the order of their keys.
func InOrder[T any](m map[string]T) []T {
	out := make([]T, 0, len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[key])
	}
	return out
}

// BySource returns the values of m in the order of their places in the source,
// and those of one place in the order of their keys.
func BySource[T any](m map[string]T, at func(T) source.Location) []T {
	out := InOrder(m)
	slices.SortStableFunc(out, func(a, b T) int { return at(a).Compare(at(b).Pos) })
	return out
}
