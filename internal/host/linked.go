package host

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/warpgrind/warpgrind/internal/ptx/link"
)

// maxLinked bounds the modules that are linked to one.
const maxLinked = 1 << 16

// doLoadLinked links the modules with relocatable device code of one image of
// the program, and loads the result. It answers the number of the first one;
// the others' follow.
func (p *process) doLoadLinked(_ context.Context, q *request, r *reply) {
	n := q.u32()
	if n == 0 || n > maxLinked {
		q.bad = true
		return
	}
	var parts []link.Part
	var first Meta
	for i := range n {
		var m Meta
		meta := q.bytes(q.u64())
		ptx := q.bytes(q.u64())
		if q.bad {
			return
		}
		if err := json.Unmarshal(meta, &m); err != nil {
			p.badModule(r, "module", fmt.Errorf("metadata: %w", err))
			return
		}
		if i == 0 {
			first = m
		}
		name := m.Module
		if name == "" {
			name = filepath.Base(m.Source)
		}
		parts = append(parts, link.Part{Name: name, Text: ptx})
	}
	managed := map[string]bool{}
	for range q.u32() {
		managed[q.str()] = true
	}
	if q.bad {
		return
	}
	if err := p.loadLinked(q.device, parts, first, managed); err != nil {
		p.badModule(r, first.Module, err)
		return
	}
	r.u32(uint32(len(p.modules) - len(parts)))
}

// loadLinked adds a module for each part; all of them are one but for the
// names that only a part may see.
func (p *process) loadLinked(device uint8, parts []link.Part, meta Meta, managed map[string]bool) error {
	linked, err := link.Link(parts)
	if err != nil {
		return err
	}
	for _, renamed := range linked.Renamed {
		for name, to := range renamed {
			managed[to] = managed[name]
		}
	}
	whole, err := p.load(device, p.moduleName(device, meta, linked.Text), linked.Text, meta, managed)
	if err != nil {
		return err
	}
	for _, renamed := range linked.Renamed {
		m := *whole
		m.renamed = renamed
		p.modules = append(p.modules, &m)
	}
	return nil
}

// local is the name in the module for a name in one of its parts.
func (m *module) local(name string) string {
	if to, ok := m.renamed[name]; ok {
		return to
	}
	return name
}
