package engine

import (
	"fmt"
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/warp"
)

// Order names an order of blocks, of warps and of lanes in atomics.
type Order uint8

// The orders. Default and Reverse let a warp run until it must wait; Random
// also ends its turns early. CUDA promises none of them.
const (
	DefaultOrder Order = iota
	ReverseOrder
	RandomOrder
)

var orderNames = [...]string{"default", "reverse", "random"}

func (o Order) String() string { return orderNames[o] }

// ParseOrder reads "default", "reverse" or "random"; "" means default.
func ParseOrder(s string) (Order, error) {
	for i, n := range orderNames {
		if n == s || s == "" {
			return Order(i), nil
		}
	}
	return 0, fmt.Errorf("unknown schedule %q: want default, reverse or random", s)
}

// Schedule decides what runs first where nothing else does. Seed is for
// RandomOrder: equal seeds give equal runs.
type Schedule struct {
	Order Order
	Seed  uint64
}

// String formats as "reverse" or "random, seed 3".
func (s Schedule) String() string {
	if s.Order == RandomOrder {
		return fmt.Sprintf("random, seed %d", s.Seed)
	}
	return s.Order.String()
}

// block returns which of n blocks is the i-th to start in a launch.
func (s Schedule) block(i, n uint64, launch int) uint64 {
	switch s.Order {
	case ReverseOrder:
		return n - 1 - i
	case RandomOrder:
		key := mix(s.Seed + uint64(launch)<<32)
		width := bits.Len64(n - 1)
		for { // a permutation of the next power of two, walked until it hits
			if i = permute(i, key, width); i < n {
				return i
			}
		}
	}
	return i
}

// permute is a bijection of the numbers of width bits.
func permute(x, key uint64, width int) uint64 {
	mask := uint64(1)<<width - 1
	for round := range uint64(3) {
		x = (x*(mix(key+round)|1) + mix(key^round)) & mask
		x ^= x >> (width/2 + 1)
	}
	return x
}

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, "Fast Splittable
// Pseudorandom Number Generators", 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// random is a block's source of decisions: the same for each run of a seed,
// at any number of workers.
type random struct{ state uint64 }

func (r *random) next() uint64 {
	r.state += 0x9e3779b97f4a7c15
	return mix(r.state)
}

// longestTurn bounds the logarithm of a random turn's length.
const longestTurn = 9

// begin readies the schedule of a block that starts.
func (b *block) begin(i uint64) {
	s := b.r.e.cfg.Schedule
	b.rand.state = mix(s.Seed ^ uint64(b.r.launch.ID)<<40 ^ i)
	for k := range b.order {
		if b.order[k] = k; s.Order == ReverseOrder {
			b.order[k] = len(b.order) - 1 - k
		}
	}
	switch s.Order {
	case ReverseOrder:
		b.env.PickLane = highestLane
	case RandomOrder:
		b.env.PickLane = b.anyLane
		b.env.SpinLimit = spinLimit << longestTurn // turns are that much shorter
	}
}

// Work returns what chooses among n pieces of work of a program that streams do not order;
// nil where that is the first.
func (s Schedule) Work() func(n int) int {
	if s.Order != RandomOrder {
		return nil
	}
	r := random{mix(^s.Seed)}
	return func(n int) int { return int(r.next() % uint64(n)) }
}

func highestLane(m uint32) int { return 31 - bits.LeadingZeros32(m) }

// anyLane picks one of the lanes of m.
func (b *block) anyLane(m uint32) int {
	for n := b.rand.next() % uint64(bits.OnesCount32(m)); n > 0; n-- {
		m &= m - 1
	}
	return bits.TrailingZeros32(m)
}

// sequence is the order in which the warps have their next turns.
func (b *block) sequence() []int {
	if b.r.e.cfg.Schedule.Order == RandomOrder {
		for i := len(b.order) - 1; i > 0; i-- {
			k := int(b.rand.next() % uint64(i+1))
			b.order[i], b.order[k] = b.order[k], b.order[i]
		}
	}
	return b.order
}

// length is how many instructions a turn of w has at most.
func (b *block) length(k int, w *warp.Warp) int64 {
	n := b.turns[k]
	if w.Diverged() {
		n = min(n, divergedTurn)
	}
	if b.r.e.cfg.Schedule.Order == RandomOrder {
		n = min(n, 1<<(b.rand.next()%(longestTurn+1)))
	}
	return n
}
