package global

import (
	"encoding/binary"
	"sync"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// paths remembers which full barriers the blocks of a launch passed, in order.
// Nearly all blocks of a kernel pass the same ones.
type paths struct {
	mu sync.Mutex
	// list has the different paths, each site's number in 4 bytes; index is its
	// inverse; of has the path of each block, nil while there is only one path.
	list  []string
	index map[string]int32
	of    []int32
}

// maxPath bounds the barriers that are remembered of a block.
const maxPath = 4096

// path is the way of a running block.
type path []byte

func (p *path) add(s *trace.Site) {
	if len(*p) < 4*maxPath {
		*p = binary.LittleEndian.AppendUint32(*p, uint32(s.ID))
	}
}

// end notes a block's whole path; blocks is the size of the grid.
func (ps *paths) end(block, blocks uint64, p path) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	i, ok := ps.index[string(p)]
	if !ok {
		i = int32(len(ps.list))
		if ps.index == nil {
			ps.index = map[string]int32{}
		}
		ps.index[string(p)] = i
		ps.list = append(ps.list, string(p))
	}
	if i > 0 && ps.of == nil {
		ps.of = make([]int32, blocks)
	}
	if ps.of != nil {
		ps.of[block] = i
	}
}

// site returns the number of the barrier that began a block's interval, ok is
// false for the kernel's start and where it is not known.
func (ps *paths) site(block, interval uint32) (id int, ok bool) {
	if interval == 0 || len(ps.list) == 0 {
		return 0, false
	}
	p := ps.list[0]
	if ps.of != nil {
		p = ps.list[ps.of[block]]
	}
	if int(interval)*4 > len(p) {
		return 0, false
	}
	return int(binary.LittleEndian.Uint32([]byte(p[4*interval-4:]))), true
}
