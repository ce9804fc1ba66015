package trace

// IntervalObserver belongs to a BlockObserver that looks at each barrier interval
// (the events of a block between two full barriers) by itself: what it does with
// one depends on its events alone (but for those that order, see Orders), and neither on
// stored values nor on the blocks and intervals before. Then an interval with the same events as one
// before need not be sent again, which is what most intervals of most kernels
// are. Accesses in other spaces than shared memory are not part of it.
type IntervalObserver struct {
	// Settled is called at the end of an interval whose events were all sent,
	// before the barrier is. It reports whether the interval can be left out when it
	// comes again: nothing was found in it.
	Settled func() bool
	// Keep is called next if the interval will be left out from now on. It
	// returns a token for Repeat.
	Keep func() int32
	// Repeat stands for all events of an interval that Keep gave token for.
	//
	// Where an interval begins like an earlier one and then continues in another
	// way, its first events are sent late, their accesses without Data. As
	// they are those of an interval in which nothing was found, no rule needs it.
	Repeat func(token int32)
	// Repeatable reports whether the interval with that token, which is over,
	// may be left out here. If not, its events are sent. nil stands for always.
	Repeatable func(token int32) bool
	// Foresees reports, at the beginning of an interval, whether it will be Repeatable if
	// it is the one with that token. If not, its events are sent as they come, and not at
	// its end. nil stands for always.
	Foresees func(token int32) bool
	// Orders reports the sites whose accesses, of any space, order others. These and fences
	// come at once, after all that was before them, and what is left of an interval with
	// one comes, too. nil stands for none; then fences are events like others.
	Orders func(*Site) bool
	// Ordering reports whether what Orders reports, and fences, order anything for the observer
	// so far: before that it does not want them. nil stands for always. Before this changes, the
	// observer calls Flush.
	Ordering func() bool
	// Flush is set by what leaves intervals out: it sends what was withheld of the interval, which
	// is not left out then. It may be called while a block runs and none of its events is sent.
	Flush func()
	// Quiet lets quiet intervals be left out; nil asks for the events of all.
	Quiet *QuietObserver
}

// QuietObserver is for intervals of which a cheap look shows that nothing can be found in
// them: no two threads access one word of shared memory, unless all read or all update it
// by atomic operations; no read looks at a word that the block had not wholly written
// before; there are warp synchronizations and no others. Any function may be nil.
type QuietObserver struct {
	// Opens reports whether the interval that begins may be left out if it is quiet.
	Opens func() bool
	// Takes reports whether accesses of a site may be part of quiet intervals. Atomic
	// operations of all sites that it takes must not race with each other.
	Takes func(*Site) bool
	// Written returns what the block has written to shared memory before the interval, a bit
	// for each byte. What quiet intervals write is added there.
	Written func() []uint64
	// Passed is called at the end of a quiet interval, before the barrier's event. Where an
	// interval was quiet for very long and then is not, its accesses are sent but for repeated
	// reads and atomic operations, which Passed has.
	Passed func(*Quiet)
	// Copied gets the asynchronous copies that are issued or completed in a quiet interval, where some are on their way into
	// it or out of it: nothing else was done there to what they write. nil asks for Shared.
	Copied func(*Access)
}

// Quiet is what an interval did that was left out.
type Quiet struct {
	// Each calls a function for each access, Skipped counts more that are like them.
	Skipped uint64
	Each    func(func(s *Site, mask uint32))
}
