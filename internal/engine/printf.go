package engine

import (
	"cmp"
	"slices"

	"github.com/warpgrind/warpgrind/internal/warp/devrt"
)

// DefaultPrintf is the bytes of the printf buffer where nothing else is asked for
// (CUDA C++ Programming Guide, "Formatted Output", "Associated Host-Side API").
const DefaultPrintf = 1 << 20

// blockOutput is what a block printed.
type blockOutput struct {
	block uint64
	text  []byte
}

// keep takes what a block has printed so far.
func (r *run) keep(b *block) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.addOutput(b)
}

// addOutput is keep with r.mu held. All blocks print to one buffer, in which the
// newest text stays; to be the same at any number of workers, that is the text of
// the last blocks.
func (r *run) addOutput(b *block) {
	r.lost += b.env.Runtime.Lost
	b.env.Runtime.Lost = 0
	if len(b.env.Runtime.Out) == 0 {
		return
	}
	r.bytes += uint64(len(b.env.Runtime.Out))
	r.output = append(r.output, blockOutput{b.env.Block.Index, slices.Clone(b.env.Runtime.Out)})
	if r.bytes > 4*r.printf {
		r.dropOldest()
	}
}

// dropOldest drops the text of the first blocks that has no room.
func (r *run) dropOldest() {
	slices.SortStableFunc(r.output, func(a, b blockOutput) int { return cmp.Compare(a.block, b.block) })
	first := 0
	for r.bytes-uint64(len(r.output[first].text)) >= r.printf {
		r.bytes -= uint64(len(r.output[first].text))
		r.lost += uint64(len(r.output[first].text))
		first++
	}
	r.output = slices.Delete(r.output, 0, first)
}

// printed takes what the blocks that have ended printed and is still in the buffer.
func (r *run) printed() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.output) == 0 {
		return nil
	}
	r.dropOldest()
	var text []byte
	for _, o := range r.output {
		text = append(text, o.text...)
	}
	text, lost := devrt.Newest(text, r.printf)
	r.lost += lost
	r.output, r.bytes = nil, 0
	return text
}
