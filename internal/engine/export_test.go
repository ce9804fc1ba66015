package engine

// SetSchedule makes turns short, so that diverged lanes overtake each other
// all the time. It returns a function that undoes it.
func SetSchedule(steps int64, turns int) func() {
	a, b, c := turn, divergedTurn, patience
	turn, divergedTurn, patience = 4*steps, steps, turns
	return func() { turn, divergedTurn, patience = a, b, c }
}
