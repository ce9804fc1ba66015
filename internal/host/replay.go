package host

import "context"

// Replay runs launches that come from a file or a job, not from a program. What kernels ask of the
// device runtime is executed as for a program, and the hooks and the observer are told the same.
type Replay struct{ p *process }

// NewReplay makes a replay. Of cfg, what concerns programs does not count.
func NewReplay(cfg Config) *Replay { return &Replay{newProcess(New(cfg))} }

// Run runs a launch of a kernel of a module, and the child grids that come of it, which have the
// numbers from next on. info has all that it needs, but for who serves its child grids. The result is
// what all of them printed, in order, and false if one failed.
func (r *Replay) Run(ctx context.Context, m Module, k Kernel, info *LaunchInfo, next int) (printed []byte, ok bool) {
	p := r.p
	p.ctx, p.sticky, p.text, p.pending = ctx, Success, nil, 0
	p.s.launches.Store(int64(next))
	if f := p.s.cfg.Hooks.Launch; f != nil {
		f(info)
	}
	own := &module{Module: m, name: info.Module}
	p.runGrid(ctx, &kernel{Kernel: k, module: own}, info, 0)
	return p.text, p.sticky == Success
}

// Launches is the number of the next launch.
func (r *Replay) Launches() int { return r.p.s.Launches() }

// Abandoned reports whether a kernel still runs although its context has ended. It may use the arena.
func (r *Replay) Abandoned() bool { return r.p.s.Abandoned() }
