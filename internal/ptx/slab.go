package ptx

// slab hands out values from chunks, so that a tree of many small nodes costs
// few allocations.
type slab[T any] struct{ free []T }

const slabSize = 256

// new returns a pointer to a zero value.
func (s *slab[T]) new() *T {
	if len(s.free) == 0 {
		s.free = make([]T, slabSize)
	}
	p := &s.free[0]
	s.free = s.free[1:]
	return p
}

// copy returns a copy of list whose capacity is its length; nil if empty.
func (s *slab[T]) copy(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if n > slabSize/4 {
		return append([]T(nil), list...)
	}
	if len(s.free) < n {
		s.free = make([]T, slabSize)
	}
	c := s.free[:n:n]
	s.free = s.free[n:]
	copy(c, list)
	return c
}
