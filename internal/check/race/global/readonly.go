package global

import (
	"encoding/binary"
	"math"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// leaveOut finds the sites that only read allocations to which the launch does
// not write: where the addresses of all writes come from known parameters,
// reads of other allocations cannot race.
func (d *Detector) leaveOut() {
	if d.config.Private == nil {
		return // all are to be watched
	}
	written := map[int]bool{}
	for i, s := range d.launch.Sites {
		if !d.watched[i] || !s.Kind.Writes() {
			continue
		}
		ids := allocationsOf(d.launch, s)
		if ids == nil {
			return
		}
		for _, id := range ids {
			written[id] = true
		}
	}
	for i, s := range d.launch.Sites {
		ids := allocationsOf(d.launch, s)
		free := ids != nil && s.Kind == trace.Read
		for _, id := range ids {
			free = free && !written[id]
		}
		if free {
			d.watched[i] = false
		}
	}
}

// allocationsOf returns those that a site's address may be in, nil where that is
// not known.
func allocationsOf(l *trace.Launch, s *trace.Site) (ids []int) {
	if s.Texture {
		return texturesOf(l, s.Kind.Writes())
	}
	if l.Memory == nil {
		return nil
	}
	for _, at := range s.Roots {
		if uint64(at)+8 > uint64(len(l.Params)) {
			return nil
		}
		v := binary.LittleEndian.Uint64(l.Params[at:])
		if m, ok := l.Memory(v); ok {
			ids = append(ids, m.ID)
		} else if v > math.MaxUint32 && int64(v) > 0 { // a pointer beside the one that is meant
			return nil
		}
	}
	return ids
}

// texturesOf is allocationsOf for reads, or writes, through a texture or surface object, whichever it is.
func texturesOf(l *trace.Launch, written bool) []int {
	if l.Textures == nil {
		return nil
	}
	list, ok := l.Textures(written)
	if !ok {
		return nil
	}
	ids := []int{}
	for _, m := range list {
		ids = append(ids, m.ID)
	}
	return ids
}
