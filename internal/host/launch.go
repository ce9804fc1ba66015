package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// programmaticSM is the first architecture with programmatic dependent launches
// ("CUDA C++ Programming Guide", "Programmatic Dependent Launch and Synchronization").
const programmaticSM = 90

func (p *process) doLaunch(q *request, in *protocol.Launch, r *reply, out *protocol.LaunchReply) {
	k := p.kernelByID(q, in.Kernel)
	cfg := LaunchConfig{Cooperative: in.Cooperative, Programmatic: in.Programmatic && p.s.cfg.Arch.SM >= programmaticSM,
		MayOverlap: in.MayOverlap && p.s.cfg.Arch.SM >= programmaticSM, Cluster: trace.Dim3(in.Cluster), Grid: trace.Dim3(in.Grid), Block: trace.Dim3(in.Block),
		Stream: uint64(in.Stream), Params: in.Params}
	shared, events := in.SharedDynamic, launchEvents(in)
	r.hideFault = true
	if q.bad = q.bad || len(in.Params) != paramBytes(k); q.bad || !p.checkStream(q, r, cfg.Stream) || !p.checkDevice(q, r, cfg.Stream) || !p.checkEvents(q, r, events) {
		return
	}
	if cfg.Cluster == (trace.Dim3{}) {
		cfg.Cluster = k.Cluster()
	}
	cfg.Stream, cfg.Device, cfg.Limits = streamName(cfg.Stream), int(q.device), p.limits[q.device]
	code, cause, msg := p.s.checkLimits(k, cfg, shared)
	if in.Unconfigured {
		code, cause, msg = ErrorMissingConfiguration, trace.CauseUnconfigured, "the kernel is called as a function, without <<<...>>>"
	}
	if code != Success {
		r.code = code
		if f := p.s.cfg.Hooks.Rejected; f != nil {
			f(&trace.RejectedLaunch{Kernel: k.Name(), Grid: cfg.Grid, Block: cfg.Block,
				SharedDynamic: shared, Error: code.String(), Cause: cause, Message: msg, Where: p.where(q), Params: cfg.Params})
		}
		return
	}
	cfg.SharedDynamic = uint32(shared)
	if cfg.Cooperative {
		cfg.GridWorkspace = p.gridWorkspace(q.device)
	}
	if f := p.s.cfg.Hooks.InOrder; f != nil && in.Programmatic && !cfg.Programmatic {
		f(k.Name())
	}
	cfg.Resident = p.s.cfg.Multiprocessors * blocksPerSM(p.s.cfg.Arch, k, int(cfg.Block.Size()), shared)
	info := &LaunchInfo{Kernel: k.Name(), Module: k.module.name, Where: p.where(q), LaunchConfig: cfg}
	p.launch(q, k, info)
	out.Number = uint32(info.ID) + 1
	p.record(q, events, cfg.Stream)
}

// paramBytes is the size of a kernel's parameters.
func paramBytes(k *kernel) (n int) {
	for _, pa := range k.Params() {
		n = max(n, int(pa.Offset+pa.Size))
	}
	return n
}

// launchEvents are the events of a launch by their moments, 0 for none.
func launchEvents(in *protocol.Launch) map[trace.Moment]uint64 {
	return map[trace.Moment]uint64{trace.Triggered: uint64(in.Triggered), trace.Started: uint64(in.Started), trace.Begun: uint64(in.Begun)}
}

// checkEvents answers the misuse of a launch's events ("CUDA Runtime API",
// cudaLaunchAttributeProgrammaticEvent and cudaLaunchAttributeLaunchCompletionEvent).
func (p *process) checkEvents(q *request, r *reply, events map[trace.Moment]uint64) bool {
	for m := trace.Triggered; m <= trace.Begun; m++ {
		if events[m] == 0 {
			continue
		}
		e := p.findEvent(q, r, events[m])
		if e != nil && e.flags&eventDisableTiming == 0 {
			p.misuse(q, r, ErrorInvalidValue, "the event of a launch was created without cudaEventDisableTiming")
			return false
		}
		if e == nil {
			return false
		}
	}
	return true
}

// record records the events of a launch in its stream.
func (p *process) record(q *request, events map[trace.Moment]uint64, stream uint64) {
	for m := trace.Triggered; m <= trace.Begun; m++ {
		id := events[m]
		if e := p.events[id]; e != nil {
			p.recordEvent(e, lane{int(q.device), stream}, p.apart(stream))
			o := Order{Kind: OrderRecord, Device: int(q.device), Stream: stream, Event: id}
			if m == trace.Begun || p.s.cfg.Arch.SM >= programmaticSM {
				o.Moment = m
			}
			p.order(o)
		}
	}
}

// launch enqueues a kernel. What goes wrong in it becomes the sticky error, which
// the program sees at a later call, as with CUDA's asynchronous launches.
func (p *process) launch(q *request, k *kernel, info *LaunchInfo) {
	defer whileConnected(q.conn, p.gone)()
	h := &p.s.cfg.Hooks
	info.ID = p.newLaunch()
	if h.Launch != nil {
		h.Launch(info)
	}
	atCall := true
	p.enqueue(lane{info.Device, info.Stream}, p.apart(info.Stream), info.ID, func(ctx context.Context, pc *piece) {
		p.pending = 0
		info.Await, info.Moment, info.Unseen = pc.park, p.s.moment, func() bool { return atCall && p.onlyCaller() }
		p.runGrid(ctx, k, info, 0)
	}, func() {
		if h.NotRun != nil {
			h.NotRun(info.Kernel)
		}
	})
	atCall = false
}

// moment is LaunchConfig.Moment for the launch that runs.
func (s *Server) moment() (n uint64, ok bool) {
	unfinished := 0
	for _, p := range s.programs {
		unfinished += len(p.work)
	}
	return s.enqueued, unfinished == 1
}

// newLaunch is the number of the next launch.
func (p *process) newLaunch() int { return int(p.s.launches.Add(1)) - 1 }

// runGrid runs a grid with depth parents. Its end is told after that of its children. ctx
// ends when the program is gone.
func (p *process) runGrid(ctx context.Context, k *kernel, info *LaunchInfo, depth int) {
	h := &p.s.cfg.Hooks
	if h.Begun != nil {
		h.Begun(info)
	}
	g := &parentGrid{p, ctx, k.module, info, depth}
	info.Nesting = g
	res, err := p.s.run(ctx, k, info.LaunchConfig)
	gone := ctx.Err() != nil
	p.text = append(p.text, res.Printf...)
	if len(res.Printf) > 0 {
		p.printed = true
		p.unseen = cmp.Or(p.unseen, info)
	}
	var u unsupportedError
	switch {
	case errors.As(err, &u):
		p.fail(ErrorNotSupported)
		p.unsupported(u.Unsupported())
	case err != nil && gone:
		p.fail(ErrorLaunchTimeout)
	case err != nil:
		p.fail(ErrorUnknown)
		if h.Internal != nil {
			h.Internal(fmt.Errorf("kernel %s: %w", info.Kernel, err))
		}
	case res.Fault != nil && !p.s.cfg.Forgive:
		p.fail(faultCode(res.Fault))
	}
	if h.GridOver != nil {
		h.GridOver(info)
	}
	g.finish(res.ChildWork)
	if h.Launched != nil {
		h.Launched(info, res)
	}
}

// fail notes the first error of a kernel, which all later calls return.
func (p *process) fail(code Code) {
	if p.sticky == Success {
		p.sticky = code
	}
}

// run calls the runner and turns a panic into an error: the program and what
// was found so far must not suffer from it.
func (s *Server) run(ctx context.Context, k *kernel, cfg LaunchConfig) (LaunchResult, error) {
	return promptly(ctx, s, func() (LaunchResult, error) { return s.cfg.Runner.Launch(ctx, k.Kernel, cfg) })
}

// checkLimits checks a launch against the architecture ("CUDA C++ Programming
// Guide", "Compute Capabilities"); it returns the code that CUDA gives, the limit,
// and a message that names it.
func (s *Server) checkLimits(k *kernel, c LaunchConfig, shared uint64) (Code, trace.Cause, string) {
	a := s.cfg.Arch
	if cause, msg := checkExtent(a, c); msg != "" {
		return ErrorInvalidConfiguration, cause, msg
	}
	threads := int(c.Block.Size())
	if d := k.Block(); d != (trace.Dim3{}) && c.Block != d {
		return ErrorInvalidValue, trace.CauseRequiredBlock, fmt.Sprintf("blocks of %dx%dx%d threads, but the kernel's .reqntid requires %dx%dx%d",
			c.Block.X, c.Block.Y, c.Block.Z, d.X, d.Y, d.Z)
	}
	if n := k.MaxThreads(); n > 0 && threads > n {
		return ErrorInvalidValue, trace.CauseLaunchBounds, fmt.Sprintf("%d threads per block, but the kernel's __launch_bounds__ allow %d", threads, n)
	}
	static := uint64(k.SharedStatic())
	if static > uint64(a.SharedPerBlock) {
		return ErrorInvalidValue, trace.CauseSharedSize, fmt.Sprintf("%d bytes of static shared memory, at most %d on %s", static, a.SharedPerBlock, a)
	}
	if shared > k.maxDynamic {
		msg := fmt.Sprintf("%d bytes of dynamic and %d of static shared memory, at most %d together on %s",
			shared, static, k.maxDynamic+static, a)
		if static+shared <= uint64(a.SharedOptin) {
			return ErrorInvalidValue, trace.CauseSharedOptIn, msg + " without cudaFuncAttributeMaxDynamicSharedMemorySize"
		}
		return ErrorInvalidValue, trace.CauseSharedSize, msg
	}
	if msg := checkCluster(a, k, c.Grid, c.Cluster); msg != "" {
		return ErrorInvalidClusterSize, trace.CauseCluster, msg
	}
	if c.Cooperative {
		most := uint64(s.cfg.Multiprocessors * blocksPerSM(a, k, threads, shared))
		if c.Grid.Size() > most {
			return ErrorCooperativeLaunchTooLarge, trace.CauseCooperativeSize, fmt.Sprintf("%d blocks in a cooperative launch, at most %d fit on the device", c.Grid.Size(), most)
		}
	}
	return Success, "", ""
}

// checkExtent checks the extents of grid and block; "" when they are good.
func checkExtent(a *arch.Arch, c LaunchConfig) (trace.Cause, string) {
	grid, block := [3]uint32{c.Grid.X, c.Grid.Y, c.Grid.Z}, [3]uint32{c.Block.X, c.Block.Y, c.Block.Z}
	for i, axis := range []string{"x", "y", "z"} {
		switch {
		case grid[i] == 0:
			return trace.CauseNoBlocks, fmt.Sprintf("the grid has 0 blocks in %s", axis)
		case block[i] == 0:
			return trace.CauseNoThreads, fmt.Sprintf("the block has 0 threads in %s", axis)
		case uint64(block[i]) > uint64(a.MaxBlock[i]):
			return trace.CauseBlockSize, fmt.Sprintf("%d threads per block in %s, at most %d on %s", block[i], axis, a.MaxBlock[i], a)
		case uint64(grid[i]) > uint64(a.MaxGrid[i]):
			return trace.CauseGridSize, fmt.Sprintf("%d blocks in %s, at most %d on %s", grid[i], axis, a.MaxGrid[i], a)
		}
	}
	if n := c.Block.Size(); n > uint64(a.MaxThreads) {
		return trace.CauseBlockSize, fmt.Sprintf("%d threads per block, at most %d on %s", n, a.MaxThreads, a)
	}
	return "", ""
}

// The blocks of a cluster that all devices with clusters have room for, and what
// some have ("CUDA C++ Programming Guide", "Thread Block Clusters").
const (
	maxCluster            = 8
	maxNonPortableCluster = 16
	firstWithClusters     = 90
)

// checkCluster checks the extent of clusters; "" when it is good.
func checkCluster(a *arch.Arch, k *kernel, grid, d trace.Dim3) string {
	want, most := k.Cluster(), uint64(maxCluster)
	if k.nonPortable {
		most = maxNonPortableCluster
	}
	n := d.Size()
	switch {
	case d == (trace.Dim3{}):
		return ""
	case n == 0:
		return fmt.Sprintf("clusters of %d x %d x %d blocks", d.X, d.Y, d.Z)
	case want != (trace.Dim3{}) && want != d:
		return fmt.Sprintf("clusters of %d x %d x %d blocks, but the kernel's __cluster_dims__ are %d x %d x %d", d.X, d.Y, d.Z, want.X, want.Y, want.Z)
	case a.SM < firstWithClusters:
		return fmt.Sprintf("clusters of blocks, which %s does not have: they need sm_%d", a, firstWithClusters)
	case n > most && n <= maxNonPortableCluster:
		return fmt.Sprintf("clusters of %d blocks, at most %d without cudaFuncAttributeNonPortableClusterSizeAllowed", n, most)
	case n > most:
		return fmt.Sprintf("clusters of %d blocks, at most %d", n, most)
	case grid.X%d.X != 0 || grid.Y%d.Y != 0 || grid.Z%d.Z != 0:
		return fmt.Sprintf("a grid of %d x %d x %d blocks is not a multiple of clusters of %d x %d x %d", grid.X, grid.Y, grid.Z, d.X, d.Y, d.Z)
	}
	return ""
}

// The values of cudaFuncAttribute that mean something here.
const (
	attrMaxDynamicShared = 8
	attrNonPortable      = 14
)

func (p *process) doFuncAttribute(q *request, in *protocol.FuncAttribute, r *reply) {
	k, attr, value := p.kernelByID(q, in.Kernel), in.Attribute, in.Value
	if !q.bad && attr == attrNonPortable {
		k.nonPortable = value != 0
	}
	if q.bad || attr != attrMaxDynamicShared {
		return
	}
	most := int64(p.s.cfg.Arch.SharedOptin) - int64(k.SharedStatic())
	if int64(value) < 0 || int64(value) > most {
		p.misuse(q, r, ErrorInvalidValue, "%d bytes of dynamic shared memory for kernel %s, at most %d on %s",
			value, k.Name(), most, p.s.cfg.Arch)
		return
	}
	k.maxDynamic = uint64(value)
}

func (p *process) doOccupancy(q *request, in *protocol.Occupancy, r *reply, out *protocol.OccupancyReply) {
	k, threads, given := p.kernelByID(q, in.Kernel), in.BlockSize, in.Given
	if q.bad {
		return
	}
	a := p.s.cfg.Arch
	if threads <= 0 {
		p.misuse(q, r, ErrorInvalidValue, "the block size is %d", threads)
		return
	}
	if in.What == protocol.OccupancyCluster {
		n := uint64(maxCluster)
		if k.nonPortable {
			n = maxNonPortableCluster
		}
		if a.SM < firstWithClusters {
			n = 1
		}
		out.Value = n
		return
	}
	if in.What == protocol.OccupancyBlocks {
		out.Value = uint64(blocksPerSM(a, k, int(threads), given))
		return
	}
	if given == 0 || given > uint64(a.MaxBlocksPerSM) {
		p.misuse(q, r, ErrorInvalidValue, "%d blocks per multiprocessor, at most %d", given, a.MaxBlocksPerSM)
		return
	}
	room := uint64(a.SharedPerSM)/given - min(uint64(a.SharedPerSM)/given, ReservedShared(a)+uint64(k.SharedStatic()))
	out.Value = min(room, k.maxDynamic)
}

// ReservedShared is the bytes of shared memory that the system takes of each block (CUDA C++
// Programming Guide, "Compute Capability 8.x", "Shared Memory").
func ReservedShared(a *arch.Arch) uint64 {
	if a.SM >= 80 {
		return 1024
	}
	return 0
}

// regUnit is the granularity of register allocation per warp.
const regUnit = 256

// blocksPerSM is the occupancy of a kernel in blocks per multiprocessor.
func blocksPerSM(a *arch.Arch, k *kernel, threads int, shared uint64) int {
	if limit := k.MaxThreads(); threads > a.MaxThreads || (limit > 0 && threads > limit) || shared > k.maxDynamic {
		return 0
	}
	warps := (threads + arch.WarpSize - 1) / arch.WarpSize
	n := min(a.MaxBlocksPerSM, a.MaxThreadsPerSM/(warps*arch.WarpSize))
	if s := shared + uint64(k.SharedStatic()); s > 0 {
		n = min(n, int(uint64(a.SharedPerSM)/(s+ReservedShared(a))))
	}
	if regs := k.Registers(); regs > 0 {
		perWarp := (regs*arch.WarpSize + regUnit - 1) / regUnit * regUnit
		n = min(n, a.RegsPerSM/(perWarp*warps))
	}
	return n
}
