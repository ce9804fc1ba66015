package host

import (
	"fmt"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// maxName bounds the bytes of a name that is shown.
const maxName = 80

// doName takes the program's own name for a stream or for memory. Other names are
// of no use, and no error.
func (p *process) doName(q *request, in *protocol.Name, _ *reply) {
	if in.Name == "" {
		return
	}
	id, name := in.ID, strconv.Quote(in.Name[:min(len(in.Name), maxName)])
	switch in.What {
	case protocol.NamedStream:
		if id <= legacyStream || p.streams[id] != nil {
			p.order(Order{Kind: OrderName, Device: p.deviceOf(q, id), Stream: streamName(id), Name: name})
		}
	case protocol.NamedMemory:
		if al := p.s.cfg.Arena.Find(id); al != nil && al.Base == id && al.Kind != mem.Symbol {
			al.Where = fmt.Sprintf("%s, named %s", al.Where, name)
		}
	}
}
