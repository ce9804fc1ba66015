package work

// handed is what a kernel's site accesses after some acquires, and hands over.
type handed struct {
	// after are the words that were acquired, nil for none.
	after *wordSet
	// kept are the bytes of which some access was not released, through those that were released, by word; a byte may be
	// in several.
	kept    extents
	through map[word]*extents
}

// handed returns what a slot's blocks hand over, and all that they access.
func (r *reach) handed() (h *handed, bytes extents) {
	h = &handed{after: r.after, kept: r.kept.extents(), through: map[word]*extents{}}
	for to, released := range r.through {
		e := released.extents()
		h.through[to] = &e
	}
	return h, r.bytes.extents()
}

// key tells apart what was acquired before.
func (h *handed) key() string {
	if h == nil {
		return ""
	}
	return "after " + h.after.key()
}

// merge adds what another one hands over after the same acquires.
func (h *handed) merge(o *handed) {
	h.kept.union(&o.kept)
	for to, bytes := range o.through {
		if h.through[to] == nil && len(h.through) >= maxThrough {
			to = allWords
		}
		if h.through[to] == nil {
			h.through[to] = &extents{}
		}
		h.through[to].union(bytes)
	}
}
