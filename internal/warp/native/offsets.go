package native

import (
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/trace/recall"
)

// Places in the context and in what it holds.
const (
	ctxThreads  = int32(unsafe.Offsetof(Context{}.Threads))
	ctxDepth    = int32(unsafe.Offsetof(Context{}.Depth))
	ctxWaiting  = int32(unsafe.Offsetof(Context{}.Waiting))
	ctxLimit    = int32(unsafe.Offsetof(Context{}.limit))
	ctxMet      = int32(unsafe.Offsetof(Context{}.Met))
	ctxJoins    = int32(unsafe.Offsetof(Context{}.Joins))
	ctxSides    = int32(unsafe.Offsetof(Context{}.Sides))
	joinArrived = ctxJoins + int32(unsafe.Offsetof(divergedJoin{}.Arrived))
	joinOuter   = ctxJoins + int32(unsafe.Offsetof(divergedJoin{}.Outer))
	sideCode    = ctxSides + int32(unsafe.Offsetof(divergedSide{}.code))
	sideJoin    = ctxSides + int32(unsafe.Offsetof(divergedSide{}.Join))
	sidePC      = ctxSides + int32(unsafe.Offsetof(divergedSide{}.PC))
	sideMask    = ctxSides + int32(unsafe.Offsetof(divergedSide{}.Mask))
)

// Places in the context.
const (
	ctxSlab       = int32(unsafe.Offsetof(Context{}.Slab))
	ctxTarget     = int32(unsafe.Offsetof(Context{}.Target))
	ctxMask       = int32(unsafe.Offsetof(Context{}.Mask))
	ctxBudget     = int32(unsafe.Offsetof(Context{}.Budget))
	ctxInstrs     = int32(unsafe.Offsetof(Context{}.Instrs))
	ctxLoads      = int32(unsafe.Offsetof(Context{}.Loads))
	ctxStores     = int32(unsafe.Offsetof(Context{}.Stores))
	ctxMeet       = int32(unsafe.Offsetof(Context{}.Meet))
	ctxLocals     = int32(unsafe.Offsetof(Context{}.Locals))
	ctxGlobals    = int32(unsafe.Offsetof(Context{}.Globals))
	ctxLocal      = int32(unsafe.Offsetof(Context{}.Local))
	ctxWritten    = int32(unsafe.Offsetof(Context{}.Written))
	ctxLocalLimit = int32(unsafe.Offsetof(Context{}.LocalLimit))
	ctxChanges    = int32(unsafe.Offsetof(Context{}.Changes))
	ctxAt         = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.at))
	ctxB          = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.b))
	ctxC          = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.c))
	ctxOld        = int32(unsafe.Offsetof(Context{}.atomic) + unsafe.Offsetof(atomicArea{}.old))
	ctxExecuted   = int32(unsafe.Offsetof(Context{}.Executed))
	ctxDecided    = int32(unsafe.Offsetof(Context{}.Decided))
	ctxRegions    = int32(unsafe.Offsetof(Context{}.Regions))
)

// Places in the context, in a cursor, a node and a shape.
const (
	ctxCursor = int32(unsafe.Offsetof(Context{}.Follow) + unsafe.Offsetof(Follow{}.Cursor))
	ctxNodes  = int32(unsafe.Offsetof(Context{}.Follow) + unsafe.Offsetof(Follow{}.Nodes))
	ctxShapes = int32(unsafe.Offsetof(Context{}.Follow) + unsafe.Offsetof(Follow{}.Shapes))
	ctxWarp   = int32(unsafe.Offsetof(Context{}.Follow) + unsafe.Offsetof(Follow{}.Warp))

	cursorNext = int32(unsafe.Offsetof(recall.Cursor{}.Next))
	cursorAt   = int32(unsafe.Offsetof(recall.Cursor{}.At))

	shapeMask  = int32(unsafe.Offsetof(trace.Shape{}.Mask))
	shapeOff   = int32(unsafe.Offsetof(trace.Shape{}.Off))
	shapeOff32 = int32(unsafe.Offsetof(trace.Shape{}.Off32))
	shapeOr    = int32(unsafe.Offsetof(trace.Shape{}.Or))
)

const (
	ctxPlainSize   = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Size))
	ctxPlainNone   = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.None))
	ctxPlainPages  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Pages))
	ctxPlainWarps  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Warps))
	ctxPlainSites  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Sites))
	ctxPlainLooked = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Looked))
	ctxPlainWrote  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Wrote))
	ctxPlainWho    = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Who))
	ctxPlainFails  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Failing))
	ctxPlainSite   = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.FailingSite))
	ctxPlainFirst  = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.First))

	plainPage   = int32(unsafe.Sizeof(shadow.Page{}))
	pageStates  = int32(unsafe.Offsetof(shadow.Page{}.States))
	plainWarp   = int32(unsafe.Sizeof(shadow.WarpRefs{}))
	warpSince   = int32(unsafe.Offsetof(shadow.WarpRefs{}.Since))
	plainBefore = int32(unsafe.Sizeof(shadow.Before{}))
	beforeN     = int32(unsafe.Offsetof(shadow.Before{}.N))
)

const (
	ctxStates = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.States))
	ctxJotAt  = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.At))
	ctxJotEnd = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.End))
	ctxTag    = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.Tag))
	ctxThins  = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.Thins))
	ctxSkips  = int32(unsafe.Offsetof(Context{}.Sieve) + unsafe.Offsetof(shadow.SieveLive{}.Skipped))
	ctxShared = int32(unsafe.Offsetof(Context{}.Shared))
)

const (
	ctxTouched    = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Touched))
	ctxJournal    = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.Journal))
	ctxJournalEnd = int32(unsafe.Offsetof(Context{}.Plain) + unsafe.Offsetof(shadow.Live{}.JournalEnd))
)

const (
	ctxSerial        = int32(unsafe.Offsetof(Context{}.serial))
	ctxSerialTimes   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.times))
	ctxSerialLane    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.lane))
	ctxSerialTodo    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.todo))
	ctxSerialStay    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.stay))
	ctxSerialBound   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.bound))
	ctxSerialTurns   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.turns))
	ctxSerialMost    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.most))
	ctxSerialTotal   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.total))
	ctxSerialChanges = ctxSerial + int32(unsafe.Offsetof(serialArea{}.changes))
	ctxSerialSaved   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.saved))
	ctxSerialCells   = ctxSerial + int32(unsafe.Offsetof(serialArea{}.cells))
	ctxSerialRows    = ctxSerial + int32(unsafe.Offsetof(serialArea{}.rows))
	serialRowStride  = int32(unsafe.Sizeof(serialArea{}.rows[0]))
)

// Places of the counts of a block and of a condition.
const (
	executionThreads = 8
	executionSize    = 16

	decisionYes, decisionNo           = 0, 8
	decisionYesWarps, decisionNoWarps = 16, 24
	decisionBoth                      = 32
	decisionSize                      = 40
)

// Places in a sweepEntry and what a sweep has in the context.
const (
	entrySlab   = int32(unsafe.Offsetof(SweepEntry{}.Slab))
	entryLocal  = int32(unsafe.Offsetof(SweepEntry{}.Local))
	entryNoted  = int32(unsafe.Offsetof(SweepEntry{}.Written))
	entryBudget = int32(unsafe.Offsetof(SweepEntry{}.Budget))
	entryMask   = int32(unsafe.Offsetof(SweepEntry{}.Mask))
	entryWarp   = int32(unsafe.Offsetof(SweepEntry{}.Warp))
	entryInstrs = int32(unsafe.Offsetof(SweepEntry{}.Instrs))
	entryLoads  = int32(unsafe.Offsetof(SweepEntry{}.Loads))
	entryStores = int32(unsafe.Offsetof(SweepEntry{}.Stores))
	entryChange = int32(unsafe.Offsetof(SweepEntry{}.Changes))
	entryLast   = int32(unsafe.Offsetof(SweepEntry{}.Last))
	entryImage  = int32(unsafe.Offsetof(SweepEntry{}.Image))
	EntrySize   = int32(unsafe.Sizeof(SweepEntry{}))

	ctxEntry    = int32(unsafe.Offsetof(Context{}.Entry))
	ctxFirst    = int32(unsafe.Offsetof(Context{}.First))
	ctxBegin    = int32(unsafe.Offsetof(Context{}.Begin))
	ctxEnd      = int32(unsafe.Offsetof(Context{}.End))
	ctxStop     = int32(unsafe.Offsetof(Context{}.Stop))
	ctxTargets  = int32(unsafe.Offsetof(Context{}.Targets))
	ctxPending  = int32(unsafe.Offsetof(Context{}.Pending))
	ctxWarps    = int32(unsafe.Offsetof(Context{}.Warps))
	ctxTurn     = int32(unsafe.Offsetof(Context{}.Turn))
	ctxPassed   = int32(unsafe.Offsetof(Context{}.Passed))
	ctxPasses   = int32(unsafe.Offsetof(Context{}.Passes))
	ctxPassedAt = int32(unsafe.Offsetof(Context{}.PassedAt))
)

const (
	ctxKeep       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Keep))
	ctxPassedBy   = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Passed))
	ctxMore       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.More))
	ctxEnded      = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Ended))
	ctxCoord      = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Coord))
	ctxGrid       = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Grid))
	ctxBlockMem   = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Shared))
	ctxBlockBytes = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.SharedSize))
	ctxBefore     = int32(unsafe.Offsetof(Context{}.Blocks) + unsafe.Offsetof(Blocks{}.Instrs))
)

// maxSums bounds the rows that are held so with a sum.
const maxSums = 8

const ctxSums = int32(unsafe.Offsetof(Context{}.Sums))

// rowBytes is the size of a row of local memory.
const rowBytes = 128

// Places in a Region.
const (
	regionSize   = int32(unsafe.Sizeof(Region{}))
	regionStart  = int32(unsafe.Offsetof(Region{}.Start))
	regionLimit  = int32(unsafe.Offsetof(Region{}.Limit))
	regionPtr    = int32(unsafe.Offsetof(Region{}.Ptr))
	regionEnters = int32(unsafe.Offsetof(Region{}.Enters))
	regionMissed = int32(unsafe.Offsetof(Region{}.Missed))
	regionBits   = int32(unsafe.Offsetof(Region{}.Marks) + unsafe.Offsetof(shadow.Marks{}.Bits))
	regionPages  = int32(unsafe.Offsetof(Region{}.Marks) + unsafe.Offsetof(shadow.Marks{}.Pages))
)

const ctxFunctions = int32(unsafe.Offsetof(Context{}.Functions))
