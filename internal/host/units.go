package host

// What a program asks falls into units; each is the process, seen from that side.
type (
	// streamCalls are for streams, events, and the work that is enqueued there.
	streamCalls struct{ *process }
	// memoryCalls are for allocations, copies, reserved addresses and textures.
	memoryCalls struct{ *process }
	// moduleCalls are for modules, their kernels and variables, and launches.
	moduleCalls struct{ *process }
	// programCalls are for what the program reports of itself, its resets and its end.
	programCalls struct{ *process }
	// rankCalls are for operations of NCCL between programs.
	rankCalls struct{ *process }
)

func (p *process) onStreams() streamCalls { return streamCalls{p} }
func (p *process) onMemory() memoryCalls  { return memoryCalls{p} }
func (p *process) onModules() moduleCalls { return moduleCalls{p} }
func (p *process) onRanks() rankCalls     { return rankCalls{p} }
