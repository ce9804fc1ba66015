package host

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/ptx/link"
)

// doLoadLinked links the modules with relocatable device code of one image of
// the program, and loads the result. It answers the number of the first one;
// the others' follow.
func (p *process) doLoadLinked(q *request, in *protocol.LoadLinked, r *reply, out *protocol.LoadLinkedReply) {
	var parts []link.Part
	var first Meta
	for i, part := range in.Parts {
		var m Meta
		if err := json.Unmarshal(part.Meta, &m); err != nil {
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
		text, err := m.text(part, p.s.cfg.Arch.SM)
		if err != nil {
			p.badModule(r, name, err)
			return
		}
		parts = append(parts, link.Part{Name: name, Text: text})
	}
	if err := p.loadLinked(q.device, parts, first, setOf(in.Managed)); err != nil {
		p.badModule(r, first.Module, err)
		return
	}
	out.First = uint32(len(p.modules) - len(parts))
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
