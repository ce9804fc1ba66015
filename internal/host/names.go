package host

import (
	"context"
	"fmt"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/mem"
)

// maxName bounds the bytes of a name that is shown.
const maxName = 80

// doName takes the program's own name for a stream (0) or for memory (1). One
// for something else is of no use, and no error.
func (p *process) doName(_ context.Context, q *request, _ *reply) {
	what, id, name := q.u8(), q.u64(), q.str()
	if q.bad || name == "" {
		return
	}
	name = strconv.Quote(name[:min(len(name), maxName)])
	switch what {
	case 0:
		if id <= legacyStream || p.streams[id] != nil {
			p.order(Order{Kind: OrderName, Device: p.deviceOf(q, id), Stream: streamName(id), Name: name})
		}
	case 1:
		if al := p.s.cfg.Arena.Find(id); al != nil && al.Base == id && al.Kind != mem.Symbol {
			al.Where = fmt.Sprintf("%s, named %s", al.Where, name)
		}
	}
}
