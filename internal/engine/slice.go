package engine

import "github.com/warpgrind/warpgrind/internal/warp"

// A warp of a program that may wait for what others write has its turns in slices. After
// each it is asked whether it spins, and if so its turn is over. A long turn would be
// instructions for nothing, and many accesses to check.

// firstSlice is the warp instructions of the first slice of a turn. Each that follows is
// twice the one before. Rounds of a loop that waits cost a large part of it
// (program.ChargePolls), so that a few of them are enough; whoever only reads while it holds
// a lock keeps its turn.
const firstSlice = 1 << 10

// slice is that of the turn: its length, and what is left of the turn after it.
type slice struct{ size, rest int64 }

// sliceOf is the first slice of a turn.
func (b *block) sliceOf(turn int64) int64 {
	if b.polls {
		return min(turn, firstSlice)
	}
	return turn
}

// firstSlice begins a turn and returns the length of its first slice.
func (b *block) firstSlice(turn int64) int64 {
	n := b.sliceOf(turn)
	b.slice = slice{n, turn - n}
	return n
}

// nextSlice continues the turn of a warp.
func (b *block) nextSlice(w *warp.Warp) int64 {
	b.slice.size = min(2*b.slice.size, b.slice.rest)
	b.slice.rest -= b.slice.size
	b.begun(w, 0, 0)
	return b.slice.size
}

// spins reports whether a warp whose slice is over seems to wait for others.
func (b *block) spins(w *warp.Warp) bool { return b.polls && b.onlyRead(w) && w.Spins() }

// onlyRead reports whether a warp has read in its slice, and changed nothing.
func (b *block) onlyRead(w *warp.Warp) bool {
	return w.Progress == b.since.progress && w.Reads != b.since.reads
}
