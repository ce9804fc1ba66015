package executed

import (
	"cmp"
	"maps"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/report"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Listing collects the PTX of the kernels that run and how often each instruction is
// executed. The engine counts basic blocks: an instruction counts as executed also where
// its guard is false.
type Listing struct {
	modules map[string]*ptx.Module
	// loaded are their names in the order of loading.
	loaded []string
	// kernels are in the order of their first launches.
	kernels []*listedKernel
}

// listedKernel is a kernel over all its launches; blocks are by their first line.
type listedKernel struct {
	module, name string
	blocks       map[int]trace.Executed
	decided      map[int]trace.Decided // by line
}

func NewListing() *Listing { return &Listing{modules: map[string]*ptx.Module{}} }

// Noting notes the modules that edit, nil for nothing, has changed.
func (l *Listing) Noting(edit func(*ptx.Module)) func(*ptx.Module) {
	return func(m *ptx.Module) {
		if edit != nil {
			edit(m)
		}
		if l.modules[m.Name] == nil {
			l.loaded = append(l.loaded, m.Name)
		}
		l.modules[m.Name] = m
	}
}

func (l *Listing) Observer() *trace.Observer {
	return &trace.Observer{Launch: func(t *trace.Launch) []*trace.LaunchObserver {
		return []*trace.LaunchObserver{{
			Executed: func(n []trace.Executed) { l.at(t.Module, t.Kernel).add(n) },
			Decided:  func(n []trace.Decided) { l.at(t.Module, t.Kernel).decide(n) },
		}}
	}}
}

func (l *Listing) at(module, kernel string) *listedKernel {
	for _, k := range l.kernels {
		if k.module == module && k.name == kernel {
			return k
		}
	}
	k := &listedKernel{module: module, name: kernel, blocks: map[int]trace.Executed{}, decided: map[int]trace.Decided{}}
	l.kernels = append(l.kernels, k)
	return k
}

func (k *listedKernel) add(list []trace.Executed) {
	for _, n := range list {
		if n.First == 0 {
			continue
		}
		was := k.blocks[n.First]
		n.Warps += was.Warps
		n.Threads += was.Threads
		k.blocks[n.First] = n
	}
}

func (k *listedKernel) decide(list []trace.Decided) {
	for _, n := range list {
		was := k.decided[n.Line]
		k.decided[n.Line] = trace.Decided{Line: n.Line, Yes: n.Yes + was.Yes, No: n.No + was.No, YesWarps: n.YesWarps + was.YesWarps, NoWarps: n.NoWarps + was.NoWarps, Both: n.Both + was.Both}
	}
}

// inOrder are the blocks in the order of their lines.
func (k *listedKernel) inOrder() []trace.Executed {
	return slices.SortedFunc(maps.Values(k.blocks), func(a, b trace.Executed) int { return cmp.Compare(a.First, b.First) })
}

// maxListed bounds the instructions of all kernels that are listed.
const maxListed = 50_000

// Code is the listing for the report. Kernels for which there is no room have no
// instructions.
func (l *Listing) Code() []report.Code {
	var out []report.Code
	left := maxListed
	for _, k := range l.kernels {
		c := l.codeOf(k)
		if left -= len(c.Instructions); left < 0 {
			c.Instructions = nil
		}
		out = append(out, c)
	}
	return out
}

// codeOf lists the functions of a kernel of which a block was executed.
func (l *Listing) codeOf(k *listedKernel) report.Code {
	c := report.Code{Kernel: k.name, KernelName: finding.Demangle(k.name)}
	m := l.modules[k.module]
	if m == nil {
		return c
	}
	blocks := k.inOrder()
	for _, item := range m.Items {
		if f, ok := item.(*ptx.Func); ok && f.Body != nil && executed(blocks, f) {
			c.Instructions = list(c.Instructions, f.Body, blocks)
		}
	}
	return c
}

// executed reports whether one of the blocks lies in f and was executed.
func executed(blocks []trace.Executed, f *ptx.Func) bool {
	return slices.ContainsFunc(blocks, func(b trace.Executed) bool {
		return b.Warps > 0 && b.First >= f.Body.Pos.Line && b.Last <= f.Body.End.Line
	})
}

// list adds the instructions of a scope and of those in it.
func list(to []report.Instruction, scope *ptx.Block, blocks []trace.Executed) []report.Instruction {
	for _, s := range scope.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			to = list(to, s, blocks)
		case *ptx.Instr:
			i := report.Instruction{PTX: s.String(), PTXLine: s.Pos.Line}
			if s.Loc.IsValid() {
				i.File, i.Line = s.Loc.File, s.Loc.Line
			}
			if b := blockAt(blocks, s.Pos.Line); b != nil {
				i.Warps, i.Threads = b.Warps, b.Threads
			}
			to = append(to, i)
		}
	}
	return to
}

// Fidelity counts what was executed by how closely the engine computes it.
func (l *Listing) Fidelity() *report.Fidelity {
	out := &report.Fidelity{}
	counts := map[string]uint64{}
	for _, k := range l.kernels {
		for _, c := range l.executedIn(k) {
			counts[c.op] += c.warps
		}
	}
	for _, op := range slices.Sorted(maps.Keys(counts)) {
		x := report.Executions{Instruction: op, Warps: counts[op]}
		switch isa.FidelityOf(op) {
		case isa.Exact:
			out.Exact += x.Warps
		case isa.Approximate:
			out.Approximate = append(out.Approximate, x)
		case isa.Unsupported:
			out.Unsupported = append(out.Unsupported, x)
		}
	}
	return out
}

// executedOp is an instruction that warps have executed.
type executedOp struct {
	op    string
	warps uint64
}

// executedIn lists the instructions that a kernel has executed.
func (l *Listing) executedIn(k *listedKernel) []executedOp {
	m := l.modules[k.module]
	if m == nil {
		return nil
	}
	var out []executedOp
	blocks := k.inOrder()
	var walk func(scope *ptx.Block)
	walk = func(scope *ptx.Block) {
		for _, st := range scope.Stmts {
			switch st := st.(type) {
			case *ptx.Block:
				walk(st)
			case *ptx.Instr:
				if b := blockAt(blocks, st.Pos.Line); b != nil && b.Warps > 0 {
					out = append(out, executedOp{st.Opcode(), b.Warps})
				}
			}
		}
	}
	for _, item := range m.Items {
		if f, ok := item.(*ptx.Func); ok && f.Body != nil && executed(blocks, f) {
			walk(f.Body)
		}
	}
	return out
}

// blockAt is the block that has a line, nil for none. blocks are in the order of their lines.
func blockAt(blocks []trace.Executed, line int) *trace.Executed {
	at, exact := slices.BinarySearchFunc(blocks, line, func(b trace.Executed, line int) int { return cmp.Compare(b.First, line) })
	if !exact {
		at--
	}
	if at < 0 || line > blocks[at].Last {
		return nil
	}
	return &blocks[at]
}
