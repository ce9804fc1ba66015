package trace

// Quiet observes a launch that is not checked. It does nothing; that it is
// there makes the engine note which bytes are written.
type Quiet struct{}

// Events implements LaunchObserver.
func (Quiet) Events() Events { return UnwrittenReads }

// NewBlock implements LaunchObserver.
func (Quiet) NewBlock() BlockObserver { return QuietBlock{} }

// Fault implements LaunchObserver.
func (Quiet) Fault(*Fault) {}

// End implements LaunchObserver.
func (Quiet) End() {}

// QuietBlock is Quiet for a block.
type QuietBlock struct{}

// Begin implements BlockObserver.
func (QuietBlock) Begin(*Block) {}

// Access implements BlockObserver.
func (QuietBlock) Access(*Access) {}

// Barrier implements BlockObserver.
func (QuietBlock) Barrier(*Barrier) {}

// WarpSync implements BlockObserver.
func (QuietBlock) WarpSync(*WarpSync) {}

// Fence implements BlockObserver.
func (QuietBlock) Fence(*Fence) {}

// End implements BlockObserver.
func (QuietBlock) End() {}

// Unwritten implements UnwrittenObserver.
func (QuietBlock) Unwritten(*Unwritten) {}

// Wrote implements UnwrittenObserver.
func (QuietBlock) Wrote(Space, int, int, uint64, int) {}
