package race

import (
	"cmp"
	"slices"
)

// What a thread knows of others: all that their blocks did before one of their barrier
// intervals, and in that interval what some of their threads did before a stamp.

// view is what is known of a block.
type view struct {
	block    uint32
	interval uint32
	threads  []threadStamp // one a thread, sorted
}

// threadStamp says that what a thread did at a smaller stamp is known.
type threadStamp struct{ thread, stamp uint32 }

// know is what a thread knows of other blocks, and up to which operation it
// has followed the release sequences of which words. It is never changed once
// it is shared.
type know struct {
	blocks map[uint32]*view
	words  map[uint64][]numbers
}

// numbers are writes to a word that a thread has observed, by their numbers.
type numbers struct{ from, to uint32 }

// maxNumbers bounds the ranges of a word that are told apart.
const maxNumbers = 16

// heard joins sorted ranges.
func heard(a, b []numbers) (out []numbers) {
	for len(a) > 0 || len(b) > 0 {
		if len(a) == 0 || len(b) > 0 && b[0].from < a[0].from {
			a, b = b, a
		}
		if n := len(out) - 1; n >= 0 && (a[0].from <= out[n].to+1 || n == maxNumbers) {
			out[n].to = max(out[n].to, a[0].to)
		} else {
			out = append(out, a[0])
		}
		a = a[1:]
	}
	return out
}

func (k *know) observed(word uint64, n uint32) bool {
	return k != nil && slices.ContainsFunc(k.words[word], func(r numbers) bool { return r.from <= n && n <= r.to })
}

// knows reports whether a thread that knows k is ordered after thread's access
// s of another block.
func (k *know) knows(s *span, thread uint32) bool {
	if k == nil {
		return false
	}
	v := k.blocks[s.block]
	if v == nil || s.interval > v.interval {
		return false
	}
	return s.interval < v.interval || s.stamp < v.stampOf(thread)
}

func (v *view) stampOf(thread uint32) uint32 {
	i, ok := slices.BinarySearchFunc(v.threads, thread, func(t threadStamp, thread uint32) int { return cmp.Compare(t.thread, thread) })
	if !ok {
		return 0
	}
	return v.threads[i].stamp
}

// join returns what both know.
func (k *know) join(o *know) *know {
	switch {
	case k == o || o == nil || k != nil && k.includes(o):
		return k
	case k == nil || o.includes(k):
		return o
	}
	j := &know{blocks: make(map[uint32]*view, len(k.blocks)+1), words: make(map[uint64][]numbers, len(k.words)+1)}
	for _, m := range []*know{k, o} {
		for b, v := range m.blocks {
			j.blocks[b] = v.join(j.blocks[b])
		}
		for w, n := range m.words {
			j.words[w] = heard(n, j.words[w])
		}
	}
	return j
}

// includes reports whether k knows all that o does.
func (k *know) includes(o *know) bool {
	for b, v := range o.blocks {
		if w := k.blocks[b]; w != v && (w == nil || !w.includes(v)) {
			return false
		}
	}
	for w, n := range o.words {
		if mine := k.words[w]; len(mine) < len(n) || slices.ContainsFunc(n, func(r numbers) bool { return !k.observed(w, r.from) || !k.observed(w, r.to) }) {
			return false
		}
	}
	return true
}

func (v *view) includes(o *view) bool {
	if v.interval != o.interval {
		return v.interval > o.interval
	}
	for _, t := range o.threads {
		if v.stampOf(t.thread) < t.stamp {
			return false
		}
	}
	return true
}

func (v *view) join(o *view) *view {
	switch {
	case o == nil || v == o || v.interval > o.interval:
		return v
	case o.interval > v.interval:
		return o
	}
	return &view{block: v.block, interval: v.interval, threads: merge(v.threads, o.threads)}
}

// merge has the threads of both, each with its later stamp.
func merge(a, b []threadStamp) []threadStamp {
	out := make([]threadStamp, 0, max(len(a), len(b)))
	for len(a) > 0 && len(b) > 0 {
		switch c := cmp.Compare(a[0].thread, b[0].thread); {
		case c < 0:
			out, a = append(out, a[0]), a[1:]
		case c > 0:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, threadStamp{a[0].thread, max(a[0].stamp, b[0].stamp)})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}
