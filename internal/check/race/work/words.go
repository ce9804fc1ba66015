package work

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// A word is a word of global memory through which kernels of different streams synchronize: a lock, a flag, a counter.
type word struct {
	addr uint64
	// sys: the operation and its fence have the scope of the system, so that they reach other devices.
	sys bool
}

func compareWords(a, b word) int {
	if a.addr != b.addr {
		return cmp.Compare(a.addr, b.addr)
	}
	switch {
	case a.sys == b.sys:
		return 0
	case a.sys:
		return 1
	}
	return -1
}

// wordSet is a set of words. It never changes; nil is the empty set.
type wordSet struct {
	list []word
	// all: there were too many to list. The set then has every word.
	all bool
}

// maxWordsOf bounds the words that a set lists.
const maxWordsOf = 128

// with returns the set with more words: s itself if it has them.
func (s *wordSet) with(more ...word) *wordSet {
	if s != nil && s.all {
		return s
	}
	var list []word
	if s != nil {
		list = s.list
	}
	grown := false
	for _, w := range more {
		i, ok := slices.BinarySearchFunc(list, w, compareWords)
		if ok {
			continue
		}
		if !grown {
			list, grown = slices.Clone(list), true
		}
		list = slices.Insert(list, i, w)
	}
	switch {
	case !grown:
		return s
	case len(list) > maxWordsOf:
		return &wordSet{all: true}
	}
	return &wordSet{list: list}
}

// join returns what either set has: s itself if it has all of o.
func (s *wordSet) join(o *wordSet) *wordSet {
	switch {
	case o == nil || s == o || s != nil && s.all:
		return s
	case s == nil || o.all:
		return o
	}
	return s.with(o.list...)
}

// key tells sets apart that have different words.
func (s *wordSet) key() string {
	switch {
	case s == nil:
		return ""
	case s.all:
		return "all"
	}
	b := make([]byte, 0, 9*len(s.list))
	for _, w := range s.list {
		b = binary.LittleEndian.AppendUint64(b, w.addr)
		b = append(b, 0)
		if w.sys {
			b[len(b)-1] = 1
		}
	}
	return string(b)
}

// carried is what releases carry on: by word, the words from which a thread had acquired, or to which it had released,
// when it released to that one.
type carried map[word]*wordSet

// maxCarried bounds the words of carried.
const maxCarried = 1 << 14

func (c carried) add(to word, s *wordSet) {
	if s != nil && (c[to] != nil || len(c) < maxCarried) {
		c[to] = c[to].join(s)
	}
}

// merge adds what a launch carried on.
func (c carried) merge(o carried) {
	for w, s := range o {
		c.add(w, s)
	}
}

// closure is the set of the words whose releases an acquire of s comes after, through others too.
func (c carried) closure(s *wordSet) *wordSet {
	if s == nil || s.all || len(c) == 0 {
		return s
	}
	if len(c) == maxCarried {
		return &wordSet{all: true}
	}
	for seen := 0; seen < len(s.list); {
		seen = len(s.list)
		more := s
		for _, w := range s.list {
			if more = more.join(c[w]); more.all {
				return more
			}
		}
		s = more
	}
	return s
}

// has reports whether a set has a word by which its releases reach the set's owner.
func (s *wordSet) has(w word, sameDevice bool) bool {
	if s == nil || s.all {
		return s != nil
	}
	for _, sys := range []bool{false, true} {
		if _, ok := slices.BinarySearchFunc(s.list, word{w.addr, sys}, compareWords); ok && (sameDevice || sys && w.sys) {
			return true
		}
	}
	return false
}

// meets reports whether a set has one of the words of o by which its releases reach the set's owner.
func (s *wordSet) meets(o *wordSet, sameDevice bool) bool {
	if s == nil || o == nil {
		return false
	}
	return s.all || o.all || slices.ContainsFunc(o.list, func(w word) bool { return s.has(w, sameDevice) })
}

// syncs are the words from which a kernel acquired, and to which it released.
type syncs struct {
	acquired, released *wordSet
}

func (s *syncs) merge(o *syncs) {
	s.acquired, s.released = s.acquired.join(o.acquired), s.released.join(o.released)
}
