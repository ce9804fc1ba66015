package repair

import (
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/guard"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
	"github.com/warpgrind/warpgrind/internal/repair/order"
	"github.com/warpgrind/warpgrind/internal/repair/perf"
)

// maker makes the patches of a kind of repair.
type maker func(*code.Program, *finding.Finding) []*code.Patch

// row is what fix knows of a kind of repair.
type row struct {
	// make makes its patches, nil where none are tried. always: also where the finding names the call and its places,
	// which else is what is tried.
	make   maker
	always bool
	// faster makes those that fix --perf tries, nil for none.
	faster maker
	// why there are no patches: it is set where both are nil.
	why Untried
	// untold is what the program does not tell, where the kind depends on what it is for: an assertion rejects a value
	// and does not name the one that is right, a trap is reached on purpose, a limit is the user's. Others can be made in
	// two ways, which give different results. "" for other kinds.
	untold string
}

// catalog has a row for each kind of repair. It is made in init, as some of its makers ask it for others.
var catalog map[finding.RepairKind]row

func init() {
	catalog = map[finding.RepairKind]row{
		// Calls between two places.
		finding.AddBarrier:      {make: order.CallBetween},
		finding.AddSyncwarp:     {make: addSyncwarp},
		finding.AddFence:        {make: fences, always: true},
		finding.StrengthenOrder: {make: fences},
		// Races.
		finding.WidenScope:     {make: widenScope},
		finding.AddProxyFence:  {make: addProxyFence},
		finding.AddTensorFence: {make: order.AddTensorFences},
		finding.ClusterBarrier: {make: order.CallBetween},
		finding.SplitBranch:    {make: order.EndBranch, always: true},
		finding.CountedBarrier: {make: order.CallAround, always: true},
		finding.EvenLoop:       {make: order.EvenLoops},
		finding.MoveArray:      {why: OtherKind},
		finding.TakeLock:       {make: takeLock},
		finding.MakeVolatile:   {make: makeVolatile},
		finding.MakeAtomic:     {make: makeAtomic},
		finding.MakeRelaxed:    {make: order.RelaxAccesses},
		finding.WaitForCopy:    {make: order.AwaitCopies},
		finding.WaitForAll:     {make: waitForAll},
		finding.WaitThere:      {make: order.IssueLater},
		finding.WaitFirst:      {make: waitFirst},
		finding.WaitForReaders: {untold: "the program has no flag or counter by which readers could announce that they are done"},
		finding.CountArrivals:  {make: order.CountArrivals},
		finding.CountThreads:   {make: order.CountThreads},
		finding.OwnElement:     {why: OtherKind},
		finding.SplitKernel:    {make: blocksWait},
		finding.OrderStreams:   {make: orderStreams},
		finding.HostWait:       {make: memory.OrderWork},
		finding.GridWait:       {make: gridWait},
		finding.ChildWait:      {make: memory.AwaitChild},
		finding.TailLaunch:     {make: memory.LaunchInTail},
		finding.CoherentLoad:   {make: order.ReadCoherently},
		finding.Nothing:        {why: OtherKind},
		// Barriers, warp-level functions and hangs (rules sync and hang).
		finding.ReachBarrier:     {make: barriersMoved},
		finding.SameBarriers:     {make: sameBarriers},
		finding.InitMBarrier:     {make: order.InitMbarriers},
		finding.InvalidateFirst:  {make: order.InitializeOnce},
		finding.InvalidateBefore: {why: OtherKind},
		finding.CountWholeWarps:  {make: order.CountBarriers},
		finding.FewerBarriers:    {make: fewerBarriers},
		finding.ArriveAndWait:    {make: order.ArriveOnce},
		finding.WaitForPhase:     {why: OtherKind},
		finding.ReturnLater:      {make: barriersMoved},
		finding.MoveBarrier:      {make: barriersMoved},
		finding.OneBarrier:       {make: barriersMoved},
		finding.NameLanes:        {make: order.NameLanes},
		finding.MoveOperation:    {make: moveOperation},
		finding.AllLanes:         {why: OtherKind},
		finding.ReadPresentLane:  {make: order.Hoist},
		finding.RaiseLimit:       {make: leavable, untold: someOther},
		finding.EndLoop:          {make: ended},
		finding.WriteValue:       {make: writtenValue},
		finding.ReachGridBarrier: {make: barriersMoved},
		finding.RemoveOrCorrect:  {why: OtherKind},
		finding.RemoveOne:        {why: OtherKind},
		finding.WholeWarpgroups:  {make: order.LaunchWholeWarpgroups},
		finding.SameDescriptor:   {why: OtherKind},
		finding.FenceRegisters:   {make: order.CallBetween},
		finding.WaitForProduct:   {make: order.CallBetween},
		finding.WaitForTensor:    {make: order.CallBetween},
		finding.SameAddress:      {why: OtherKind},
		finding.AllocateInOrder:  {make: order.RoundColumns},
		finding.FreeColumns:      {why: OtherKind},
		finding.KeepPeer:         {why: OtherKind},
		finding.MatchDescriptor:  {why: OtherKind},
		finding.AcquireMap:       {why: OtherKind},
		finding.CallOnAllRanks:   {why: OtherKind},
		finding.SameOnAllRanks:   {why: OtherKind},
		finding.SetByWarpgroup:   {why: OtherKind},
		finding.ReleaseRegisters: {why: OtherKind},
		finding.CorrectCount:     {why: OtherKind},
		// Undefined values (rule init).
		finding.WriteFirst:       {make: firstValues},
		finding.WaitForWriter:    {why: OtherKind},
		finding.Initialize:       {make: firstValues},
		finding.WriteRegister:    {make: order.SetRegisters},
		finding.ReadPresent:      {untold: "the program does not tell whether all lanes should take part or the value of the missing ones should be left out"},
		finding.AskCanceled:      {why: OtherKind},
		finding.WriteTensor:      {make: order.WriteTensorMemory},
		finding.CopySymbol:       {why: OtherKind},
		finding.WriteHeap:        {make: memory.FillHeap},
		finding.Fill:             {make: memory.FillAllocation},
		finding.Reset:            {make: memory.FillAllocation},
		finding.InitializeSource: {make: memory.FillAllocation},
		finding.CopyWritten:      {why: OtherKind},
		finding.AllocateLess:     {why: OtherKind},
		// Accesses and allocations (rule memory).
		finding.CheckIndex:      {make: indices},
		finding.MoreShared:      {make: indices},
		finding.CheckPointer:    {make: guard.CheckPointers},
		finding.CheckAllocation: {why: OtherKind},
		finding.CheckMalloc:     {make: guard.CheckPointers},
		finding.AllocateFirst:   {untold: "the program does not tell whether the memory is used too early or another allocation is meant"},
		finding.FreeLater:       {make: freeLater},
		finding.CheckFreed:      {make: indices},
		finding.DevicePointer:   {make: memory.UseDevicePointer},
		finding.DeviceFunction:  {why: OtherKind},
		finding.EndTogether:     {make: order.JoinClusterAtEnd},
		finding.Align:           {make: memory.Align},
		finding.WriteGlobal:     {make: memory.MakeWritable},
		finding.CopyParameter:   {make: memory.CopyParameters},
		finding.LessStack:       {why: OtherKind},
		finding.MatchFree:       {make: memory.MatchFree},
		finding.MatchHeapFree:   {make: memory.MatchFree},
		finding.FreeOnce:        {make: memory.FreeOnce},
		finding.FreeHeapOnce:    {make: memory.FreeOnce},
		finding.Free:            {make: memory.FreeAtEnd},
		finding.ResizeArray:     {why: OtherKind},
		finding.ResizeDynamic:   {why: OtherKind},
		finding.MovePart:        {make: indices},
		finding.Direction:       {make: memory.RepairTransfer},
		finding.Pitch:           {why: OtherKind},
		finding.CopyEarlier:     {make: memory.RepairTransfer},
		finding.CopyApart:       {untold: "the program does not tell whether the elements should move within the array or one of the ranges is wrong"},
		finding.OmitCopy:        {untold: "the program does not tell whether the copy is superfluous or one of its pointers is wrong"},
		finding.CheckSize:       {make: memory.RepairTransfer},
		finding.CopyLess:        {make: memory.RepairTransfer},
		finding.CopyToHost:      {make: memory.CopyToHost},
		finding.AllocateColumns: {why: OtherKind},
		finding.DeallocLater:    {make: order.DeallocateLater},
		finding.OwnLanes:        {why: OtherKind},
		finding.Deallocate:      {why: OtherKind},
		finding.MatchAlloc:      {why: OtherKind},
		finding.BeginTile:       {why: OtherKind},
		finding.LaunchCluster:   {make: launchCluster},
		finding.MatchMap:        {why: OtherKind},
		finding.OutliveFunction: {untold: "the program does not tell whether the function should return the value or write to a variable of its caller"},
		finding.OutliveScope:    {untold: "the program does not tell whether one variable should serve all uses or each use needs its own"},
		finding.RoundSize:       {why: OtherKind},
		finding.WidenIndex:      {make: guard.WidenIndex},
		// Undefined behavior of c++ (check).
		finding.ReturnValue:    {why: OtherKind},
		finding.KeepAlive:      {why: OtherKind},
		finding.CheckDivisor:   {why: OtherKind},
		finding.CheckShift:     {why: OtherKind},
		finding.ReturnAlways:   {why: OtherKind},
		finding.SplitStatement: {why: OtherKind},
		finding.EndRecursion:   {why: OtherKind},
		// Launches.
		finding.OptIn:               {make: memory.OptIntoShared},
		finding.RoundUp:             {make: memory.RoundUpGrid},
		finding.KeepBounds:          {make: memory.ShrinkBlocks},
		finding.RequiredBlock:       {why: OtherKind},
		finding.SmallerBlocks:       {make: memory.ShrinkBlocks},
		finding.Configure:           {untold: someOther},
		finding.TurnGrid:            {why: OtherKind},
		finding.KeepLimit:           {make: keepLimit},
		finding.RaisePending:        {why: OtherKind},
		finding.RaiseSyncDepth:      {make: memory.RaiseSyncDepth},
		finding.CheckCondition:      {untold: someOther},
		finding.FindTrap:            {untold: someOther},
		finding.PassGlobal:          {why: OtherKind},
		finding.LaunchCooperatively: {make: launchCooperatively},
		// Calls of the api.
		finding.CheckResult: {make: memory.CheckStatus},
		finding.CheckLaunch: {make: memory.CheckStatus},
		finding.Synchronize: {why: OtherKind},
		// Occupancy.
		finding.LargerBlocks: {why: OtherKind},
		finding.LessShared:   {why: OtherKind},
		finding.OtherBlocks:  {why: OtherKind},
		// Memory performance (rules bank, coalesce and constant).
		finding.PadRows:         {faster: perf.Pad},
		finding.PadIndex:        {faster: perf.Pad},
		finding.Swizzle:         {faster: perf.Exchange},
		finding.UnitStride:      {faster: perf.Exchange},
		finding.ExchangeLanes:   {why: OtherKind},
		finding.ExchangeAxes:    {faster: perf.Exchange},
		finding.AlignRows:       {why: OtherKind},
		finding.VectorAccess:    {why: OtherKind},
		finding.Tile:            {why: OtherKind},
		finding.WiderBlock:      {why: OtherKind},
		finding.Transpose:       {why: OtherKind},
		finding.StructOfArrays:  {why: OtherKind},
		finding.GroupThreads:    {why: OtherKind},
		finding.GlobalMemory:    {why: OtherKind},
		finding.SharedMemory:    {why: OtherKind},
		finding.SameElement:     {why: OtherKind},
		finding.RoundToWarps:    {why: OtherKind},
		finding.NeighboringWork: {why: OtherKind},
		finding.OtherWork:       {why: OtherKind},
		finding.RaceFirst:       {why: OtherKind},
	}
}
