package engine_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/engine"
	"github.com/warpgrind/warpgrind/internal/lower"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
	"github.com/warpgrind/warpgrind/internal/warp/jit"
	"github.com/warpgrind/warpgrind/internal/warp/native/llvm"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// arena is the one arena that a process has room for.
var arena *mem.Arena

func TestMain(m *testing.M) {
	var err error
	if arena, err = mem.New(1 << 30); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if _, err := clang.Find(""); err == nil {
		warp.UseCompiler(func(processor string) llvm.Backend { return mustCompile{clang.Codegen{Processor: processor}} })
	}
	useOwnExecutor()
	code := m.Run()
	if code == 0 {
		code = checkCoverage()
	}
	arena.Close()
	os.Exit(code)
}

// mustCompile panics where no code can be made.
type mustCompile struct{ llvm.Backend }

func (m mustCompile) Compile(language, text string) ([]byte, error) {
	object, err := m.Backend.Compile(language, text)
	if err != nil {
		panic(err)
	}
	if _, err := jit.Link(object); err != nil {
		panic(err)
	}
	return object, nil
}

const header = ".version 8.3\n.target sm_80\n.address_size 64\n"

// simple wraps a body into a kernel k(out) with registers of every class,
// %tid in %t, and out's element of 4 bytes for this thread (tid + ctaid*ntid)
// at [%o]. It returns at the label DONE or at its end.
func simple(decls, body string) string {
	return header + decls + `
.visible .entry k(.param .u64 k_out)
{
	.reg .pred %p<10>; .reg .b16 %h<10>; .reg .b32 %r<30>; .reg .b64 %d<20>; .reg .f32 %f<10>; .reg .f64 %g<10>;
	.reg .b32 %t, %ct, %nt, %lane; .reg .b64 %o, %base;
	ld.param.u64 %base, [k_out];
	mov.u32 %t, %tid.x;
	mov.u32 %ct, %ctaid.x;
	mov.u32 %nt, %ntid.x;
	mov.u32 %lane, %laneid;
	mad.lo.u32 %r29, %ct, %nt, %t;
	mul.wide.u32 %d19, %r29, 4;
	add.u64 %o, %base, %d19;
` + body + `
DONE:
	ret;
}
`
}

// launch is a run of a kernel in a test.
type launch struct {
	src       string
	kernel    string // "k" if empty
	grid      int    // 1 if 0
	block     int    // 32 if 0
	block3    trace.Dim3
	cluster   uint32 // blocks along x, 0 for none
	shared    uint32
	params    []any // *buffer, uint32, uint64, int32, float32, []byte
	workers   int   // 1 if 0
	maxSteps  uint64
	stack     uint64
	resident  int
	unchecked bool // too large for lower.Checked
	arch      string
	observers []*trace.Observer
	syms      lower.Symbols
	ctx       context.Context
	schedule  engine.Schedule
	await     func(bool) *trace.HostState
	unseen    func() bool
}

// buffer is global memory for a kernel.
type buffer struct{ *mem.Allocation }

func newBuffer(t testing.TB, n int) *buffer { return newBufferOf(t, n, mem.Device) }

func newBufferOf(t testing.TB, n int, kind mem.Kind) *buffer {
	t.Helper()
	al, err := arena.Alloc(uint64(n), 256, kind, "")
	if err != nil {
		t.Fatal(err)
	}
	b := &buffer{al}
	record.add(b)
	t.Cleanup(func() {
		record.remove(b)
		arena.Free(al.Base)
	})
	return b
}

func (b *buffer) bytes() []byte { return arena.Bytes(b.Base, b.Size) }

func (b *buffer) u32() []uint32 {
	out := make([]uint32, b.Size/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b.bytes()[4*i:])
	}
	return out
}

func (b *buffer) u64() []uint64 {
	out := make([]uint64, b.Size/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(b.bytes()[8*i:])
	}
	return out
}

// layOut puts parameters where the program wants them.
func layOut(t testing.TB, p *program.Program, params []any) []byte {
	t.Helper()
	if len(params) != len(p.Params) {
		t.Fatalf("%d parameters, want %d", len(params), len(p.Params))
	}
	b := make([]byte, p.ParamSize)
	for i, v := range params {
		at := b[p.Params[i].Offset:]
		switch v := v.(type) {
		case *buffer:
			binary.LittleEndian.PutUint64(at, v.Base)
		case uint64:
			binary.LittleEndian.PutUint64(at, v)
		case []byte:
			copy(at, v)
		default:
			binary.Encode(at, binary.LittleEndian, v)
		}
	}
	return b
}

func parse(t testing.TB, src string) *ptx.Module {
	t.Helper()
	m, err := ptx.Parse("test.ptx", []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, numbered(src))
	}
	noteCoverage(m)
	return m
}

func numbered(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = fmt.Sprintf("%4d  %s", i+1, lines[i])
	}
	return strings.Join(lines, "\n")
}

func lowered(t testing.TB, m *ptx.Module, kernel string, syms lower.Symbols) *program.Program {
	t.Helper()
	p, err := lower.Checked(m, kernel, syms)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tryRun executes the launch and returns its result.
func tryRun(t testing.TB, l launch) (engine.Result, error) {
	t.Helper()
	if l.kernel == "" {
		l.kernel = "k"
	}
	l.grid, l.workers = max(l.grid, 1), max(l.workers, 1)
	if l.block == 0 {
		l.block = 32
	}
	if l.block3 == (trace.Dim3{}) {
		l.block3 = trace.Dim3{X: uint32(l.block), Y: 1, Z: 1}
	}
	if l.arch == "" {
		l.arch = "sm_80"
	}
	a, err := arch.Parse(l.arch)
	if err != nil {
		t.Fatal(err)
	}
	check := lower.Checked
	if l.unchecked {
		check = lower.Kernel
	}
	p, err := check(parse(t, l.src), l.kernel, l.syms)
	if err != nil {
		t.Fatal(err)
	}
	e := engine.New(engine.Config{
		Arena: arena, Arch: a, Workers: l.workers, MaxSteps: l.maxSteps, Observers: l.observers, Schedule: l.schedule,
	})
	ctx := l.ctx
	if ctx == nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
	}
	var cluster trace.Dim3
	if l.cluster > 0 {
		cluster = trace.Dim3{X: l.cluster, Y: 1, Z: 1}
	}
	params := layOut(t, p, l.params)
	c := record.begin(recorded{name: t.Name(), src: l.src, kernel: l.kernel, grid: l.grid, block: l.block3, cluster: l.cluster, shared: l.shared, params: params, offsets: offsets(p)})
	res, err := e.Run(ctx, p, engine.Launch{
		Cluster: cluster, Grid: trace.Dim3{X: uint32(l.grid), Y: 1, Z: 1}, Block: l.block3,
		SharedDynamic: l.shared, Params: params, Stack: l.stack, Resident: l.resident, Await: l.await, Unseen: l.unseen,
	})
	record.end(c, res, err)
	return res, err
}

// mustRun wants no fault.
func mustRun(t testing.TB, l launch) engine.Result {
	t.Helper()
	res, err := tryRun(t, l)
	if err != nil {
		t.Fatal(err)
	}
	if f := res.Fault; f != nil {
		t.Fatalf("fault %d in block %d warp %d: %s %v", f.Kind, f.Block, f.Warp, f.Message, f.Notes)
	}
	return res
}

// mustFault wants a fault of the kind.
func mustFault(t testing.TB, l launch, kind trace.FaultKind) *trace.Fault {
	t.Helper()
	res, err := tryRun(t, l)
	if err != nil {
		t.Fatal(err)
	}
	if res.Fault == nil {
		t.Fatalf("no fault, want kind %d", kind)
	}
	if res.Fault.Kind != kind {
		t.Fatalf("fault of kind %d, want %d: %s %v", res.Fault.Kind, kind, res.Fault.Message, res.Fault.Notes)
	}
	return res.Fault
}

// outs runs simple(decls, body) and returns one value per thread.
func outs(t testing.TB, l launch, decls, body string) []uint32 {
	t.Helper()
	n := max(l.grid, 1) * max(l.block, 1)
	if l.block == 0 && l.block3 == (trace.Dim3{}) {
		n = max(l.grid, 1) * 32
	}
	out := newBuffer(t, 4*n)
	l.src, l.params = simple(decls, body), append([]any{out}, l.params...)
	mustRun(t, l)
	return out.u32()
}

// expect compares one value per thread with want.
func expect(t testing.TB, got []uint32, want func(i uint32) uint32) {
	t.Helper()
	bad := 0
	for i, g := range got {
		if w := want(uint32(i)); g != w {
			t.Errorf("thread %d: got %d (%#x), want %d (%#x)", i, g, g, w, w)
			if bad++; bad > 4 {
				t.FailNow()
			}
		}
	}
}
