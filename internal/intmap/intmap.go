// Package intmap has a persistent, ordered map from uint64 to pointers: for clocks that many
// threads share and that differ in few places, and for tables that are read without a lock
// while they change.
//
// A map is never changed: an operation returns another one, which shares with its
// operands all that is the same. It is a big-endian Patricia tree (Okasaki and Gill,
// "Fast Mergeable Integer Maps", 1998), whose shape depends on its keys alone, so that
// a merge of two maps visits only the subtrees in which they differ.
package intmap

import (
	"iter"
	"math/bits"
)

// Map is a persistent map. The zero value is empty. Maps are equal by == if they are
// the same tree; a map that differs nowhere may still be another tree.
type Map[V any] struct{ root *node[V] }

// node is a leaf (bit 0) with key and value, or a branch: left has the keys of its
// subtree in which bit is 0, right those in which it is 1, and key the bits above it,
// which they share.
type node[V any] struct {
	key, bit    uint64
	value       *V
	left, right *node[V]
}

// Empty reports whether m has no key.
func (m Map[V]) Empty() bool { return m.root == nil }

// Get returns the value of key, or nil.
func (m Map[V]) Get(key uint64) *V {
	n := m.root
	for n != nil && n.bit != 0 {
		if key&n.bit == 0 {
			n = n.left
		} else {
			n = n.right
		}
	}
	if n == nil || n.key != key {
		return nil
	}
	return n.value
}

// Floor returns the value of the greatest key that is at most key, or nil.
func (m Map[V]) Floor(key uint64) *V {
	var below *node[V] // the nearest subtree whose keys are all less
	for n := m.root; n != nil; {
		switch {
		case n.bit == 0 && n.key <= key, n.bit != 0 && !n.holds(key) && n.key < key:
			return n.last()
		case n.bit == 0 || !n.holds(key):
			return below.last()
		case key&n.bit == 0:
			n = n.left
		default:
			below, n = n.left, n.right
		}
	}
	return nil
}

// Ceil returns the value of the least key that is at least key, or nil.
func (m Map[V]) Ceil(key uint64) *V {
	var above *node[V] // the nearest subtree whose keys are all greater
	for n := m.root; n != nil; {
		switch {
		case n.bit == 0 && n.key >= key, n.bit != 0 && !n.holds(key) && n.key > key:
			return n.first()
		case n.bit == 0 || !n.holds(key):
			return above.first()
		case key&n.bit != 0:
			n = n.right
		default:
			above, n = n.right, n.left
		}
	}
	return nil
}

// last is the value of the greatest key below n, nil where there is none.
func (n *node[V]) last() *V {
	for n != nil && n.bit != 0 {
		n = n.right
	}
	if n == nil {
		return nil
	}
	return n.value
}

// first is the value of the least key below n, nil where there is none.
func (n *node[V]) first() *V {
	for n != nil && n.bit != 0 {
		n = n.left
	}
	if n == nil {
		return nil
	}
	return n.value
}

// Without returns the map without a key.
func (m Map[V]) Without(key uint64) Map[V] { return Map[V]{without(m.root, key)} }

func without[V any](n *node[V], key uint64) *node[V] {
	switch {
	case n == nil || n.bit == 0 && n.key == key:
		return nil
	case n.bit == 0 || !n.holds(key):
		return n
	}
	left, right := n.left, n.right
	if key&n.bit == 0 {
		left = without(left, key)
	} else {
		right = without(right, key)
	}
	switch {
	case left == nil:
		return right
	case right == nil:
		return left
	}
	return rejoin(n, nil, left, right)
}

// Of returns the map with one key.
func Of[V any](key uint64, value *V) Map[V] { return Map[V]{&node[V]{key: key, value: value}} }

// All iterates over the keys in ascending order.
func (m Map[V]) All() iter.Seq2[uint64, *V] {
	return func(yield func(uint64, *V) bool) { m.root.each(yield) }
}

func (n *node[V]) each(yield func(uint64, *V) bool) bool {
	switch {
	case n == nil:
		return true
	case n.bit == 0:
		return yield(n.key, n.value)
	}
	return n.left.each(yield) && n.right.each(yield)
}

// Merge returns a map with the keys of both. Where both have a key, join gives the
// value; where it returns one of its arguments, that map's nodes are used again, so
// that the result is a (or b) itself if it differs nowhere from it.
func (m Map[V]) Merge(o Map[V], join func(a, b *V) *V) Map[V] {
	return Map[V]{merge(m.root, o.root, join)}
}

func merge[V any](a, b *node[V], join func(a, b *V) *V) *node[V] {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	case a.bit == 0 && b.bit == 0 && a.key == b.key:
		switch v := join(a.value, b.value); v {
		case a.value:
			return a
		case b.value:
			return b
		default:
			return &node[V]{key: a.key, value: v}
		}
	case a.bit == b.bit && a.key == b.key:
		return rejoin(a, b, merge(a.left, b.left, join), merge(a.right, b.right, join))
	case a.bit > b.bit && a.holds(b.key):
		if b.key&a.bit == 0 {
			return rejoin(a, nil, merge(a.left, b, join), a.right)
		}
		return rejoin(a, nil, a.left, merge(a.right, b, join))
	case b.bit > a.bit && b.holds(a.key):
		if a.key&b.bit == 0 {
			return rejoin(b, nil, merge(a, b.left, join), b.right)
		}
		return rejoin(b, nil, b.left, merge(a, b.right, join))
	}
	return branch(a, b)
}

// holds reports whether key belongs below the branch n.
func (n *node[V]) holds(key uint64) bool { return key&^(n.bit|(n.bit-1)) == n.key }

// rejoin returns the branch like a (and b, if it is given) with these subtrees: a or b
// itself where they are its own.
func rejoin[V any](a, b, left, right *node[V]) *node[V] {
	switch {
	case left == a.left && right == a.right:
		return a
	case b != nil && left == b.left && right == b.right:
		return b
	}
	return &node[V]{key: a.key, bit: a.bit, left: left, right: right}
}

// branch joins two trees whose keys differ above both.
func branch[V any](a, b *node[V]) *node[V] {
	bit := uint64(1) << (63 - bits.LeadingZeros64(a.key^b.key))
	n := &node[V]{key: a.key &^ (bit | (bit - 1)), bit: bit, left: a, right: b}
	if a.key&bit != 0 {
		n.left, n.right = b, a
	}
	return n
}
