package shadow

// The state of a unit in a quick look at a launch in which nothing but barriers orders threads: what a
// block did to it, from bit QuickBlockShift on the number of the block, over all launches that use the
// states. Kinds are joined by "or". QuickNow has the kinds of the interval, QuickEver those of all of
// the block's, QuickThread who accessed it in the interval; if all its bits are set these are several,
// all of which read, or all of which updated it by atomic operations. QuickSeveral: other blocks did so,
// too, as it did.
const (
	QuickRead, QuickAtomic, QuickWrite = 1, 2, 3

	QuickNow           uint64 = 3
	QuickEverShift            = 2
	QuickEver          uint64 = 3 << QuickEverShift
	QuickThreadShift          = 5
	QuickThread        uint64 = (1<<11 - 1) << QuickThreadShift
	QuickIntervalShift        = 16
	QuickInterval      uint64 = (1<<15 - 1) << QuickIntervalShift
	QuickSeveral       uint64 = 1 << 31
	QuickBlockShift           = 32
	QuickBlock         uint64 = (1<<32 - 1) << QuickBlockShift
)

// QuickKinds is a kind at both places of a state.
func QuickKinds(kind uint64) uint64 { return kind | kind<<QuickEverShift }
