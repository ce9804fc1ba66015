package recall

// finish ends an interval: its observers hear that it is a known one, or it
// becomes one. It returns the interval's end, 0 if that is not kept.
func (g *Group) finish() int32 {
	if g.following {
		if at := g.endAfter(g.cursor.At); at != 0 && g.repeatable(int32(g.nodes[at].where)) {
			g.sieve.outdated()
			g.repeat(int32(g.nodes[at].where))
			return int32(g.nodes[at].where)
		}
		g.tellAll()
	}
	if g.incomplete || g.full || g.noRoom(len(g.log)+1) {
		if g.sieve.open {
			g.sieve.end(g.to)
		}
		return 0
	}
	if g.sieve.open { // who learns an interval must have seen it
		g.sendQuiet()
	}
	if !g.settled() {
		return 0
	}
	return g.learn()
}

// endAfter returns the node of the end after node at, 0 if there is none.
func (g *Group) endAfter(at int32) int32 {
	for i := g.nodes[at].child; i != 0; i = g.nodes[i].alt {
		if g.nodes[i].what == uint64(endKind) {
			return i
		}
	}
	return 0
}

// repeatable reports whether all observers can do without the events of the interval with an end, which those that
// have foreseen it need not be asked again.
func (g *Group) repeatable(i int32) bool {
	e := &g.ends[i]
	for k, m := range g.members {
		if f := m.Interval.Repeatable; f != nil && (m.Interval.Foresees == nil || i != g.foresaw) && !f(e.tokens[k]) {
			return false
		}
	}
	return true
}

func (g *Group) repeat(i int32) {
	e := &g.ends[i]
	for k, m := range g.members {
		m.Interval.Repeat(e.tokens[k])
	}
	g.known += e.events
	g.predict(e.begin)
}

// predict notes that the interval after the last one began at node first.
func (g *Group) predict(first int32) { g.ends[g.last].first = first }

func (g *Group) settled() bool {
	for _, m := range g.members {
		if !m.Interval.Settled() {
			return false
		}
	}
	return true
}

// learn adds the interval in the log to the tree and returns its end.
func (g *Group) learn() int32 {
	at, begin := int32(0), int32(0)
	for _, e := range g.log {
		at = g.step(at, e)
		if begin == 0 {
			begin = at
		}
	}
	if i := g.endAfter(at); i != 0 { // it was no longer looked for
		return int32(g.nodes[i].where)
	}
	var tokens []int32
	for _, m := range g.members {
		tokens = append(tokens, m.Interval.Keep())
	}
	i := int32(len(g.ends))
	at = g.step(at, event{uint64(endKind), uint64(i)})
	if begin == 0 {
		begin = at
	}
	g.ends = append(g.ends, end{tokens: tokens, begin: begin, events: uint64(len(g.log))})
	g.predict(begin)
	g.lead(at)
	return i
}

// lead notes for the nodes on the way to an end where the expected events lead.
func (g *Group) lead(at int32) {
	g.nodes[at].tail = int32(g.nodes[at].where)
	for at = g.nodes[at].parent; at != 0; at = g.nodes[at].parent {
		g.nodes[at].tail = g.nodes[g.nodes[at].child].tail
	}
}

// step returns the node of event e after node at, made if there is none.
func (g *Group) step(at int32, e event) int32 {
	if i := g.find(at, e); i != 0 {
		return i
	}
	i := int32(len(g.nodes))
	g.nodes = append(g.nodes, node{event: e, alt: g.nodes[at].child, parent: at})
	g.nodes[at].child = i
	return i
}

// noRoom reports whether n more nodes are too many. Where the intervals that are
// known do not come again, as with addresses that the data decides, following
// them is in vain, and they are forgotten.
func (g *Group) noRoom(n int) bool {
	if len(g.nodes)+n <= maxNodes {
		return false
	}
	g.full = true
	if g.known < uint64(len(g.nodes)) {
		g.nodes = g.nodes[:1]
		g.nodes[0].child = 0
		for i := range g.ends {
			g.ends[i].first = 0
		}
	}
	return true
}
