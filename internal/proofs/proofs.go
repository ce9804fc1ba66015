// Package proofs keeps what is proved of the launches of a run before they begin: which
// accesses to global memory stay within one thread, and which blocks do the same in
// shared memory. The race rule does not watch what is proved, and the engine asks
// whether blocks meet at all.
//
// A Cache gets each loaded module, builds a kernel's SSA form when a proof first asks for
// it, and keeps proofs by what they depend on: shape, arguments and what these point
// to. A proof takes about as long as watching 32,768 threads, so that smaller
// launches are watched instead.
package proofs

import (
	"sync"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// Worthwhile is the number of threads from which on a proof is worth its time: below,
// watching all accesses costs less.
const Worthwhile = 1 << 15

// Cache keeps the SSA forms of the loaded modules' kernels and the proofs about their
// launches. Its methods may be called by several goroutines.
type Cache struct {
	// From is the number of threads from which on a launch is examined.
	From uint64

	mu      sync.Mutex
	modules map[string]*ptx.Module
	forms   map[string]*ssa.Func
	// symbols are the addresses of the modules' variables.
	symbols map[string]map[string]uint64

	// equivalent and private are the last proofs by kernel; proving guards both.
	equivalent map[string]*equivalentBlocks
	private    map[string]*privateAccesses
	proving    sync.Mutex
}

// Add takes note of a module. Of two with one name neither is used: a kernel's
// name would not say which is meant.
func (c *Cache) Add(m *ptx.Module) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.modules == nil {
		c.modules, c.forms = map[string]*ptx.Module{}, map[string]*ssa.Func{}
	}
	if _, ok := c.modules[m.Name]; ok {
		m = &ptx.Module{Name: m.Name}
	}
	c.modules[m.Name] = m
}

// Link takes note of where a module's variables are.
func (c *Cache) Link(module string, addr map[string]uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.symbols == nil {
		c.symbols = map[string]map[string]uint64{}
	}
	c.symbols[module] = addr
}

// symbol returns the address of a module's variable.
func (c *Cache) symbol(module, name string) (addr uint64, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	addr, ok = c.symbols[module][name]
	return addr, ok
}

// Clear forgets all modules, before a program is run again.
func (c *Cache) Clear() {
	c.proving.Lock()
	defer c.proving.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.modules, c.forms, c.symbols, c.equivalent, c.private = nil, nil, nil, nil, nil
}

// Form returns the SSA form of a kernel, nil if it has none.
func (c *Cache) Form(module, name string) *ssa.Func {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := module + " " + name
	g, ok := c.forms[key]
	if !ok && c.modules[module] != nil {
		if k := c.modules[module].Func(name); k != nil && k.Body != nil {
			g, _ = ssa.Build(c.modules[module], k, ssa.Options{}) // what cannot be built is watched
		}
		c.forms[key] = g
	}
	return g
}
