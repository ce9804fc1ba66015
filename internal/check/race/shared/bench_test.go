package shared

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// recorder keeps events to play them again without the cost of making them.
type recorder struct {
	accesses []*trace.Access
	barriers []bool // before access i
}

func (r *recorder) add(p *player, site, warp int, mask uint32, addr func(int) int) {
	a := &trace.Access{Site: p.launch.Sites[site], Space: trace.SpaceShared, Warp: warp, Mask: mask, Addr: new([32]uint64),
		Data: values(func(l, _ int) uint64 { return uint64(l) })}
	for l := range 32 {
		a.Addr[l] = uint64(addr(l))
	}
	r.accesses = append(r.accesses, a)
	r.barriers = append(r.barriers, false)
}

func (r *recorder) barrier() { r.barriers[len(r.barriers)-1] = true }

// patterns are the shared-memory traffic of well-known kernels, without races.
var patterns = map[string]func(p *player, r *recorder){
	// Each thread writes and reads its own element.
	"own": func(p *player, r *recorder) {
		for w := range 8 {
			r.add(p, wr, w, ^uint32(0), own(w))
			r.add(p, rd, w, ^uint32(0), own(w))
		}
		r.barrier()
	},
	// 16x16 tiles: two writes, a barrier, 16 reads each of a row and a column.
	"matmul": func(p *player, r *recorder) {
		for w := range 8 {
			r.add(p, wr, w, ^uint32(0), own(w))
			r.add(p, wr2, w, ^uint32(0), func(l int) int { return 4096 + own(w)(l) })
		}
		r.barrier()
		for w := range 8 {
			for k := range 16 {
				r.add(p, rd, w, ^uint32(0), func(l int) int { return 4 * (16*(2*w+l/16) + k) })
				r.add(p, vrd, w, ^uint32(0), func(l int) int { return 4096 + 4*(16*k+l%16) })
			}
		}
		r.barrier()
	},
	// A tree reduction of 256 elements.
	"reduce": func(p *player, r *recorder) {
		for s := 128; s > 0; s /= 2 {
			for w := range (s + 31) / 32 {
				m := all(min(s, 32))
				r.add(p, rd, w, m, own(w))
				r.add(p, vrd, w, m, func(l int) int { return own(w)(l) + 4*s })
				r.add(p, wr, w, m, own(w))
			}
			r.barrier()
		}
	},
	// A transposed tile of 32x33: rows in, columns out.
	"transpose": func(p *player, r *recorder) {
		for w := range 8 {
			for y := range 4 {
				r.add(p, wr, w, ^uint32(0), func(l int) int { return 4 * (33*(4*w+y) + l) })
			}
		}
		r.barrier()
		for w := range 8 {
			for y := range 4 {
				r.add(p, rd, w, ^uint32(0), func(l int) int { return 4 * (33*l + 4*w + y) })
			}
		}
		r.barrier()
	},
	// Atomics on bins that the data chooses.
	"histogram": func(p *player, r *recorder) {
		for i := range 8 * 8 {
			r.add(p, at, i%8, ^uint32(0), func(l int) int { return 4 * ((l*7919 + i*104729) % 256) })
		}
		r.barrier()
	},
	// 16-byte rows.
	"float4": func(p *player, r *recorder) {
		for w := range 8 {
			r.add(p, rd16, w, ^uint32(0), func(l int) int { return 16 * (32*w + l) })
		}
		r.barrier()
	},
	// A 5-point stencil on a tile of 18x18.
	"stencil": func(p *player, r *recorder) {
		at := func(w, l, dy, dx int) int { return 4 * (18*(2*w+l/16+1+dy) + l%16 + 1 + dx) }
		for w := range 8 {
			r.add(p, wr, w, ^uint32(0), func(l int) int { return at(w, l, 0, 0) })
		}
		r.barrier()
		for w := range 8 {
			for i, d := range [][2]int{{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}} {
				r.add(p, []int{rd, vrd, rd, vrd, rd}[i], w, ^uint32(0), func(l int) int { return at(w, l, d[0], d[1]) })
			}
		}
		r.barrier()
	},
}

// BenchmarkAccess measures one warp access.
func BenchmarkAccess(b *testing.B) {
	for _, name := range []string{"own", "matmul", "reduce", "stencil", "transpose", "histogram", "float4"} {
		b.Run(name, func(b *testing.B) {
			p := newPlayer(b, check.ITS, 256, 1)
			p.begin(0)
			var r recorder
			patterns[name](p, &r)
			full := []uint32{^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0), ^uint32(0)}
			bar := &trace.Barrier{Site: p.launch.Sites[bar], Arrived: full, Synced: full, Full: true}
			b.ReportAllocs()
			b.ResetTimer()
			for i := 0; i < b.N; {
				for j, a := range r.accesses {
					p.to.Shared(a)
					if r.barriers[j] {
						p.to.Barrier(bar)
					}
					i++
				}
			}
			b.StopTimer()
			if fs := p.end(); len(fs) != 0 {
				b.Fatalf("found %s", brief(fs))
			}
		})
	}
}
