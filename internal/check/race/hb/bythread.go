package hb

import (
	"iter"
	"slices"
)

// byThread has a value for each of some threads. Most blocks use few or all of the threads; a table is looked
// up without hashing, which each access to a word that threads wait for does several times.
type byThread[T any] struct {
	// n is the number of threads with a value.
	n     int
	value []entry[T]
	// used lists those that had a value since the table was last cleared.
	used []int
}

type entry[T any] struct {
	of           T
	has, touched bool
}

// get returns a thread's value, the zero value for none.
func (b *byThread[T]) get(t int) (v T) {
	if t < len(b.value) {
		v = b.value[t].of
	}
	return v
}

func (b *byThread[T]) has(t int) bool { return t < len(b.value) && b.value[t].has }

func (b *byThread[T]) put(t int, v T) {
	if t >= len(b.value) {
		b.value = append(b.value, make([]entry[T], t+1-len(b.value))...)
	}
	e := &b.value[t]
	if !e.touched {
		b.used = append(b.used, t)
	}
	if !e.has {
		b.n++
	}
	*e = entry[T]{v, true, true}
}

func (b *byThread[T]) drop(t int) {
	if b.has(t) {
		b.n--
		b.value[t] = entry[T]{touched: true}
	}
}

func (b *byThread[T]) clear() {
	for _, t := range b.used {
		b.value[t] = entry[T]{}
	}
	b.n, b.used = 0, b.used[:0]
}

// all has the threads with a value and the values, in no order. A value may be dropped meanwhile.
func (b *byThread[T]) all() iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		for _, t := range b.used {
			if e := &b.value[t]; e.has && !yield(t, e.of) {
				return
			}
		}
	}
}

// threads are those with a value, in their order.
func (b *byThread[T]) threads() (list []int) {
	for t := range b.all() {
		list = append(list, t)
	}
	slices.Sort(list)
	return list
}
