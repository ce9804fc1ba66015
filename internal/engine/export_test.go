package engine

// SetSchedule makes turns short, so that diverged lanes overtake each other
// all the time. It returns a function that undoes it.
func SetSchedule(steps int64, turns int) func() {
	a, b, c := turn, divergedTurn, spinLimit
	turn, divergedTurn, spinLimit = 4*steps, steps, turns
	return func() { turn, divergedTurn, spinLimit = a, b, c }
}

// RetireGroups makes groups of observers learn no intervals. It returns a function that undoes it.
func RetireGroups() func() {
	retired = true
	return func() { retired = false }
}

// SetPortion makes workers take at least so many blocks at a time. It returns a function that undoes it.
func SetPortion(n uint64) func() {
	was := leastPortion
	leastPortion = n
	return func() { leastPortion = was }
}
