package warpgrind

import (
	"fmt"
	"slices"
	"sync"

	"github.com/warpgrind/warpgrind/internal/analysis/alike"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// forms makes the static form of the kernels of loaded modules, for rules that
// prove with it what need not be watched.
type forms struct {
	// from is the number of threads from which on a proof is worth its time:
	// below, watching all accesses costs less.
	from    uint64
	mu      sync.Mutex
	modules map[string]*ptx.Module
	built   map[string]*ssa.Func
	// alike are the last proofs by kernel.
	alike map[string]*alikeProofs
	// ownedProofs are the last proofs about global memory by kernel; proving
	// guards them.
	ownedProofs map[string]*ownedProof
	proving     sync.Mutex
	// symbols are the addresses of the modules' variables.
	symbols map[string]map[string]uint64
}

// add takes note of a module. Of two with one name neither is used: a kernel's
// name would not say which is meant.
func (f *forms) add(m *ptx.Module) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.modules == nil {
		f.modules, f.built = map[string]*ptx.Module{}, map[string]*ssa.Func{}
	}
	if _, ok := f.modules[m.Name]; ok {
		m = &ptx.Module{Name: m.Name}
	}
	f.modules[m.Name] = m
}

// link takes note of where a module's variables are.
func (f *forms) link(module string, addr map[string]uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.symbols == nil {
		f.symbols = map[string]map[string]uint64{}
	}
	f.symbols[module] = addr
}

// symbol returns the address of a module's variable.
func (f *forms) symbol(module, name string) (addr uint64, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	addr, ok = f.symbols[module][name]
	return addr, ok
}

// clear forgets all modules, before a program is run again.
func (f *forms) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.modules, f.built, f.symbols, f.alike, f.ownedProofs = nil, nil, nil, nil, nil
}

// proveFrom is forms.from where no test says otherwise.
const proveFrom = 1 << 15

// kernel returns the form of a kernel for a proof about so many threads, nil if
// there is none or that is not worth it.
func (f *forms) kernel(module, name string, threads uint64) *ssa.Func {
	if threads < f.from {
		return nil
	}
	return f.text(module, name)
}

// text returns the form of a kernel, nil if there is none.
func (f *forms) text(module, name string) *ssa.Func {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := module + " " + name
	g, ok := f.built[key]
	if !ok && f.modules[module] != nil {
		if k := f.modules[module].Func(name); k != nil && k.Body != nil {
			g, _ = ssa.Build(f.modules[module], k, ssa.Options{}) // what cannot be built is watched
		}
		f.built[key] = g
	}
	return g
}

// alikeProofs are what is known of the launches of one kernel.
type alikeProofs struct {
	threads uint64
	last    []alikeProof // the latest one last
}

// alikeProof is a proof, nil for none, for one shape and arguments.
type alikeProof struct {
	key   string
	proof *alike.Proof
}

// maxAlike is how many proofs of one kernel are kept: programs launch with a few
// sets of arguments in turn.
const maxAlike = 16

// alikeBlocks is what rules get to find out which blocks of a launch do the same
// in shared memory, nil where all accesses are to be watched.
func (s *session) alikeBlocks() func(*trace.Launch) *alike.Proof {
	if s.cfg.WatchAll {
		return nil
	}
	return s.forms.alikeBlocks
}

// alikeBlocks proves that blocks of a launch are alike, or finds the proof of an
// equal launch.
func (f *forms) alikeBlocks(l *trace.Launch) *alike.Proof {
	if l.Grid.Size() < 2 || l.Grid.Size() >= 1<<32 {
		return nil
	}
	p, key := f.proofs(l.Module+" "+l.Kernel), fmt.Sprint(l.Grid, l.Block, l.SharedDynamic, l.Params)
	if i := slices.IndexFunc(p.last, func(x alikeProof) bool { return x.key == key }); i >= 0 {
		return p.last[i].proof
	}
	p.threads += l.Grid.Size() * l.Block.Size()
	g := f.kernel(l.Module, l.Kernel, p.threads)
	if g == nil {
		return nil
	}
	p.threads = 0 // launches with other arguments pay for the next proof
	x := alikeProof{key: key, proof: alike.Prove(g, alike.Launch{
		Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z}, Params: l.Params,
	})}
	if p.last = append(p.last, x); len(p.last) > maxAlike {
		p.last = slices.Delete(p.last, 0, 1)
	}
	return x.proof
}

func (f *forms) proofs(kernel string) *alikeProofs {
	if f.alike == nil {
		f.alike = map[string]*alikeProofs{}
	}
	p := f.alike[kernel]
	if p == nil {
		p = &alikeProofs{}
		f.alike[kernel] = p
	}
	return p
}
