package judge

import (
	"fmt"
	"math"
	"slices"

	"github.com/warpgrind/warpgrind/internal/kernels"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// plan is a job with all expressions computed.
type plan struct {
	job    *Job
	shapes [][]int // of arguments; nil for scalars
	counts []int
	// scalars has the bytes of scalars by argument.
	scalars  [][]byte
	launches []kernels.KernelLaunch
	// reference are the launches of a reference kernel.
	reference []kernels.KernelLaunch
	calls     int
	// contents are those of arguments by call, nil for what begins uninitialized.
	contents [][][]byte
	// same is set if all calls would have equal inputs, so that there is one.
	same bool
	// note asks runs for what the host gives the device, follow also for where it gets to.
	note, follow bool
}

// maxBytes bounds the memory of all arguments.
const maxBytes = 1 << 30

// newPlan computes what a job says.
func newPlan(j *Job) (*plan, error) {
	p := &plan{job: j}
	total := 0
	for i := range j.Arguments {
		a := &j.Arguments[i]
		var shape []int
		var value []byte
		n := 1
		for _, e := range a.Shape {
			v, err := e.Eval(j.Shapes)
			if err != nil {
				return nil, fmt.Errorf("argument %s: %w", a.Name, err)
			}
			if v < 1 || v > maxBytes || int64(n) > maxBytes/v {
				return nil, fmt.Errorf("argument %s: extents of %d bytes in all, from 1 on, are what there is room for", a.Name, maxBytes)
			}
			shape, n = append(shape, int(v)), n*int(v)
		}
		if a.Role == Scalar {
			var err error
			if value, err = a.Value.encode(a.Type, j.Shapes); err != nil {
				return nil, fmt.Errorf("argument %s: %w", a.Name, err)
			}
		} else if total += n * a.Type.size(); total > maxBytes {
			return nil, fmt.Errorf("the arguments have more than %d bytes", maxBytes)
		}
		p.shapes, p.counts, p.scalars = append(p.shapes, shape), append(p.counts, n), append(p.scalars, value)
	}
	if err := p.bounds(); err != nil {
		return nil, err
	}
	var err error
	list := j.Launches
	if j.Host != nil {
		taken, returned := j.hostArguments()
		list = []Launch{{Arguments: slices.Concat(taken, returned)}}
	}
	if p.launches, err = p.launchList(list); err != nil {
		return nil, err
	}
	if k := j.Reference.Kernel; k != nil {
		if p.reference = slices.Clone(p.launches); k.Launches != nil {
			if p.reference, err = p.launchList(k.Launches); err != nil {
				return nil, fmt.Errorf("reference: %w", err)
			}
		}
	}
	p.planCalls()
	return p, p.fill()
}

// bounds checks the limits on what a job makes.
func (p *plan) bounds() error {
	output := uint64(0)
	for i := range p.job.Arguments {
		if a := &p.job.Arguments[i]; a.isOutput() {
			output += uint64(p.counts[i] * a.Type.size())
		}
	}
	if output > p.job.Limits.Output {
		return fmt.Errorf("the outputs have %d bytes, and the limit is %d", output, p.job.Limits.Output)
	}
	return nil
}

// planCalls decides how many calls there are.
func (p *plan) planCalls() {
	if p.calls = p.job.Calls; p.calls == 0 {
		p.calls = DefaultCalls
	}
	p.same = true
	for i := range p.job.Arguments {
		a := &p.job.Arguments[i]
		if (a.Role == Input || a.Role == InOut) && a.Data.varies() {
			p.same = false
		}
	}
	if p.same || p.job.Reference.Expected != nil {
		p.calls = 1
	}
}

// fill makes the contents of all calls.
func (p *plan) fill() error {
	for c := range p.calls {
		var list [][]byte
		for i := range p.job.Arguments {
			a := &p.job.Arguments[i]
			var b []byte
			if a.Role == Input || a.Role == InOut {
				var err error
				if b, err = a.Data.bytes(a.Type, p.counts[i], a.Name, p.job.Seed, c); err != nil {
					return fmt.Errorf("argument %s: %w", a.Name, err)
				}
			}
			list = append(list, b)
		}
		p.contents = append(p.contents, list)
	}
	return nil
}

func (p *plan) launchList(list []Launch) (out []kernels.KernelLaunch, err error) {
	for i := range list {
		l, err := p.launch(&list[i])
		if err != nil {
			return nil, fmt.Errorf("launch %d: %w", i+1, err)
		}
		out = append(out, l)
	}
	return out, nil
}

func (p *plan) launch(l *Launch) (out kernels.KernelLaunch, err error) {
	out.Kernel, out.Cooperative = l.Kernel, l.Cooperative
	for _, d := range []struct {
		to   *trace.Dim3
		list []Expr
	}{{&out.Grid, l.Grid}, {&out.Block, l.Block}, {&out.Cluster, l.Cluster}} {
		if *d.to, err = p.extent(d.list); err != nil {
			return out, err
		}
	}
	if l.Shared != nil {
		n, err := l.Shared.Eval(p.job.Shapes)
		if err != nil || n < 0 || n > math.MaxUint32 {
			return out, fmt.Errorf("%d bytes of shared memory: %w", n, err)
		}
		out.Shared = uint32(n)
	}
	names := l.Arguments
	if names == nil {
		for i := range p.job.Arguments {
			names = append(names, p.job.Arguments[i].Name)
		}
	}
	for _, name := range names {
		i := p.job.argument(name)
		a := kernels.KernelArgument{Buffer: p.buffer(i), Value: p.scalars[i]}
		out.Arguments = append(out.Arguments, a)
	}
	return out, nil
}

// buffer is the index of an argument among the buffers of a call, -1 for a scalar.
func (p *plan) buffer(argument int) int {
	if p.job.Arguments[argument].Role == Scalar {
		return -1
	}
	n := 0
	for i := range argument {
		if p.job.Arguments[i].Role != Scalar {
			n++
		}
	}
	return n
}

// extent computes an extent; those that are missing are 1, and all of none are 0.
func (p *plan) extent(list []Expr) (d trace.Dim3, err error) {
	if len(list) == 0 {
		return d, nil
	}
	d = trace.Dim3{X: 1, Y: 1, Z: 1}
	for i, to := range []*uint32{&d.X, &d.Y, &d.Z} {
		if i >= len(list) {
			break
		}
		v, err := list[i].Eval(p.job.Shapes)
		if err != nil {
			return d, err
		}
		if v < 0 || v > math.MaxUint32 {
			return d, fmt.Errorf("an extent of %d", v)
		}
		*to = uint32(v)
	}
	return d, nil
}

// call is a call of the kernels with the contents of one of the plan's.
func (p *plan) call(c int, launches []kernels.KernelLaunch) kernels.Call {
	out := kernels.Call{Launches: launches}
	for i := range p.job.Arguments {
		if a := &p.job.Arguments[i]; a.Role != Scalar {
			out.Buffers = append(out.Buffers, kernels.Buffer{Name: a.Name, Size: uint64(p.counts[i] * a.Type.size()), Contents: p.contents[c][i]})
		}
	}
	return out
}
