package trace

// LeakListener is a Listener that hears, where the user asks for it, of the
// memory that a program still holds when it ends in order or resets its device,
// in the order in which it was allocated.
type LeakListener interface {
	Leaked([]Memory)
}
