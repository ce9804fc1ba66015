package native

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
)

// Places in the context and in what it holds.
const (
	CtxThreads  = int32(unsafe.Offsetof(Context{}.Threads))
	CtxDepth    = int32(unsafe.Offsetof(Context{}.Depth))
	CtxWaiting  = int32(unsafe.Offsetof(Context{}.Waiting))
	CtxLimit    = int32(unsafe.Offsetof(Context{}.limit))
	CtxMet      = int32(unsafe.Offsetof(Context{}.Met))
	CtxJoins    = int32(unsafe.Offsetof(Context{}.Joins))
	ctxSides    = int32(unsafe.Offsetof(Context{}.Sides))
	JoinArrived = CtxJoins + int32(unsafe.Offsetof(divergedJoin{}.Arrived))
	JoinOuter   = CtxJoins + int32(unsafe.Offsetof(divergedJoin{}.Outer))
	SideCode    = ctxSides + int32(unsafe.Offsetof(divergedSide{}.code))
	SideJoin    = ctxSides + int32(unsafe.Offsetof(divergedSide{}.Join))
	SidePC      = ctxSides + int32(unsafe.Offsetof(divergedSide{}.PC))
	SideMask    = ctxSides + int32(unsafe.Offsetof(divergedSide{}.Mask))
)

// Places in the context.
const (
	CtxSlab       = int32(unsafe.Offsetof(Context{}.Slab))
	CtxTarget     = int32(unsafe.Offsetof(Context{}.Target))
	CtxMask       = int32(unsafe.Offsetof(Context{}.Mask))
	CtxBudget     = int32(unsafe.Offsetof(Context{}.Budget))
	CtxInstrs     = int32(unsafe.Offsetof(Context{}.Instrs))
	CtxLoads      = int32(unsafe.Offsetof(Context{}.Loads))
	CtxStores     = int32(unsafe.Offsetof(Context{}.Stores))
	CtxMeet       = int32(unsafe.Offsetof(Context{}.Meet))
	CtxLocals     = int32(unsafe.Offsetof(Context{}.Locals))
	CtxGlobals    = int32(unsafe.Offsetof(Context{}.Globals))
	CtxLocal      = int32(unsafe.Offsetof(Context{}.Local))
	CtxWritten    = int32(unsafe.Offsetof(Context{}.Written))
	CtxLocalLimit = int32(unsafe.Offsetof(Context{}.LocalLimit))
	CtxChanges    = int32(unsafe.Offsetof(Context{}.Changes))
	CtxAt         = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.at))
	CtxB          = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.b))
	CtxC          = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.c))
	CtxOld        = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.old))
	CtxExecuted   = int32(unsafe.Offsetof(Context{}.Executed))
	CtxDecided    = int32(unsafe.Offsetof(Context{}.Decided))
	CtxRegions    = int32(unsafe.Offsetof(Context{}.Regions))
)

// Places in the context, in a cursor, a node and a shape.
const (
	CtxCursor = int32(unsafe.Offsetof(Context{}.Follow) + unsafe.Offsetof(Follow{}.Cursor))
	CtxNodes  = int32(unsafe.Offsetof(Context{}.Follow) + unsafe.Offsetof(Follow{}.Nodes))
	CtxShapes = int32(unsafe.Offsetof(Context{}.Follow) + unsafe.Offsetof(Follow{}.Shapes))
	CtxWarp   = int32(unsafe.Offsetof(Context{}.Follow) + unsafe.Offsetof(Follow{}.Warp))

	CursorNext = int32(unsafe.Offsetof(recall.Cursor{}.Next))
	CursorAt   = int32(unsafe.Offsetof(recall.Cursor{}.At))

	ShapeMask  = int32(unsafe.Offsetof(trace.Shape{}.Mask))
	ShapeOff   = int32(unsafe.Offsetof(trace.Shape{}.Off))
	ShapeOff32 = int32(unsafe.Offsetof(trace.Shape{}.Off32))
	ShapeOr    = int32(unsafe.Offsetof(trace.Shape{}.Or))
)

const (
	CtxPlainSize   = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Size))
	CtxPlainNone   = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.None))
	CtxPlainPages  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Pages))
	CtxPlainWarps  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Warps))
	CtxPlainSites  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Sites))
	CtxPlainLooked = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Looked))
	CtxPlainWrote  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Wrote))
	CtxPlainWho    = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Who))
	CtxPlainFails  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Failing))
	CtxPlainSite   = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.FailingSite))
	CtxPlainFirst  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.First))

	PlainPage   = int32(unsafe.Sizeof(shadow.Page{}))
	PageStates  = int32(unsafe.Offsetof(shadow.Page{}.States))
	PlainWarp   = int32(unsafe.Sizeof(shadow.WarpRefs{}))
	WarpSince   = int32(unsafe.Offsetof(shadow.WarpRefs{}.Since))
	PlainBefore = int32(unsafe.Sizeof(shadow.Before{}))
	BeforeN     = int32(unsafe.Offsetof(shadow.Before{}.N))
)

const (
	CtxStates = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.States))
	CtxJotAt  = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.At))
	CtxJotEnd = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.End))
	CtxTag    = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.Tag))
	CtxThins  = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.Thins))
	CtxSkips  = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.Skipped))
	CtxShared = int32(unsafe.Offsetof(Context{}.Shared))
)

const (
	CtxTouched    = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Touched))
	CtxJournal    = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Journal))
	CtxJournalEnd = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.JournalEnd))
)

const (
	ctxSerial        = int32(unsafe.Offsetof(Context{}.serial))
	CtxSerialTimes   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.times))
	CtxSerialLane    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.lane))
	CtxSerialTodo    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.todo))
	CtxSerialStay    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.stay))
	CtxSerialBound   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.bound))
	CtxSerialTurns   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.turns))
	CtxSerialMost    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.most))
	CtxSerialTotal   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.total))
	CtxSerialChanges = ctxSerial + int32(unsafe.Offsetof(serialArea{}.changes))
	CtxSerialSaved   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.saved))
	ctxSerialCells   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.cells))
	CtxSerialRows    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.rows))
	SerialRowStride  = int32(unsafe.Sizeof(serialArea{}.rows[0]))
)

// Places of the counts of a block and of a condition.
const (
	ExecutionThreads = 8
	ExecutionSize    = 16

	DecisionYes, DecisionNo           = 0, 8
	DecisionYesWarps, DecisionNoWarps = 16, 24
	DecisionBoth                      = 32
	DecisionSize                      = 40
)

// Places in a sweepEntry and what a sweep has in the context.
const (
	EntrySlab   = int32(unsafe.Offsetof(SweepEntry{}.Slab))
	entryLocal  = int32(unsafe.Offsetof(SweepEntry{}.Local))
	entryNoted  = int32(unsafe.Offsetof(SweepEntry{}.Written))
	EntryBudget = int32(unsafe.Offsetof(SweepEntry{}.Budget))
	EntryMask   = int32(unsafe.Offsetof(SweepEntry{}.Mask))
	entryWarp   = int32(unsafe.Offsetof(SweepEntry{}.Warp))
	EntryInstrs = int32(unsafe.Offsetof(SweepEntry{}.Instrs))
	EntryLoads  = int32(unsafe.Offsetof(SweepEntry{}.Loads))
	EntryStores = int32(unsafe.Offsetof(SweepEntry{}.Stores))
	EntryChange = int32(unsafe.Offsetof(SweepEntry{}.Changes))
	EntryLast   = int32(unsafe.Offsetof(SweepEntry{}.Last))
	EntryImage  = int32(unsafe.Offsetof(SweepEntry{}.Image))
	EntrySize   = int32(unsafe.Sizeof(SweepEntry{}))

	CtxEntry    = int32(unsafe.Offsetof(Context{}.Entry))
	CtxFirst    = int32(unsafe.Offsetof(Context{}.First))
	CtxBegin    = int32(unsafe.Offsetof(Context{}.Begin))
	CtxEnd      = int32(unsafe.Offsetof(Context{}.End))
	CtxStop     = int32(unsafe.Offsetof(Context{}.Stop))
	CtxTargets  = int32(unsafe.Offsetof(Context{}.Targets))
	CtxPending  = int32(unsafe.Offsetof(Context{}.Pending))
	CtxWarps    = int32(unsafe.Offsetof(Context{}.Warps))
	CtxTurn     = int32(unsafe.Offsetof(Context{}.Turn))
	CtxPassed   = int32(unsafe.Offsetof(Context{}.Passed))
	CtxPasses   = int32(unsafe.Offsetof(Context{}.Passes))
	CtxPassedAt = int32(unsafe.Offsetof(Context{}.PassedAt))
)

const (
	CtxKeep       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Keep))
	CtxPassedBy   = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Passed))
	CtxMore       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.More))
	CtxEnded      = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Ended))
	CtxCoord      = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Coord))
	CtxGrid       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Grid))
	CtxBlockMem   = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Shared))
	CtxBlockBytes = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.SharedSize))
	CtxBefore     = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Instrs))
)

// MaxSums bounds the rows that are held so with a sum.
const MaxSums = 8

const CtxSums = int32(unsafe.Offsetof(Context{}.Sums))

// RowBytes is the size of a row of local memory.
const RowBytes = 128

// Places in a Region.
const (
	RegionSize   = int32(unsafe.Sizeof(Region{}))
	RegionStart  = int32(unsafe.Offsetof(Region{}.Start))
	RegionLimit  = int32(unsafe.Offsetof(Region{}.Limit))
	RegionPtr    = int32(unsafe.Offsetof(Region{}.Ptr))
	RegionEnters = int32(unsafe.Offsetof(Region{}.Enters))
	RegionMissed = int32(unsafe.Offsetof(Region{}.Missed))
	RegionBits   = int32(unsafe.Offsetof(Region{}.Marks) + unsafe.Offsetof(shadow.Marks{}.Bits))
	RegionPages  = int32(unsafe.Offsetof(Region{}.Marks) + unsafe.Offsetof(shadow.Marks{}.Pages))
)

const CtxFunctions = int32(unsafe.Offsetof(Context{}.Functions))
