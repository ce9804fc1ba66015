package session

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// covered puts into the report what was executed of all modules that were loaded.
func (s *session) covered(l *listing) {
	c := coverage.NewCollector()
	for _, name := range l.loaded {
		if err := addUnits(c, l.modules[name]); err != nil {
			s.report.Messages = append(s.report.Messages, fmt.Sprintf("no coverage of a module: %v", err))
		}
	}
	for _, k := range l.kernels {
		if m := l.modules[k.module]; m != nil {
			countExecuted(c, m, k.inOrder())
		}
	}
	r := c.Result()
	r.DropLines(s.files.Text)
	s.report.Coverage = r
}

// addUnits adds what there is to cover in a module.
func addUnits(c *coverage.Collector, m *ptx.Module) error {
	for _, item := range m.Items {
		raw, ok := item.(*ptx.Raw)
		if !ok {
			continue
		}
		u, ok, err := coverage.UnitIn(raw.Text)
		if err == nil && ok {
			err = c.Add(u)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// countExecuted adds the executions of a kernel, by the markers and the source lines in its blocks.
func countExecuted(c *coverage.Collector, m *ptx.Module, blocks []trace.Executed) {
	for _, item := range m.Items {
		f, ok := item.(*ptx.Func)
		if !ok || f.Body == nil {
			continue
		}
		w := lineWarps{}
		countIn(c, f.Body, blocks, w)
		for at, warps := range w {
			c.Executed(at.pos, warps)
		}
	}
}

// inlinedLine is a line of one copy of an inlined function.
type inlinedLine struct {
	pos   source.Pos
	calls string
}

// lineWarps has the most executions by warps of an instruction of each line.
type lineWarps map[inlinedLine]uint64

// countIn adds the executions of a scope of a function. Blocks that the kernel does not have are not in the list.
func countIn(c *coverage.Collector, scope *ptx.Block, blocks []trace.Executed, w lineWarps) {
	for _, s := range scope.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			countIn(c, s, blocks, w)
		case *ptx.Raw:
			mark, ok := coverage.MarkerIn(s.Text)
			if b := blockAt(blocks, s.Pos.Line); ok && b != nil {
				c.Count(mark, coverage.Count{Threads: b.Threads, Warps: b.Warps})
			}
		case *ptx.Instr:
			if b := blockAt(blocks, s.Pos.Line); b != nil && s.Loc.IsValid() {
				at := inlinedLine{source.Pos{File: s.Loc.File, Line: s.Loc.Line}, fmt.Sprint(s.Loc.InlinedAt)}
				w[at] = max(w[at], b.Warps)
			}
		}
	}
}
