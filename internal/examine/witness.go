package examine

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/check/memory"
	"github.com/warpgrind/warpgrind/internal/check/race"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/kernels"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/static"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// The bounds of runs that confirm findings: of one run, what an array and dynamic shared memory of unknown
// size have, all arrays together, and a scalar whose value the example does not depend on.
const (
	confirmTime   = 10 * time.Second
	confirmSteps  = 1 << 20
	confirmBlocks = 1 << 12
	confirmArray  = 1 << 20
	confirmShared = 1 << 14
	mostArrays    = 1 << 28
	anyScalar     = 1
)

// confirm runs the examples of findings on zeroed arrays, and makes those errors that show.
func (s *staticSession) confirm(ctx context.Context, text []byte, u *static.Unit, found []*finding.Finding) error {
	if !s.cfg.Confirm {
		return nil
	}
	for _, f := range found {
		if f.Rule != race.Rule.ID && f.Rule != memory.Rule.ID || f.Level < finding.Warning || ctx.Err() != nil {
			continue
		}
		l, sizes, why := exampleLaunch(u, f.Example)
		for _, one := range []bool{false, true} { // the pointers may point to one array
			if why != "" {
				break
			}
			shown, capsule, err := s.shows(ctx, text, f, l, sizes, one)
			var refused *kernels.RefusedError
			switch {
			case errors.As(err, &refused):
				why = refused.Message
			case err != nil:
				return err
			case shown:
				f.Level, f.Confidence, f.Message = finding.Error, finding.Confirmed, cmp.Or(f.Example.Message, f.Message)
				f.Notes = append(f.Notes, "confirmed by a run of "+describeExample(u, f.Example, one))
				if capsule != "" {
					f.Notes = append(f.Notes, "run it again with warpgrind replay "+capsule)
				}
			}
			if shown || len(sizes) < 2 {
				break
			}
		}
		if f.Confidence != finding.Confirmed {
			if why == "" {
				why = "a run of " + describeExample(u, f.Example, false) + " does not show it"
			}
			f.Notes = append(f.Notes, "not confirmed: "+why)
		}
	}
	return nil
}

// exampleLaunch is a launch of an example, of which the pointers point to buffers of these sizes in bytes, or why there is
// none.
func exampleLaunch(u *static.Unit, x *finding.Example) (l kernels.KernelLaunch, sizes []uint64, why string) {
	if x == nil {
		return l, nil, "it depends on what is not an argument"
	}
	l = kernels.KernelLaunch{Kernel: u.F.Name, Grid: extents(x.Grid), Block: extents(x.Block), Shared: confirmShared}
	if l.Grid.Size() > confirmBlocks {
		return l, nil, fmt.Sprintf("the example has %d blocks", l.Grid.Size())
	}
	if u.Launch.Shared >= 0 {
		l.Shared = uint32(u.Launch.Shared)
	}
	pointer := pointerParams(u)
	for i, v := range u.F.PTX.Params {
		value, known := x.Arguments[i]
		switch {
		case len(v.Dims) > 0:
			var s kernels.KernelArgument
			s, sizes = exampleStructure(u, x, i, sizes)
			l.Arguments = append(l.Arguments, s)
			continue
		case pointer[i]:
			l.Arguments = append(l.Arguments, kernels.KernelArgument{Buffer: len(sizes)})
			sizes = append(sizes, sizeOfArray(x, i, 0))
			continue
		case !known:
			value = anyScalar
		}
		l.Arguments = append(l.Arguments, kernels.KernelArgument{Buffer: -1, Value: binary.LittleEndian.AppendUint64(nil, value)[:v.Size()]})
	}
	all := uint64(0)
	for _, n := range sizes {
		all += min(n, mostArrays)
	}
	if all > mostArrays {
		return l, nil, fmt.Sprintf("the example has arrays of more than %d MiB", mostArrays>>20)
	}
	return l, sizes, ""
}

// sizeOfArray is the size in bytes of the array that a pointer of an example is to.
func sizeOfArray(x *finding.Example, param, offset int) uint64 {
	if n, ok := x.Sizes[[2]int{param, offset}]; ok {
		return n
	}
	return confirmArray
}

// exampleStructure is the structure that a kernel takes as an argument: pointers in it point to further buffers.
func exampleStructure(u *static.Unit, x *finding.Example, param int, sizes []uint64) (kernels.KernelArgument, []uint64) {
	a := kernels.KernelArgument{Buffer: -1, Value: make([]byte, u.F.PTX.Params[param].Size()), Pointers: map[int]int{}}
	for _, m := range u.Members() {
		if m.Param != param || m.Offset+m.Size > len(a.Value) {
			continue
		}
		if m.Pointer && m.Size == 8 {
			a.Pointers[m.Offset] = len(sizes)
			sizes = append(sizes, sizeOfArray(x, param, m.Offset))
			continue
		}
		value, known := x.Members[[2]int{param, m.Offset}]
		if !known {
			value = anyScalar
		}
		copy(a.Value[m.Offset:m.Offset+m.Size], binary.LittleEndian.AppendUint64(nil, value))
	}
	return a, sizes
}

// pointerParams are the parameters that are pointers, as the kernel's name or its PTX has it.
func pointerParams(u *static.Unit) map[int]bool {
	out := map[int]bool{}
	types := buffers.ParamTypes(u.F.Name)
	for i, v := range u.F.PTX.Params {
		out[i] = slices.Contains(v.Attrs, "ptr") || len(types) == len(u.F.PTX.Params) && strings.HasSuffix(types[i], "*")
	}
	return out
}

func extents(d [3]uint32) trace.Dim3 { return trace.Dim3{X: d[0], Y: d[1], Z: d[2]} }

// shows runs a launch with arrays of these sizes, with all pointers to one array if one is set, and reports whether it has a finding,
// and where the launch is recorded if that is asked for.
func (s *staticSession) shows(ctx context.Context, text []byte, f *finding.Finding, l kernels.KernelLaunch, sizes []uint64, one bool) (shown bool, capsule string, err error) {
	call := kernels.Call{Launches: []kernels.KernelLaunch{l}}
	for i, n := range sizes {
		call.Buffers = append(call.Buffers, kernels.Buffer{Name: fmt.Sprint(i), Size: n, Contents: make([]byte, n)})
	}
	if one {
		args := slices.Clone(l.Arguments)
		for i := range args {
			args[i].Buffer = min(args[i].Buffer, 0)
			args[i].Pointers = maps.Clone(args[i].Pointers)
			for at := range args[i].Pointers {
				args[i].Pointers[at] = 0
			}
		}
		call.Launches[0].Arguments = args
	}
	limited, cancel := context.WithTimeout(ctx, confirmTime)
	defer cancel()
	k := &kernels.Kernels{Name: "example", PTX: text, Calls: []kernels.Call{call}}
	cfg := session.Config{Config: build.Config{Arch: s.cfg.Arch}, RunConfig: session.RunConfig{MaxSteps: confirmSteps, Workers: s.cfg.Workers}, CheckConfig: session.CheckConfig{RaceModel: s.Report.RaceModel, Tools: f.Rule}}
	if s.cfg.Record != "" {
		cfg.Record = filepath.Join(s.cfg.Record, fmt.Sprintf("example-%d", s.recorded+1))
	}
	called, err := k.Call(limited, cfg)
	if err != nil {
		return false, "", err
	}
	shown = slices.ContainsFunc(called.Findings, func(o *finding.Finding) bool {
		return o.Rule == f.Rule && o.Level >= finding.Error && atSameLines(o, f)
	})
	if cfg.Record == "" {
		return shown, "", nil
	}
	files, err := filepath.Glob(filepath.Join(cfg.Record, "launch-*.json"))
	if shown && len(files) == 1 {
		s.recorded++
		return true, files[0], err
	}
	return shown, "", errors.Join(err, os.RemoveAll(cfg.Record))
}

// atSameLines reports whether two findings are about the same lines, in any order.
func atSameLines(a, b *finding.Finding) bool {
	lines := func(f *finding.Finding) []string {
		var out []string
		for _, p := range append([]finding.Place{f.Primary}, f.Related...) {
			out = append(out, fmt.Sprintf("%s:%d", p.Loc.File, p.Loc.Line))
		}
		slices.Sort(out)
		return out
	}
	return slices.Equal(lines(a), lines(b))
}

// describeExample puts the launch of an example into words.
func describeExample(u *static.Unit, x *finding.Example, one bool) string {
	grid, block := extents(x.Grid), extents(x.Block)
	text := fmt.Sprintf("<<<(%d,%d,%d), (%d,%d,%d)>>>", grid.X, grid.Y, grid.Z, block.X, block.Y, block.Z)
	var with []string
	pointer := pointerParams(u)
	for i := range u.F.PTX.Params {
		if value, ok := x.Arguments[i]; ok && !pointer[i] {
			with = append(with, fmt.Sprintf("%s = %d", u.Param(i), value))
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(x.Members), func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) }) {
		with = append(with, fmt.Sprintf("%s = %d", u.Part(static.Part{Param: at[0], Offset: at[1]}), x.Members[at]))
	}
	if one {
		with = append(with, "all pointers to one array")
	}
	if len(with) > 0 {
		text += " with " + strings.Join(with, ", ")
	}
	return text + " on zeroed arrays"
}
