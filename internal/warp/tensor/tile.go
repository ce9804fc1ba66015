package tensor

import (
	"encoding/binary"
	"math"

	"github.com/warpgrind/warpgrind/internal/warp/matrix"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

func tileOf[T float32 | int32](p **tensorTile[T]) *tensorTile[T] {
	if *p == nil {
		*p = new(tensorTile[T])
	}
	return *p
}

// decoder unpacks 16 bytes: packed ones as they are in shared memory, others as in tensor memory.
// It returns the number of elements.
type decoder[T float32 | int32] func(e program.Elem, packed bool, b []byte, out *[32]T) int

// multiplyTensors carries a product out.
func multiplyTensors[T float32 | int32](x *tensorRun, t *tensorTile[T], decode decoder[T]) {
	readB(x, t, decode)
	for part, env := range x.envs {
		if x.a != nil {
			readA(x, t, env, decode)
		}
		for _, g := range x.segments() {
			if x.a == nil {
				readTensorA(x, t, env, g, decode)
			}
			spreadA(x, t, env, g)
			multiplySegment(x, t, env, part, g)
		}
	}
}

// readB reads B from the shared memory of each block, whose columns follow each other.
func readB[T float32 | int32](x *tensorRun, t *tensorTile[T], decode decoder[T]) {
	var out [32]T
	n := x.desc.N / len(x.envs)
	for part, env := range x.envs {
		put := func(i, k int, v T) {
			if j := i - x.moved; j >= 0 && j < n {
				j += part * n
				if x.zero != nil && x.zero[j] {
					v = 0
				}
				t.b[k/x.block*x.desc.N*x.block+j/8*8*x.block+k%x.block*8+j%8] = v
			}
		}
		eachPiece(x.b, env, x.desc.B, n+x.moved, x.desc.K, x.desc.TransB, decode, &out, put)
	}
}

// readA reads A from a block's shared memory.
func readA[T float32 | int32](x *tensorRun, t *tensorTile[T], env *Block, decode decoder[T]) {
	var out [32]T
	k := x.storedK()
	eachPiece(x.a, env, x.desc.A, x.rows, k, x.desc.TransA, decode, &out, func(i, j int, v T) {
		if i < x.rows {
			t.raw[i*k+j] = v
		}
	})
}

// eachPiece calls put for each element of a matrix in shared memory.
func eachPiece[T float32 | int32](p *places, env *Block, e program.Elem, outer, k int, trans bool, decode decoder[T], out *[32]T, put func(i, k int, v T)) {
	per, shared := perPiece(e), env.Place().Shared
	if trans {
		pieces := (outer + per - 1) / per
		for j := range k {
			for c := range pieces {
				n := decode(e, true, shared[p.at[j*pieces+c]:][:matrix.PieceBytes], out)
				for i, v := range out[:n] {
					put(c*per+i, j, v)
				}
			}
		}
		return
	}
	pieces := k / per
	for i := range outer {
		for c := range pieces {
			n := decode(e, true, shared[p.at[i*pieces+c]:][:matrix.PieceBytes], out)
			for j, v := range out[:n] {
				put(i, c*per+j, v)
			}
		}
	}
}

// readTensorA reads A from tensor memory, from the lanes in which D is.
func readTensorA[T float32 | int32](x *tensorRun, t *tensorTile[T], env *Block, g segment, decode decoder[T]) {
	var out [32]T
	var b [matrix.PieceBytes]byte
	k := x.storedK()
	base, column := x.u.address(&x.A, x.l)
	for row := range x.rows {
		lane, at := base+x.laneOf(g, row), 0
		if x.Shift && lane%32 != 31 {
			lane++
		}
		for c := column; at < k; c += 4 {
			cells := env.memory().row(lane, c, 4)
			for i, v := range cells {
				binary.LittleEndian.PutUint32(b[4*i:], v)
			}
			at += copy(t.raw[row*k+at:][:k-at], out[:decode(x.desc.A, false, b[:], &out)])
		}
	}
}

// spreadA makes A of what is stored: with the zeros of a sparse one, and negated where just one of
// A and B is.
func spreadA[T float32 | int32](x *tensorRun, t *tensorTile[T], env *Block, g segment) {
	k, stored := x.desc.K, x.storedK()
	base, _ := x.d()
	for i := range x.rows {
		row := t.raw[i*stored : (i+1)*stored]
		if x.Sparse {
			clear(t.row[:k])
			lane := base + x.laneOf(g, i)
			matrix.SparseRow(row, t.row[:k], x.desc.A, func(chunk int) uint32 { return x.metadata(env.memory(), lane, chunk) })
			row = t.row[:k]
		}
		for at := 0; at < k; at += x.block {
			dst := t.a[at*x.rows+i*x.block:][:x.block]
			copy(dst, row[at:])
			if x.desc.NegA != x.desc.NegB {
				for j := range dst {
					dst[j] = -dst[j]
				}
			}
		}
	}
}

// multiplySegment computes a part of a block's D.
func multiplySegment[T float32 | int32](x *tensorRun, t *tensorTile[T], env *Block, part int, g segment) {
	n := x.rows * g.columns
	load(x, t.c[:n], env, g)
	for at := 0; at < x.desc.K; at += x.block {
		a, b := t.a[at*x.rows:], t.b[at*x.desc.N+g.first*x.block:]
		if x.desc.Scales == 0 {
			matrix.Multiply(a, b, t.c[:], x.rows, g.columns, x.block)
			continue
		}
		clear(t.part[:n])
		matrix.Multiply(a, b, t.part[:], x.rows, g.columns, x.block)
		addScaled(x, t, env, g, at/x.block)
	}
	put(x, t.c[:n], env, part, g)
}

// addScaled adds the products of block number k with their scales.
func addScaled[T float32 | int32](x *tensorRun, t *tensorTile[T], env *Block, g segment, k int) {
	m := env.memory()
	var columns [4][256]float64
	for q := range columns {
		for j := range g.columns {
			columns[q][j] = x.scale(m, &x.ScaleB, x.desc.ScaleB, q, j, k)
		}
	}
	for i := range x.rows {
		q := x.laneOf(g, i) / 32
		row := x.scale(m, &x.ScaleA, x.desc.ScaleA, q, i, k)
		for j := range g.columns {
			at := i*g.columns + j
			t.c[at] += T(float64(t.part[at]) * row * columns[q][j])
		}
	}
}

// cellsOf are the cells of a row of a segment of D.
func (x *tensorRun) cellsOf(env *Block, g segment, row int) (cells []uint32, lane, column int) {
	base, column := x.d()
	lane = base + x.laneOf(g, row)
	return env.memory().row(lane, column, g.columns), lane, column
}

// load reads D; of integers, which are added at the end, it makes zeros.
func load[T float32 | int32](x *tensorRun, c []T, env *Block, g segment) {
	floats, ok := any(c).([]float32)
	if !ok || x.fresh() {
		clear(c)
		return
	}
	down := float32(math.Ldexp(1, -x.Down))
	half := matrix.Halves()
	for i := range x.rows {
		cells, _, _ := x.cellsOf(env, g, i)
		row := floats[i*g.columns:]
		for j, v := range cells {
			if x.desc.D == program.ElemF16 {
				row[j] = half[v&0xffff] * down
			} else {
				row[j] = math.Float32frombits(v) * down
			}
		}
	}
}

// put writes D.
func put[T float32 | int32](x *tensorRun, c []T, env *Block, part int, g segment) {
	fresh := x.fresh()
	for i := range x.rows {
		cells, lane, column := x.cellsOf(env, g, i)
		if x.disabled(part, lane) {
			continue
		}
		switch row := any(c[i*g.columns : (i+1)*g.columns]).(type) {
		case []float32:
			putFloats(cells, row, x.desc.D)
		case []int32:
			putSums(cells, row, fresh, x.desc.Saturate)
		}
		env.memory().wrote(lane, column, g.columns)
	}
}

func putFloats(cells []uint32, row []float32, e program.Elem) {
	for j, v := range row {
		switch {
		case e == program.ElemF16:
			cells[j] = matrix.RoundHalf(v)
		case v != v:
			cells[j] = matrix.CanonicalNaN
		default:
			cells[j] = math.Float32bits(v)
		}
	}
}

// putSums adds exact sums of products to what was there, and clamps the result if it is to
// saturate.
func putSums(cells []uint32, row []int32, fresh, saturate bool) {
	for j, v := range row {
		sum := int64(v)
		if !fresh {
			sum += int64(int32(cells[j]))
		}
		if saturate {
			sum = min(max(sum, math.MinInt32), math.MaxInt32)
		}
		cells[j] = uint32(sum)
	}
}

// tensorFloats is the decoder of floats.
func tensorFloats(e program.Elem, packed bool, b []byte, out *[32]float32) int {
	switch e {
	case program.ElemE2M3, program.ElemE3M2, program.ElemE2M1:
		if packed {
			width := 6
			if e == program.ElemE2M1 {
				width = 4
			}
			p := matrix.UnpackElements([matrix.PieceBytes]byte(b), width)
			b = p[:]
		}
		t := matrix.Eights(e)
		for i, v := range b {
			out[i] = t[v]
		}
		return len(b)
	case program.ElemF4:
		t := matrix.Eights(program.ElemE2M1)
		for i, v := range b {
			out[2*i], out[2*i+1] = t[v&15<<2], t[v>>4<<2]
		}
		return 2 * len(b)
	}
	return floatPiece(e, b, (*[16]float32)(out[:16]))
}

// tensorInts is the decoder of integers.
func tensorInts(e program.Elem, _ bool, b []byte, out *[32]int32) int {
	return intPiece(e, b, (*[16]int32)(out[:16]))
}
