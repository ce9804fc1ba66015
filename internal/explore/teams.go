package explore

// barrier is a numbered barrier of a block.
type barrier struct {
	block uint64
	id    int
}

// teams has the warps that meet at each barrier that counts a part of a block's warps. Which of them meet depends on the
// order in which they arrive if others may come first, an order that is not one of accesses to memory.
type teams struct {
	met, arrived map[barrier]procs
	// differ is set if two phases of a barrier had different warps.
	differ bool
}

func newTeams() teams { return teams{met: map[barrier]procs{}, arrived: map[barrier]procs{}} }

// arrive notes warps that do not wait at a barrier.
func (t *teams) arrive(at barrier, p procs) { t.arrived[at] |= p }

// meet notes the warps of a phase of a barrier.
func (t *teams) meet(at barrier, came procs) {
	if before, ok := t.met[at]; ok && before != came {
		t.differ = true
	}
	t.met[at] = came
	delete(t.arrived, at)
}

// end is for the end of an execution: warps whose phase has not come may belong to an earlier one.
func (t *teams) end() {
	for at, p := range t.arrived {
		if before, ok := t.met[at]; ok && p.without(before) != 0 {
			t.differ = true
		}
	}
	clear(t.arrived)
}
