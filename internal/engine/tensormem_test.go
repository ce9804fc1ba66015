package engine_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

const header100 = ".version 8.8\n.target sm_100a\n.address_size 64\n"

// tensorImage is what tensor memory has, by lane and column.
type tensorImage [128][512]uint32

// tensorKernel runs body with tensor memory that was filled, by four warps of each of one or two
// blocks, and returns what it has then. Registers of body: %w is the number of the warp, %t that of
// the thread, %lane the warp's first lane (in the upper half), %res the thread's results. The
// mbarrier "bar" counts one arrival; "s" is shared memory.
type tensorKernel struct {
	before []*tensorImage
	shared [][]byte
	body   string
	regs   string // declarations
	words  int    // results of each thread
	// generic has the allocation write by a generic address.
	generic bool
}

func (k *tensorKernel) run(t testing.TB) (after []*tensorImage, results [][]uint32) {
	t.Helper()
	n := len(k.before)
	size := max(1024, len(k.shared[0]))
	in, out, sh := newBuffer(t, n*128*512*4), newBuffer(t, n*128*512*4), newBuffer(t, n*size)
	res := newBuffer(t, n*128*4*max(1, k.words))
	for b, img := range k.before {
		for lane := range img {
			for c, v := range img[lane] {
				binary.LittleEndian.PutUint32(in.bytes()[4*(b*128*512+lane*512+c):], v)
			}
		}
		copy(sh.bytes()[b*size:], k.shared[b])
	}
	l := launch{src: k.source(n, size), grid: n, block: 128, params: []any{in, out, sh, res}, arch: "sm_100", unchecked: true}
	if n > 1 {
		l.cluster = uint32(n)
	}
	mustRun(t, l)
	words := out.u32()
	for b := range n {
		img := new(tensorImage)
		for lane := range img {
			copy(img[lane][:], words[b*128*512+lane*512:])
		}
		after = append(after, img)
	}
	for i := range n * 128 {
		results = append(results, res.u32()[i*k.words:(i+1)*k.words])
	}
	return after, results
}

func (k *tensorKernel) source(blocks, size int) string {
	group, sync := "cta_group::1", "bar.sync 0;"
	if blocks > 1 {
		group, sync = "cta_group::2", "bar.sync 0; barrier.cluster.arrive; barrier.cluster.wait;"
	}
	alloc := "shared::cta.b32 [addr]"
	if k.generic {
		alloc = "b32 [%x]"
	}
	return header100 + strings.NewReplacer("RESULT", alloc, "GROUP", group, "SYNC", sync, "SIZE", fmt.Sprint(size), "REGS", k.regs, "BODY", k.body, "WORDS", fmt.Sprint(4*max(1, k.words))).Replace(`
.visible .entry k(.param .u64 in, .param .u64 out, .param .u64 sh, .param .u64 res) {
.shared .align 1024 .b8 s[SIZE]; .shared .align 8 .b64 bar; .shared .b32 addr;
.reg .b32 %w, %t, %b, %i, %v, %lane, %a, %m; .reg .b64 %in, %out, %sh, %res, %x; .reg .pred %p, %q, %first; REGS
ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %sh, [sh]; ld.param.u64 %res, [res];
mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; shr.u32 %w, %t, 5; shl.b32 %lane, %w, 21;
mad.lo.u32 %i, %b, 128, %t; mul.wide.u32 %x, %i, 2048; add.u64 %in, %in, %x; add.u64 %out, %out, %x;
mul.wide.u32 %x, %i, WORDS; add.u64 %res, %res, %x; mul.wide.u32 %x, %b, SIZE; add.u64 %sh, %sh, %x;
setp.eq.u32 %first, %t, 0; setp.ne.u32 %p, %w, 0; @%p bra ALLOCATED;
mov.u64 %x, addr; cvta.shared.u64 %x, %x; tcgen05.alloc.GROUP.sync.aligned.RESULT, 512;
@%first mbarrier.init.shared.b64 [bar], 1;
ALLOCATED:
shl.b32 %i, %t, 2;
COPY: setp.ge.u32 %p, %i, SIZE; @%p bra COPIED; cvt.u64.u32 %x, %i; add.u64 %x, %sh, %x; ld.global.b32 %v, [%x]; mov.u32 %m, s; add.u32 %m, %m, %i; st.shared.b32 [%m], %v; add.u32 %i, %i, 512; bra COPY;
COPIED: fence.proxy.async; SYNC
mov.u32 %i, 0;
FILL: mul.wide.u32 %x, %i, 4; add.u64 %x, %in, %x; ld.global.b32 %v, [%x]; add.u32 %a, %lane, %i;
tcgen05.st.sync.aligned.32x32b.x1.b32 [%a], {%v}; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 512; @%p bra FILL;
tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync; SYNC tcgen05.fence::after_thread_sync;
BODY
SYNC
mov.u32 %i, 0;
DUMP: add.u32 %a, %lane, %i; tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v}, [%a]; tcgen05.wait::ld.sync.aligned;
mul.wide.u32 %x, %i, 4; add.u64 %x, %out, %x; st.global.b32 [%x], %v; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 512; @%p bra DUMP;
SYNC
setp.ne.u32 %p, %w, 0; @%p bra DONE;
ld.shared.b32 %a, [addr];
tcgen05.dealloc.GROUP.sync.aligned.b32 %a, 512; tcgen05.relinquish_alloc_permit.GROUP.sync.aligned;
DONE: ret; }
`)
}

// issued is body for one thread, the first of the first block, and a wait of all threads for it.
func issued(text string, blocks int) string {
	group, mask, only := "cta_group::1", "", ""
	if blocks > 1 {
		group, mask, only = "cta_group::2", ".multicast::cluster", "setp.eq.and.u32 %first, %b, 0, %first;"
	}
	args := "[%x]"
	if mask != "" {
		args = "[%x], 3"
	}
	return only + " @!%first bra ISSUED;\n" + text + "\nmov.u64 %x, bar; cvta.shared.u64 %x, %x; tcgen05.commit." + group + ".mbarrier::arrive::one" + mask + ".b64 " + args + ";\nISSUED:\n" +
		"WAIT: mbarrier.try_wait.parity.shared.b64 %p, [bar], 0; @!%p bra WAIT; tcgen05.fence::after_thread_sync;\n"
}

func countedImage() *tensorImage {
	img := new(tensorImage)
	for lane := range img {
		for c := range img[lane] {
			img[lane][c] = uint32(lane)<<16 | uint32(c) | uint32(c*7%256)<<24
		}
	}
	return img
}

// tensorShapes are those of tcgen05.ld and st: registers for each repetition, and the cell of a
// thread's register, as CuTe's traits of the copies have it (bits by lane of 32 columns).
var tensorShapes = []struct {
	name        string
	lanes, regs int
	most        int
	// cell is where the values of a thread are: bits of a matrix whose rows have width bits.
	cell func(thread, reg, width int) int
	// width is that of a repetition.
	width int
}{
	{"32x32b", 32, 1, 128, func(t, r, w int) int { return t*w + 32*r }, 32},
	{"16x64b", 16, 1, 128, func(t, r, w int) int { return t%2*8*w + t/2%2*32 + t/4*w + 64*r }, 64},
	{"16x128b", 16, 2, 64, func(t, r, w int) int { return t%4*32 + t/4*w + r%2*8*w + r/2*128 }, 128},
	{"16x256b", 16, 4, 32, func(t, r, w int) int { return t%4*64 + t/4*w + r%2*32 + r/2%2*8*w + r/4*256 }, 256},
	{"16x32bx2", 16, 1, 128, nil, 32},
}

// TestTensorMove checks tcgen05.ld and tcgen05.st in each shape with each number of repetitions.
func TestTensorMove(t *testing.T) {
	i := 0
	for _, s := range tensorShapes {
		for n := 1; n <= s.most; n *= 2 {
			for _, half := range []bool{false, true} {
				for _, base := range []int{0, 16} {
					if base == 16 && s.lanes == 32 {
						continue
					}
					i++
					for _, store := range []bool{false, true} {
						name := fmt.Sprintf("%s x%d half=%v lane=%d store=%v", s.name, n, half, base, store)
						variant(t, i, name, func(t *testing.T) { moveCase(t, s.name, s.cell, n, n*s.regs, n*s.width, base, half, store) })
					}
				}
			}
		}
	}
}

func moveCase(t *testing.T, shape string, cell func(t, r, w int) int, n, regs, width, base int, half, store bool) {
	columns := width / 32
	factor := 1
	if half {
		factor = 2
	}
	split := max(200, columns*factor)
	column := min(5, 512-columns*factor)
	if shape == "16x32bx2" {
		column = min(5, 512-split-columns*factor)
	}
	place := func(thread, r int) (lane, col int) {
		lane0 := thread/32*32 + base
		if shape == "16x32bx2" {
			col = r * factor
			if thread%32 >= 16 {
				col += split
			}
			return lane0 + thread%16, column + col
		}
		at := cell(thread%32, r, width)
		return lane0 + at/width, column + at%width/32*factor
	}
	var list []string
	for r := range regs {
		list = append(list, fmt.Sprintf("%%r%d", r))
	}
	vector, extra := "{"+strings.Join(list, ", ")+"}", ""
	if shape == "16x32bx2" {
		extra = fmt.Sprintf(", %d", split)
	}
	k := &tensorKernel{before: []*tensorImage{countedImage()}, shared: [][]byte{nil}, regs: fmt.Sprintf(".reg .b32 %%r<%d>;", regs), words: regs}
	at := fmt.Sprintf("add.u32 %%a, %%lane, %d;\n", base<<16)
	if store {
		for r := range regs {
			at += fmt.Sprintf("mad.lo.u32 %%r%d, %%t, 256, %d; xor.b32 %%r%d, %%r%d, 0xabc00000;\n", r, r, r, r)
		}
		mod := ""
		if half {
			mod = ".unpack::16b"
		}
		k.body = at + fmt.Sprintf("tcgen05.st.sync.aligned.%s.x%d%s.b32 [%%a+%d]%s, %s;\ntcgen05.wait::st.sync.aligned;\n", shape, n, mod, column, extra, vector)
	} else {
		mod := ""
		if half {
			mod = ".pack::16b"
		}
		k.body = at + fmt.Sprintf("tcgen05.ld.sync.aligned.%s.x%d%s.b32 %s, [%%a+%d]%s;\ntcgen05.wait::ld.sync.aligned;\n", shape, n, mod, vector, column, extra)
		for r := range regs {
			k.body += fmt.Sprintf("st.global.b32 [%%res+%d], %%r%d;\n", 4*r, r)
		}
	}
	after, results := k.run(t)
	want := *k.before[0]
	for thread := range 128 {
		for r := range regs {
			lane, col := place(thread, r)
			if store {
				v := (uint32(thread)*256 + uint32(r)) ^ 0xabc00000
				if want[lane][col] = v; half {
					want[lane][col], want[lane][col+1] = v&0xffff, v>>16
				}
				continue
			}
			v := k.before[0][lane][col]
			if half {
				v = v&0xffff | k.before[0][lane][col+1]<<16
			}
			if got := results[thread][r]; got != v {
				t.Fatalf("thread %d, register %d: got %#x, want %#x of lane %d, column %d", thread, r, got, v, lane, col)
			}
		}
	}
	compareImages(t, after[0], &want)
}

func compareImages(t testing.TB, got, want *tensorImage) {
	t.Helper()
	for lane := range got {
		for c, v := range got[lane] {
			if v != want[lane][c] {
				t.Fatalf("lane %d, column %d: got %#x, want %#x", lane, c, v, want[lane][c])
			}
		}
	}
}

// reductionCase is a tcgen05.ld.red of n columns.
type reductionCase struct {
	shape, op, mods, typ string
	n                    int
}

func reductionCases() (list []reductionCase) {
	for n := 2; n <= 128; n *= 2 {
		for _, shape := range []string{"32x32b", "16x32bx2"} {
			for _, op := range []string{"min", "max"} {
				for _, mods := range []string{"", ".abs", ".NaN", ".abs.NaN"} {
					list = append(list, reductionCase{shape, op, mods, "f32", n})
				}
				list = append(list, reductionCase{shape, op, "", "u32", n}, reductionCase{shape, op, "", "s32", n})
			}
		}
	}
	return list
}

func (c *reductionCase) opcode() string {
	return fmt.Sprintf("tcgen05.ld.red.sync.aligned.%s.x%d.%s%s.%s", c.shape, c.n, c.op, c.mods, c.typ)
}

// of is the result over a thread's columns.
func (c *reductionCase) of(columns []uint32) (bits uint32) {
	var best float64
	for i, v := range columns {
		x := float64(math.Float32frombits(v))
		switch {
		case c.typ == "u32":
			x = float64(v)
		case c.typ == "s32":
			x = float64(int32(v))
		case strings.Contains(c.mods, "abs"):
			x, v = math.Abs(x), v&^(1<<31)
		}
		if i == 0 || (c.op == "max") == (x > best) && x != best {
			best, bits = x, v
		}
	}
	return bits
}

// TestTensorReduction checks tcgen05.ld.red.
func TestTensorReduction(t *testing.T) {
	img := countedImage()
	for lane := range img {
		for i := range img[lane] {
			img[lane][i] = math.Float32bits(float32((lane*37+i*101)%251) - 125)
		}
	}
	for _, c := range reductionCases() {
		t.Run(c.opcode(), func(t *testing.T) {
			extra := either(c.shape == "16x32bx2", ", 40", "")
			var regs []string
			for i := range c.n {
				regs = append(regs, fmt.Sprintf("%%r%d", i))
			}
			k := &tensorKernel{before: []*tensorImage{img}, shared: [][]byte{nil}, regs: ".reg .b32 %r<129>;", words: 1,
				body: fmt.Sprintf("%s {%s}, %%r128, [%%lane+16]%s;\ntcgen05.wait::ld.sync.aligned; st.global.b32 [%%res], %%r128;\n", c.opcode(), strings.Join(regs, ", "), extra)}
			_, results := k.run(t)
			for thread := range 128 {
				lane, col := thread, 16
				if extra != "" {
					lane = thread/32*32 + thread%16
					col += thread % 32 / 16 * 40
				}
				if want := c.of(img[lane][col : col+c.n]); results[thread][0] != want {
					t.Fatalf("thread %d: got %#x, want %#x", thread, results[thread][0], want)
				}
			}
		})
	}
}

// descriptor is a shared memory descriptor of tcgen05.
func descriptor(at, lead, stride, mode int) uint64 {
	return uint64(at)>>4 | uint64(lead)>>4<<16 | uint64(stride)>>4<<32 | 1<<46 | uint64(mode)<<61
}

// TestTensorCopy checks tcgen05.cp, of core matrices of 8 rows of 16 bytes.
func TestTensorCopy(t *testing.T) {
	smem := make([]byte, 8192)
	newRand(3).Read(smem)
	const lead, stride = 128, 384
	chunk := func(row, c int) []byte {
		at := row/8*stride + row%8*16 + c*lead
		return smem[at : at+16]
	}
	for _, c := range []struct {
		mods         string
		lane         int
		rows, chunks int
		lanes        func(row int) []int
	}{
		{"128x256b", 0, 128, 2, func(r int) []int { return []int{r} }},
		{"128x128b", 0, 128, 1, func(r int) []int { return []int{r} }},
		{"4x256b", 31, 4, 2, func(r int) []int { return []int{31 + 32*r} }},
		{"64x128b.warpx2::02_13", 0, 64, 1, func(r int) []int { return []int{r, r + 64} }},
		{"64x128b.warpx2::01_23", 0, 64, 1, func(r int) []int { return []int{r%32 + r/32*64, r%32 + r/32*64 + 32} }},
		{"32x128b.warpx4", 0, 32, 1, func(r int) []int { return []int{r, r + 32, r + 64, r + 96} }},
	} {
		for _, format := range []string{"", ".b8x16.b6x16_p32", ".b8x16.b4x16_p64"} {
			for blocks := 1; blocks <= 2; blocks++ {
				t.Run(fmt.Sprint(c.mods, format, blocks), func(t *testing.T) {
					k := &tensorKernel{}
					for range blocks {
						k.before, k.shared = append(k.before, countedImage()), append(k.shared, smem)
					}
					k.regs = ".reg .b64 %d;"
					k.body = issued(fmt.Sprintf("mov.u64 %%d, %#x; mov.u32 %%a, %#x;\ntcgen05.cp.cta_group::%d.%s%s [%%a+8], %%d;", descriptor(0, lead, stride, 0), c.lane<<16, blocks, c.mods, format), blocks)
					after, _ := k.run(t)
					for b := range blocks {
						want := *k.before[b]
						for row := range c.rows {
							for i := range c.chunks {
								piece := slices.Clone(chunk(row, i))
								if format != "" {
									width := int(format[8] - '0')
									for e := range 16 {
										v := byte(0)
										for bit := range width {
											at := e*width + bit
											v |= chunk(row, i)[at/8] >> (at % 8) & 1 << bit
										}
										if width == 4 {
											v <<= 2
										}
										piece[e] = v
									}
								}
								for _, lane := range c.lanes(row) {
									for w := range 4 {
										want[lane][8+4*i+w] = binary.LittleEndian.Uint32(piece[4*w:])
									}
								}
							}
						}
						compareImages(t, after[b], &want)
					}
				})
			}
		}
	}
}

// TestTensorShift checks tcgen05.shift.
func TestTensorShift(t *testing.T) {
	for blocks := 1; blocks <= 2; blocks++ {
		k := &tensorKernel{generic: true, body: issued(fmt.Sprintf("mov.u32 %%a, 0x200004; tcgen05.shift.cta_group::%d.down [%%a];", blocks), blocks)}
		for range blocks {
			k.before, k.shared = append(k.before, countedImage()), append(k.shared, nil)
		}
		after, _ := k.run(t)
		want := *countedImage()
		for lane := 32; lane < 63; lane++ {
			copy(want[lane][4:12], k.before[0][lane+1][4:12])
		}
		for _, got := range after {
			compareImages(t, got, &want)
		}
	}
}

// TestTensorCommitVariants wants the arrival at the mbarrier of the block that is named, by its
// address or by the mask, and at no other.
func TestTensorCommitVariants(t *testing.T) {
	const src = header100 + `.visible .entry k(.param .u64 out) {
.shared .align 8 .b64 bar; .reg .b32 %t, %b, %a, %i, %r; .reg .b64 %x, %out, %at; .reg .pred %p, %q;
ld.param.u64 %out, [out]; mov.u32 %t, %tid.x; mov.u32 %b, %cluster_ctarank; setp.eq.u32 %q, %t, 0;
@%q mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;
mov.u32 %a, bar; mapa.shared::cluster.u32 %a, %a, TARGET; mov.u64 %x, bar; cvta.shared.u64 %x, %x; mapa.u64 %x, %x, TARGET;
setp.eq.and.u32 %p, %b, 0, %q; @%p COMMIT; barrier.cluster.arrive; barrier.cluster.wait;
mov.u32 %i, 0;
TEST: mbarrier.test_wait.parity.shared.b64 %p, [bar], 0; @%p bra SHOW; add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 50; @%p bra TEST; setp.eq.u32 %p, 0, 1;
SHOW: selp.u32 %r, 1, 0, %p; mul.wide.u32 %at, %b, 4; add.u64 %at, %out, %at; @%q st.global.b32 [%at], %r; ret; }`
	for _, v := range executedVariants("tcgen05.commit") {
		for target := range 2 {
			operands := either(strings.Contains(v.text, ".shared::cluster."), " [%a]", " [%x]")
			address := target
			if strings.Contains(v.text, ".multicast::cluster.") {
				operands += fmt.Sprint(", ", 1<<target)
				address = 0
			}
			out := newBuffer(t, 8)
			mustRun(t, launch{src: strings.NewReplacer("COMMIT", v.text+operands, "TARGET", fmt.Sprint(address)).Replace(src), grid: 2, cluster: 2, params: []any{out}, arch: "sm_100"})
			if got := out.u32(); got[target] != 1 || got[1-target] != 0 {
				t.Errorf("%s, block %d: %v arrivals", v.text, target, got)
			}
		}
	}
}

// TestTensorMisuse wants the fault of what may not be done.
func TestTensorMisuse(t *testing.T) {
	const ld = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v}, "
	for _, c := range []struct {
		name, body string
		cause      trace.Cause
	}{
		{"right", "add.u32 %a, %lane, %a; " + ld + "[%a];", ""},
		{"outside", ld + "[%lane+32];", trace.CauseTensorOutside},
		{"beyond the columns", ld + "[%lane+512];", trace.CauseTensorOutside},
		{"lanes of another warp", ld + "[%lane+0x200000];", trace.CauseTensorLanes},
		{"misaligned lane", "tcgen05.ld.sync.aligned.16x64b.x1.b32 {%v}, [%lane+0x80000];", trace.CauseMisaligned},
		{"different addresses", "add.u32 %a, %lane, %t; " + ld + "[%a];", trace.CauseTensorAddress},
		{"freed", "@%q tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 32; bar.sync 0;" + ld + "[%lane];", trace.CauseTensorFreed},
		{"freed twice", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 32;", trace.CauseTensorFreed},
		{"other size", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 64;", trace.CauseTensorAlloc},
		{"never allocated", "tcgen05.dealloc.cta_group::1.sync.aligned.b32 64, 32;", trace.CauseTensorOutside},
		{"not a power of 2", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [addr], 96;", trace.CauseTensorAlloc},
		{"more columns", "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [addr], 64;", trace.CauseTensorAlloc},
		{"after the permit", "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned; bar.sync 0; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [addr], 32;", trace.CauseTensorAlloc},
		{"no pair", "tcgen05.relinquish_alloc_permit.cta_group::2.sync.aligned;", trace.CauseTensorPeer},
		{"no swizzling mode", "mov.u64 %x, 0x6000400000000000; tcgen05.cp.cta_group::1.128x128b [%a], %x;", trace.CauseTensorDescriptor},
		{"no version", "mov.u64 %x, 0; tcgen05.cp.cta_group::1.128x128b [%a], %x;", trace.CauseTensorDescriptor},
		{"shape", "mov.u64 %x, 0x400000000000; mov.u32 %i, 0x06080010; tcgen05.mma.cta_group::1.kind::f16 [%a], %x, %x, %i, 0;", trace.CauseTensorDescriptor},
		{"right product", "mov.u64 %x, 0x400000000000; mov.u32 %i, 0x08040010; tcgen05.mma.cta_group::1.kind::f16 [%a], %x, %x, %i, 0;", ""},
		{"D too wide", "mov.u64 %x, 0x400000000000; mov.u32 %i, 0x08100010; tcgen05.mma.cta_group::1.kind::f16 [%a], %x, %x, %i, 0;", trace.CauseTensorOutside},
		{"part of a warp", "setp.eq.u32 %p, %t, 1; @%p exit;" + ld + "[%lane];", trace.CausePartialWarp},
	} {
		t.Run(c.name, func(t *testing.T) {
			src := header100 + `.visible .entry k(.param .u64 out) {
.shared .align 1024 .b8 s[8192]; .shared .b32 addr; .reg .b32 %w, %t, %a, %v, %i, %lane; .reg .b64 %x; .reg .pred %p, %q;
mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; setp.eq.u32 %q, %w, 0; shl.b32 %lane, %w, 21;
@%q tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [addr], 32; bar.sync 0; ld.shared.b32 %a, [addr]; bar.sync 0;
` + c.body + " bar.sync 0; @%q tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 32; ret; }"
			res, err := tryRun(t, launch{src: src, block: 64, params: []any{newBuffer(t, 4)}, arch: "sm_100"})
			if err != nil {
				t.Fatal(err)
			}
			switch f := res.Fault; {
			case c.cause == "" && f != nil:
				t.Errorf("fault: %s", f.Message)
			case c.cause != "" && (f == nil || f.Cause != c.cause):
				t.Errorf("got %+v, want %s", f, c.cause)
			}
		})
	}
}

// TestTensorFull wants the reports of an allocation that never gets room, and one that does.
func TestTensorFull(t *testing.T) {
	const src = header100 + `.visible .entry k(.param .u64 out) {
.shared .b32 addr; .reg .b32 %w, %t, %a; .reg .pred %q;
mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; setp.eq.u32 %q, %w, 0;
@!%q bra OTHER; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [addr], 512; ld.shared.b32 %a, [addr]; bar.sync 0; BODY ret;
OTHER: bar.sync 0; tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [addr], 512; tcgen05.dealloc.cta_group::1.sync.aligned.b32 0, 512; ret; }`
	mustRun(t, launch{src: strings.ReplaceAll(src, "BODY", "nanosleep.u32 100; tcgen05.dealloc.cta_group::1.sync.aligned.b32 %a, 512;"), block: 64, params: []any{newBuffer(t, 4)}, arch: "sm_100"})
	f := mustFault(t, launch{src: strings.ReplaceAll(src, "BODY", ""), block: 64, params: []any{newBuffer(t, 4)}, arch: "sm_100"}, trace.FaultDeadlock)
	if f.Cause != trace.CauseTensorFull {
		t.Errorf("got %+v", f)
	}
	res, err := tryRun(t, launch{src: strings.ReplaceAll(src, "BODY", "LOOP: bra LOOP;"), block: 64, params: []any{newBuffer(t, 4)}, arch: "sm_100", maxSteps: 1 << 24})
	if err != nil || res.Fault == nil {
		t.Errorf("no fault: %v", err)
	}
}
