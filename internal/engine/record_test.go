package engine_test

import (
	"bufio"
	"encoding/binary"
	"flag"
	"fmt"

	"maps"
	"math/rand"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/tooltest"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/alu/aluref"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// The launches of these tests can be repeated on a GPU, which is the only authority above the
// text of the PTX ISA: with -record=FILE each launch that ends is written with the memory that it
// found and left. scripts/gpu repeats a record and lists what differs.

var recordFile = flag.String("record", "", "write each launch with its memory to this file, for scripts/gpu")

// launchRecord writes launches. Its mutex guards the stream.
type launchRecord struct {
	sync.Mutex
	w       *bufio.Writer
	buffers map[uint64]*buffer // by address; those that a test has not given back
}

var record = launchRecord{buffers: map[uint64]*buffer{}}

// recorded is a launch at work, with the memory before it; nil if nothing is recorded.
type recorded struct {
	name, src, kernel string
	grid              int
	block             trace.Dim3
	cluster, shared   uint32
	params, offsets   []byte // offsets are the parameters', 4 bytes each
	buffers           []*buffer
	before            [][]byte
}

func (r *launchRecord) add(b *buffer) {
	if *recordFile == "" {
		return
	}
	r.Lock()
	defer r.Unlock()
	r.buffers[b.Base] = b
}

func (r *launchRecord) remove(b *buffer) {
	r.Lock()
	defer r.Unlock()
	delete(r.buffers, b.Base)
}

// offsets are those of a program's parameters: with the alignments that PTX allows they are not the GPU's.
func offsets(p *program.Program) (b []byte) {
	for _, x := range p.Params {
		b = binary.LittleEndian.AppendUint32(b, uint32(x.Offset))
	}
	return b
}

func (r *launchRecord) begin(c recorded) *recorded {
	if *recordFile == "" {
		return nil
	}
	r.Lock()
	defer r.Unlock()
	for _, at := range slices.Sorted(maps.Keys(r.buffers)) {
		b := r.buffers[at]
		c.buffers, c.before = append(c.buffers, b), append(c.before, slices.Clone(b.bytes()))
	}
	return &c
}

// end writes a launch that has ended without an error. All numbers have 4 bytes, in little-endian
// order, but for addresses, which have 8; texts and memory follow their lengths.
func (r *launchRecord) end(c *recorded, res engine.Result, err error) {
	if c == nil || err != nil {
		return
	}
	r.Lock()
	defer r.Unlock()
	if r.w == nil {
		f, err := os.Create(*recordFile)
		if err != nil {
			panic(err)
		}
		r.w = bufio.NewWriter(f)
	}
	fault := uint32(0)
	if res.Fault != nil {
		fault = 1 + uint32(res.Fault.Kind)
	}
	word := func(v ...uint32) { _ = binary.Write(r.w, binary.LittleEndian, v) }
	data := func(b []byte) {
		word(uint32(len(b)))
		_, _ = r.w.Write(b)
	}
	for _, s := range []string{c.name, c.src, c.kernel} {
		data([]byte(s))
	}
	word(uint32(c.grid), c.block.X, c.block.Y, c.block.Z, c.cluster, c.shared, fault)
	data(c.params)
	data(c.offsets)
	word(uint32(len(c.buffers)))
	for i, b := range c.buffers {
		_ = binary.Write(r.w, binary.LittleEndian, b.Base)
		data(c.before[i])
		data(b.bytes())
	}
	if err := r.w.Flush(); err != nil {
		panic(err)
	}
}

const (
	registerOps   = 16 // operations of one kernel
	registerLanes = 64 // threads, each with operands of its own
	operandBytes  = 32 // of a thread: four operands
)

// TestRegisterOperations runs each operation on registers in a kernel, on edge cases and random
// operands, and compares with the reference implementation.
func TestRegisterOperations(t *testing.T) {
	var ops []string
	for _, name := range alu.All() {
		if plain, attrs, _ := strings.Cut(name, ":"); aluref.Covers(name) && (attrs == "" || plain == "lop3.b32") && name != "lop3.b32" && !strings.HasPrefix(name, "lop3.or") && !strings.HasPrefix(name, "lop3.and") {
			ops = append(ops, name)
		}
	}
	r := rand.New(rand.NewSource(5))
	in, out := newBuffer(t, registerOps*registerLanes*operandBytes), newBuffer(t, registerOps*registerLanes*16)
	n := registerOps
	if *strict { // ptxas refuses the operations of later GPUs, with their neighbors
		n = 4
	}
	i := 0
	for part := range slices.Chunk(ops, n) {
		if i++; alu.ISA() == "avx512" || *recordFile != "" || tooltest.Sampled(i, 8) { // a compiler takes seconds for each
			registerKernel(t, part, in, out, r)
		}
	}
}

func registerKernel(t *testing.T, ops []string, in, out *buffer, r *rand.Rand) {
	clear(in.bytes())
	clear(out.bytes())
	var body strings.Builder
	for k, name := range ops {
		o, err := alu.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		inst := aluref.Parse(name)
		for lane := range registerLanes {
			prev := uint64(0)
			for i, w := range o.Args {
				v := inst.Operand(i, prev, r)
				if w == alu.Pred {
					v = uint64(r.Intn(2))
				}
				binary.LittleEndian.PutUint64(in.bytes()[((k*registerLanes+lane)*4+i)*8:], v)
				prev = v
			}
		}
		body.WriteString(registerOp(k, name, o, inst))
	}
	src := withParams(simple("", fmt.Sprintf("ld.param.u64 %%d0, [k_in]; mad.wide.u32 %%d0, %%t, %d, %%d0; mad.wide.u32 %%d1, %%t, 16, %%base;\n", operandBytes)+body.String()), ".param .u64 k_in")
	mustRun(t, launch{src: src, block: registerLanes, params: []any{out, in}})
	for k, name := range ops {
		inst := aluref.Parse(name)
		for lane := range registerLanes {
			at := k*registerLanes + lane
			var a aluref.Args
			for i := range a {
				a[i] = binary.LittleEndian.Uint64(in.bytes()[(at*4+i)*8:])
			}
			want, _ := aluref.Eval(inst, a)
			if ok, what := want.Match(binary.LittleEndian.Uint64(out.bytes()[at*16:]), binary.LittleEndian.Uint64(out.bytes()[at*16+8:])); !ok {
				t.Errorf("%s(%#x) = %#x, want %s", name, a, out.bytes()[at*16:at*16+16], what)
				break
			}
		}
	}
}

// registerOp is the PTX of operation k: operands from [%d0], results to [%d1].
func registerOp(k int, name string, o *alu.Op, inst *aluref.Inst) string {
	var b strings.Builder
	plain, attrs, _ := strings.Cut(name, ":")
	fmt.Fprintf(&b, "{ // %s\n", plain)
	// Two elements of four bits are in a register of eight (PTX ISA, "cvt"); of other types of eight bits registers are wider.
	pairTo, pairFrom := strings.Contains(plain, ".e2m1x2."), strings.HasSuffix(plain, ".e2m1x2")
	var args []string
	at := k * registerLanes * operandBytes
	for i, w := range o.Args {
		from := fmt.Sprintf("[%%d0+%d]", at+8*i)
		reg := fmt.Sprintf("%%a%d", i)
		switch bits := inst.OperandBits(i); {
		case w == alu.Pred && o.CarryIn && i == len(o.Args)-1:
			fmt.Fprintf(&b, ".reg .b32 %%c; ld.global.u32 %%c, %s; add.cc.u32 %%c, %%c, 0xffffffff;\n", from)
			continue
		case w == alu.Pred:
			fmt.Fprintf(&b, ".reg .pred %s; .reg .b32 %%w%d; ld.global.u32 %%w%d, %s; setp.ne.u32 %s, %%w%d, 0;\n", reg, i, i, from, reg, i)
		case bits == 8 && pairFrom:
			fmt.Fprintf(&b, ".reg .b8 %s; ld.global.b8 %s, %s;\n", reg, reg, from)
		case bits == 16 || strings.HasSuffix(plain, ".ue8m0x2") || bits == 8 && w == alu.W32 && strings.HasPrefix(name, "cvt."):
			fmt.Fprintf(&b, ".reg .b16 %s; ld.global.b16 %s, %s;\n", reg, reg, from)
		default:
			bits = 32
			if w == alu.W64 {
				bits = 64
			}
			fmt.Fprintf(&b, ".reg .b%d %s; ld.global.b%d %s, %s;\n", bits, reg, bits, reg, from)
		}
		args = append(args, reg)
	}
	if plain == "lop3.b32" {
		args = append(args, strings.TrimPrefix(attrs, "lut="))
	}
	dst, second := "%x", ""
	switch {
	case o.Dst == alu.Pred:
		b.WriteString(".reg .pred %x; .reg .b64 %o;\n")
		second = "selp.b64 %o, 1, 0, %x;"
	case pairTo:
		b.WriteString(".reg .b8 %x; .reg .b64 %o;\n")
		second = "cvt.u64.u8 %o, %x;"
	case o.DstBits <= 16 && !(o.DstSigned && strings.HasPrefix(name, "cvt.")): // which extends to 32 bits
		b.WriteString(".reg .b16 %x; .reg .b64 %o;\n")
		second = "cvt.u64.u16 %o, %x;"
	case o.Dst == alu.W64:
		b.WriteString(".reg .b64 %x, %o;\n")
		second = "mov.b64 %o, %x;"
	default:
		b.WriteString(".reg .b32 %x; .reg .b64 %o;\n")
		second = "cvt.u64.u32 %o, %x;"
	}
	to := k * registerLanes * 16
	end := fmt.Sprintf("%s st.global.u64 [%%d1+%d], %%o;\n", second, to)
	switch {
	case o.Alt == alu.Pred || o.Dst2 == alu.Pred && !o.CarryOut:
		b.WriteString(".reg .pred %y;\n")
		dst = "%x|%y"
		end += fmt.Sprintf("selp.b64 %%o, 1, 0, %%y; st.global.u64 [%%d1+%d], %%o;\n", to+8)
	case o.CarryOut:
		end = "addc.u64 %o2, 0, 0;\n" + end + fmt.Sprintf("st.global.u64 [%%d1+%d], %%o2;\n", to+8)
		b.WriteString(".reg .b64 %o2;\n")
	}
	fmt.Fprintf(&b, "%s %s, %s;\n%s}\n", plain, dst, strings.Join(args, ", "), end)
	return b.String()
}
