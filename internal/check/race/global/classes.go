package global

import (
	"github.com/warpgrind/warpgrind/internal/check/race/hb"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// class is what decides whether accesses of a site conflict with those of another; see
// hb.Conflict.
type class struct {
	read, narrow bool
	strength     hb.Strength
	elem         int
	reach        hb.Reach
}

func classOf(in *hb.Site) class {
	return class{in.Kind == trace.Read, in.Narrow != nil, in.Strength, in.Elem, hb.ReachOf(in.Scope)}
}

// rivals has the classes of a launch's sites: a bit tells that accesses of two sites, or of
// all of a line and one more, do not conflict.
type rivals struct {
	of []uint8 // by site
	// against has, by class, those that may conflict with it. The last class is for all
	// that find no room; it conflicts with each.
	against [maxClasses]uint32
}

const maxClasses = 32

// may reports whether accesses of two sites may conflict.
func (r *rivals) may(a, b int32) bool { return r.against[r.of[a]]>>r.of[b]&1 != 0 }

func rivalsAmong(sites []hb.Site) *rivals {
	r := &rivals{of: make([]uint8, len(sites))}
	numbers := map[class]uint8{}
	var one []*hb.Site // of each class
	for i := range sites {
		in := &sites[i]
		n, ok := numbers[classOf(in)]
		if !ok {
			if n = uint8(len(one)); n < maxClasses-1 {
				one = append(one, in)
			}
			numbers[classOf(in)] = n
		}
		r.of[i] = n
	}
	for i, x := range one {
		r.against[i] |= 1 << (maxClasses - 1)
		for j, y := range one {
			if hb.Conflict(x, y, hb.OverBlock) || hb.Conflict(x, y, hb.OverCluster) || hb.Conflict(x, y, hb.OverDevice) {
				r.against[i] |= 1 << j
			}
		}
	}
	r.against[maxClasses-1] = ^uint32(0)
	return r
}
