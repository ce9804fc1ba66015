package tensor

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// undefinedCells are cells of D that a product makes undefined.
type undefinedCells struct {
	env             *Block
	lane, column, n int
	origin          uint32
}

// follow finds which parts of D become undefined: rows and columns with an undefined factor, and
// cells to which a product is added while they are undefined. That nothing wrote what is read of shared
// memory is found by the events of its reads.
func (x *tensorRun) follow() {
	if !x.u.warp.Following() {
		return
	}
	origins := map[*trace.Site]uint32{}
	fresh := func(site *trace.Site) uint32 {
		if _, ok := origins[site]; !ok {
			origins[site] = x.u.unsetTensor(site, x.me)[x.l]
		}
		return origins[site]
	}
	for part, env := range x.envs {
		for _, g := range x.segments() {
			for i := range x.rows {
				x.followRow(env, g, i, fresh)
			}
			x.followColumns(env, g, fresh)
		}
		x.followShared(part, env)
	}
}

// followShared looks at what A and B have in a block's shared memory. Of B it is followed into the D of the same block.
func (x *tensorRun) followShared(part int, env *Block) {
	if t := env.Taints().Shared; t == nil || !t.Any() {
		return
	}
	n := x.desc.N / len(x.envs)
	rows, columns := make([]uint32, x.rows), make([]uint32, n+x.moved)
	env.undefinedIn(x.a, x.desc.A, x.desc.TransA, rows)
	env.undefinedIn(x.b, x.desc.B, x.desc.TransB, columns)
	for _, g := range x.segments() {
		for i, from := range rows {
			_, lane, first := x.cellsOf(env, g, i)
			if from != 0 {
				x.undefined = append(x.undefined, undefinedCells{env, lane, first, g.columns, from})
			}
			for j, from := range columns[x.moved:] {
				if c := part*n + j - g.first; from != 0 && c >= 0 && c < g.columns {
					x.undefined = append(x.undefined, undefinedCells{env, lane, first + c, 1, from})
				}
			}
		}
	}
}

// undefinedIn is the origin of an undefined cell of a lane, 0 for none.
func (x *tensorRun) undefinedIn(t *tensorMemory, lane, column, n int, site *trace.Site, fresh func(*trace.Site) uint32) uint32 {
	if t.unwritten(lane, column, n) >= 0 {
		return fresh(site)
	}
	if t.taint == nil || !t.taint.Any() {
		return 0
	}
	for c := column; c < column+n; c++ {
		if u, from := t.tainted(lane, c); u != 0 {
			return from
		}
	}
	return 0
}

// followRow looks at what a row of D is computed from.
func (x *tensorRun) followRow(env *Block, g segment, i int, fresh func(*trace.Site) uint32) {
	t := env.memory()
	_, lane, column := x.cellsOf(env, g, i)
	for k, in := range x.reads(lane - x.laneOf(g, i)) {
		at, n := lane, in.columns
		switch {
		case x.DescA == program.NoSlot && k == 0:
		case x.Sparse && (k == 0 || k == 1 && x.DescA == program.NoSlot):
			if n == 1 {
				at = lane&^15 + lane%8
			}
		default: // scales
			at, n = lane/32*32+i%32, 1
			if in.column += i / 32; k == len(x.reads(0))-1 {
				continue // those of B
			}
		}
		if from := x.undefinedIn(t, at, in.column, n, x.Reads, fresh); from != 0 {
			x.undefined = append(x.undefined, undefinedCells{env, lane, column, g.columns, from})
		}
	}
	if x.fresh() || t.unwritten(lane, column, g.columns) < 0 && (t.taint == nil || !t.taint.Any()) {
		return
	}
	for c := column; c < column+g.columns; c++ {
		if from := x.undefinedIn(t, lane, c, 1, x.Site, fresh); from != 0 {
			x.undefined = append(x.undefined, undefinedCells{env, lane, c, 1, from})
		}
	}
}

// followColumns looks at the scales of B.
func (x *tensorRun) followColumns(env *Block, g segment, fresh func(*trace.Site) uint32) {
	if x.desc.Scales == 0 {
		return
	}
	t := env.memory()
	_, from := x.u.address(&x.ScaleB, x.l)
	_, column := x.d()
	for i := range x.rows {
		lane := x.laneOf(g, i)
		for j := range g.columns {
			if o := x.undefinedIn(t, lane/32*32+j%32, from+j/32, 1, x.Reads, fresh); o != 0 {
				x.undefined = append(x.undefined, undefinedCells{env, lane, column + j, 1, o})
			}
		}
	}
}

// taintResult makes D undefined where follow found it so, and defined elsewhere.
func (x *tensorRun) taintResult() {
	if !x.u.warp.Following() {
		return
	}
	_, column := x.d()
	for part, env := range x.envs {
		for _, g := range x.segments() {
			for i := range x.rows {
				if _, lane, _ := x.cellsOf(env, g, i); !x.disabled(part, lane) {
					env.memory().define(lane, column, g.columns)
				}
			}
		}
	}
	for _, u := range x.undefined {
		for c := u.column; c < u.column+u.n; c++ {
			u.env.memory().taintCell(u.lane, c, ^uint32(0), u.origin|trace.Computed)
		}
	}
}
