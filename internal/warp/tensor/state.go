package tensor

import (
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// The steps that are executed here.
type (
	wgmma          program.Wgmma
	wgmmaOrder     program.WgmmaOrder
	productCheck   program.ProductCheck
	registerChange program.RegisterChange
	localFlight    program.LocalFlight
	localChange    program.LocalChange
	setRegisters   program.SetRegisters
	tensorManage   program.TensorManage
	tensorCopy     program.TensorCopy
	tensorShift    program.TensorShift
	tensorCommit   program.TensorCommit
	tensorMove     program.TensorMove
	tensorWait     program.TensorWait
	tensorProduct  program.TensorProduct
)

// tile is scratch for one warp's part of a warpgroup's product: stored has A as it is
// stored, 16 rows of at most 32 elements; a is A with a sparse one's zeros; b has at most 256 columns of
// at most 64 elements, in groups of eight columns; c is 16 by 256.
type tile[T float32 | int32] struct {
	stored [16 * 32]T
	a      [16 * 64]T
	b      [64 * 256]T
	c      [16 * 256]T
}

// products is what the warps of a block share for wgmma.
type products struct {
	floats tile[float32]
	ints   tile[int32]
	places map[placesKey]*places
	groups []warpgroup
	// tensorFloats and tensorInts are for tcgen05.mma, nil before the first.
	tensorFloats *tensorTile[float32]
	tensorInts   *tensorTile[int32]
}

// wgmmaState are a warp's products on their way.
type wgmmaState struct {
	// open are those of no group yet, groups those of each committed one, by number.
	open   []inFlight
	groups [][]inFlight
	// fenced is set by the first wgmma.fence, changed has what may have changed registers since the last one, by its number.
	fenced  bool
	changed map[int]*trace.Site
	// places has the changes that are in local memory, by address, loads those that loads from it have got.
	places map[uint64]change
	loads  map[int]change
}

// change is what has made a value since the last wgmma.fence: a product, or what computed with the result of one.
type change struct {
	id      int
	site    *trace.Site
	product bool
}

// inFlight is a product on its way, with its numbers among the asynchronous operations of
// the block and in the log of its warpgroup.
type inFlight struct {
	step *program.Wgmma
	op   uint64
	at   int
}

func (x *wgmmaState) reset() {
	x.open, x.groups, x.fenced = x.open[:0], x.groups[:0], false
	x.fence()
}

// fence forgets the changes.
func (x *wgmmaState) fence() {
	clear(x.changed)
	clear(x.places)
	clear(x.loads)
}

func (b *Block) scratch() *products {
	if b.products == nil {
		b.products = &products{places: map[placesKey]*places{}}
	}
	return b.products
}

// flying is what a register, or a place in local memory, holds of an operation that may be on its way: a product of wgmma
// by its number, or a load from tensor memory by how often the warp had waited for loads. The zero value is none.
type flying struct {
	product *program.Wgmma
	op      uint64
	load    *program.TensorMove
	waits   uint64
}

// flights follow such values through local memory: where they were stored, by the address of the first lane that did, and what loads
// got, by the loads' numbers.
type flights struct {
	stored map[uint64]flying
	loaded map[int]flying
	// waits counts the waits for loads from tensor memory.
	waits uint64
}

func (x *flights) reset() {
	clear(x.stored)
	clear(x.loaded)
	x.waits = 0
}

// A warpgroup is four warps with contiguous numbers, the first of which is a multiple of 4
// (PTX ISA, "Warpgroup"). All of them must execute the same wgmma instructions, with the
// same descriptors. The engine runs each warp's part by itself, so this is checked by a log: warp
// i's n-th operation must be the one that the first warp to get there has executed.
//
// A product is one operation of the four: it is not complete before the last of them has issued
// it. So who waits for it waits for the others to come that far, and knows then that all parts
// have ended: one thread of a warpgroup may tell others that its tiles may be overwritten.
type warpgroup struct {
	// log has the operations from number first on that not all warps have executed.
	log   []loggedOp
	first int
	// done counts those of each warp, ended has the warps that have exited, waiting those that
	// wait for others to issue a product.
	done    [4]int
	ended   [4]bool
	waiting [4]*Unit
}

// groupOp is an operation of a warpgroup: its site, and the descriptors of a product.
type groupOp struct {
	site *trace.Site
	a, b uint64
}

// loggedOp is an operation in the log; async is a product's number among the asynchronous
// operations of the block.
type loggedOp struct {
	groupOp
	async uint64
}

// registerPool is what the warps of a block share for setmaxnreg (PTX ISA, section of that name): the block's registers,
// and what each warpgroup has executed. All warps of a warpgroup must execute the same setmaxnreg.
type registerPool struct {
	// start is how many registers a thread has when the block begins, 0 where that is not known: then no warp waits.
	// free counts the registers of the block that no warp has.
	start, free int
	// has are the registers of a thread by warp, 0 where that is not known.
	has []int
	// done counts the setmaxnreg of each warp, asked is the one at which it waits, nil for none.
	done  []int
	asked []*setRegisters
	// groups are those that a warp of each warpgroup has executed, in order.
	groups [][]*setRegisters
}

// places are where a matrix lies in shared memory.
type places struct {
	// at has the address of each piece, in the order of eachPiece. ranges are the same
	// bytes, in order and joined. end is the first address after them.
	at     []uint32
	ranges []trace.Range
	end    uint64
	// outer is how often pieces follow each other along the other dimension: the rows or columns, or K where the
	// matrix is MN-major.
	outer int
}

// placesKey is what decides them: the descriptor, of tcgen05 if tensor is set, and the extents, and for
// A the warp's place in the warpgroup.
type placesKey struct {
	desc          uint64
	outer, pieces int
	major, tensor bool
	quarter       int
}

// tensorTile is scratch for one tcgen05.mma: raw is A as it is stored, by rows; a and b are A and B
// in blocks of one scale, A by rows and B in groups of eight columns; c is D of one segment,
// part a product before it is scaled.
type tensorTile[T float32 | int32] struct {
	raw     [128 * 64]T
	a       [128 * 128]T
	b       [128 * 256]T
	c, part [128 * 256]T
	row     [128]T
}
