package executed

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Coverage returns what was executed of all modules that were loaded, without lines that text does not have, and the errors of
// modules whose coverage cannot be read.
func (l *Listing) Coverage(text func(file string) (string, bool)) (r *coverage.Result, failed []error) {
	c := coverage.NewCollector()
	for _, name := range l.loaded {
		if err := addUnits(c, l.modules[name]); err != nil {
			failed = append(failed, err)
		}
	}
	for _, k := range l.kernels {
		if m := l.modules[k.module]; m != nil {
			(&kernelCoverage{Collector: c, blocks: k.inOrder(), decided: k.decided}).count(m)
		}
	}
	r = c.Result()
	r.DropLines(text)
	return r, failed
}

// addUnits adds what there is to cover in a module.
func addUnits(c *coverage.Collector, m *ptx.Module) error {
	for _, item := range m.Items {
		raw, ok := item.(*ptx.Raw)
		if !ok {
			continue
		}
		u, ok, err := coverage.ReadUnit(raw.Text)
		if err == nil && ok {
			err = c.Add(u)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// kernelCoverage adds the executions of a kernel.
type kernelCoverage struct {
	*coverage.Collector
	blocks  []trace.Executed
	decided map[int]trace.Decided
	// warps has the most executions by warps of an instruction of each line of the function at hand.
	warps map[inlinedLine]uint64
}

// inlinedLine is a line of one copy of an inlined function.
type inlinedLine struct {
	pos   source.Pos
	calls string
}

// count adds the executions by the markers and the source lines in the kernel's blocks.
func (k *kernelCoverage) count(m *ptx.Module) {
	for _, item := range m.Items {
		f, ok := item.(*ptx.Func)
		if !ok || f.Body == nil {
			continue
		}
		k.warps = map[inlinedLine]uint64{}
		k.scope(f.Body)
		for at, warps := range k.warps {
			k.Executed(at.pos, warps)
		}
	}
}

// scope adds the executions of a scope of a function. Blocks that the kernel does not have are not in the list.
func (k *kernelCoverage) scope(scope *ptx.Block) {
	var condition *pragma.Counter
	for _, s := range scope.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			k.scope(s)
		case *ptx.Raw:
			b := blockAt(k.blocks, s.Pos.Line)
			if mark, ok := pragma.ReadCount(s.Text); ok && b != nil {
				k.Count(mark.Counter, coverage.Count{Threads: b.Threads, Warps: b.Warps})
			}
			if mark, ok := pragma.ReadDecide(s.Text); ok {
				condition = &mark.Counter
			}
		case *ptx.Instr:
			k.instruction(s, condition)
			condition = nil
		}
	}
}

// instruction adds the executions of an instruction, and of the condition that it stands for.
func (k *kernelCoverage) instruction(in *ptx.Instr, condition *pragma.Counter) {
	if d, ok := k.decided[in.Pos.Line]; ok && condition != nil {
		k.Decide(*condition, coverage.Decision{Yes: coverage.Count{Threads: d.Yes, Warps: d.YesWarps}, No: coverage.Count{Threads: d.No, Warps: d.NoWarps}, Diverged: d.Both})
	}
	if b := blockAt(k.blocks, in.Pos.Line); b != nil && in.Loc.IsValid() {
		at := inlinedLine{source.Pos{File: in.Loc.File, Line: in.Loc.Line}, fmt.Sprint(in.Loc.InlinedAt)}
		k.warps[at] = max(k.warps[at], b.Warps)
	}
}
