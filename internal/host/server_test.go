package host

import (
	"encoding/binary"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

func TestDriverAPI(t *testing.T) {
	s := run(t, t.Context(), "driver")
	s.wantOK(t)
	if !s.has("bad module module") || !s.has("rejected add_one cudaErrorInvalidConfiguration: 2048 threads") {
		t.Errorf("log %q", s.log)
	}
}

// TestCompiledCUDA runs what clang makes of a CUDA program's host part.
func TestCompiledCUDA(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the runtime library; not in short mode")
	}
	clang, err := exec.LookPath("clang++-19")
	if err != nil {
		t.Skip("no clang++-19")
	}
	objects, err := library()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	blob, obj, exe := filepath.Join(dir, "blob"), filepath.Join(dir, "stub.o"), filepath.Join(dir, "stub")
	if err := os.WriteFile(blob, fakeBlob(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-I../shim/include",
			"-include", "cuda_runtime.h", "-Xclang", "-fcuda-allow-variadic-functions", "-Xclang", "-target-sdk-version=12.3", "-Xclang", "-fcuda-include-gpubinary",
			"-Xclang", blob, "-g1", "-c", "testdata/stub.cu", "-o", obj},
		append([]string{obj, "-o", exe}, objects...),
	} {
		if out, err := exec.Command(clang, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	s := runExe(t, t.Context(), exe)
	s.wantOK(t)
	for _, want := range []string{"launch 0 count testdata/stub.cu:11", "launch 1 add_one testdata/stub.cu:12",
		"misuse cudaMemcpy testdata/stub.cu:14 cudaErrorInvalidValue"} {
		if !s.has(want) {
			t.Errorf("log %q, want %q", s.log, want)
		}
	}
}

// fakeBlob wraps the fake's device code as the front end does.
func fakeBlob() []byte {
	const meta, code = `{"source":"fake.cu","module":"fake"}`, "fake device code"
	b := binary.LittleEndian.AppendUint32([]byte("WARPGRND"), 1)
	b = binary.LittleEndian.AppendUint32(b, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(meta)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(code)))
	return append(b, meta+code...)
}

// TestHeadersInC compiles the host API's headers as C, in both orders.
func TestHeadersInC(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	for _, text := range []string{
		"#include <cuda.h>\n#include <cuda_runtime_api.h>\n",
		"#include <cuda_runtime_api.h>\n#include <cuda.h>\n",
		"#include <cuda_profiler_api.h>\n", "#include <cudaProfiler.h>\n",
		"#include <library_types.h>\n#include <driver_types.h>\n",
	} {
		cmd := exec.Command(cc, "-std=c99", "-Wall", "-Werror", "-fsyntax-only", "-I../shim/include", "-xc", "-")
		cmd.Stdin = strings.NewReader(text)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s%v\n%s", text, err, out)
		}
	}
}

func TestBoxRanges(t *testing.T) {
	for _, c := range []struct {
		box  Box
		want []uint64 // addr, n, ...
		ext  uint64
	}{
		{Box{Addr: 100, Width: 7, Height: 1, Depth: 1, Pitch: 7, Slice: 7}, []uint64{100, 7}, 7},
		{Box{Addr: 100, Width: 4, Height: 3, Depth: 1, Pitch: 4}, []uint64{100, 12}, 12},
		{Box{Addr: 100, Width: 4, Height: 2, Depth: 1, Pitch: 10}, []uint64{100, 4, 110, 4}, 14},
		{Box{Addr: 0, Width: 2, Height: 2, Depth: 2, Pitch: 2, Slice: 4}, []uint64{0, 8}, 8},
		{Box{Addr: 0, Width: 2, Height: 2, Depth: 2, Pitch: 2, Slice: 9}, []uint64{0, 4, 9, 4}, 13},
		{Box{Addr: 5, Width: 0, Height: 2, Depth: 2}, nil, 0},
	} {
		var got []uint64
		c.box.Ranges(func(addr, n uint64) { got = append(got, addr, n) })
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v: ranges %v, want %v", c.box, got, c.want)
		}
		if n, ok := c.box.extent(); n != c.ext || !ok {
			t.Errorf("%+v: extent %d %v, want %d", c.box, n, ok, c.ext)
		}
	}
	for _, b := range []Box{{Width: 1 << 63, Height: 1, Depth: 1}, {Width: 1, Height: 1 << 40, Depth: 1, Pitch: 1 << 40}} {
		if n, ok := b.extent(); ok {
			t.Errorf("%+v: extent %d", b, n)
		}
	}
}

func TestLimits(t *testing.T) {
	one := trace.Dim3{X: 1, Y: 1, Z: 1}
	for _, c := range []struct {
		arch        string
		grid, block trace.Dim3
		static, max uint32
		dynamic     uint64
		cooperative bool
		required    trace.Dim3
		code        Code
	}{
		{arch: "sm_10", grid: one, block: trace.Dim3{X: 512, Y: 1, Z: 1}},
		{arch: "sm_10", grid: one, block: trace.Dim3{X: 513, Y: 1, Z: 1}, code: ErrorInvalidConfiguration},
		{arch: "sm_10", grid: trace.Dim3{X: 1, Y: 1, Z: 2}, block: one, code: ErrorInvalidConfiguration},
		{arch: "sm_20", grid: trace.Dim3{X: 65536, Y: 1, Z: 1}, block: one, code: ErrorInvalidConfiguration},
		{arch: "sm_30", grid: trace.Dim3{X: 65536, Y: 1, Z: 1}, block: one},
		{arch: "sm_80", grid: trace.Dim3{X: 1 << 31, Y: 1, Z: 1}, block: one, code: ErrorInvalidConfiguration},
		{arch: "sm_80", grid: one, block: trace.Dim3{X: 32, Y: 32, Z: 1}},
		{arch: "sm_80", grid: one, block: trace.Dim3{X: 32, Y: 32, Z: 2}, code: ErrorInvalidConfiguration},
		{arch: "sm_80", grid: one, block: trace.Dim3{X: 1, Y: 1, Z: 65}, code: ErrorInvalidConfiguration},
		{arch: "sm_80", grid: one, block: one, dynamic: 48 << 10},
		{arch: "sm_80", grid: one, block: one, dynamic: 48<<10 + 1, code: ErrorInvalidValue},
		{arch: "sm_80", grid: one, block: one, static: 4, dynamic: 48 << 10, code: ErrorInvalidValue},
		{arch: "sm_80", grid: one, block: one, static: 49 << 10, code: ErrorInvalidValue},
		{arch: "sm_80", grid: one, block: trace.Dim3{X: 65, Y: 1, Z: 1}, max: 64, code: ErrorInvalidValue},
		{arch: "sm_80", grid: one, block: trace.Dim3{X: 64, Y: 1, Z: 1}, max: 64, required: trace.Dim3{X: 64, Y: 1, Z: 1}},
		{arch: "sm_80", grid: one, block: trace.Dim3{X: 32, Y: 1, Z: 1}, max: 64, required: trace.Dim3{X: 64, Y: 1, Z: 1}, code: ErrorInvalidValue},
		{arch: "sm_80", grid: one, block: trace.Dim3{X: 8, Y: 8, Z: 1}, max: 64, required: trace.Dim3{X: 64, Y: 1, Z: 1}, code: ErrorInvalidValue},
		{arch: "sm_80", grid: trace.Dim3{X: 32, Y: 1, Z: 1}, block: trace.Dim3{X: 1024, Y: 1, Z: 1}, cooperative: true},
		{arch: "sm_80", grid: trace.Dim3{X: 33, Y: 1, Z: 1}, block: trace.Dim3{X: 1024, Y: 1, Z: 1}, cooperative: true,
			code: ErrorCooperativeLaunchTooLarge},
	} {
		a, err := arch.Parse(c.arch)
		if err != nil {
			t.Fatal(err)
		}
		s := New(Config{Arch: a})
		static := uint64(c.static)
		k := &kernel{Kernel: &fakeKernel{static: c.static, max: int(c.max), block: c.required},
			maxDynamic: uint64(a.SharedPerBlock) - min(static, uint64(a.SharedPerBlock))}
		code, _, msg := s.checkLimits(k, LaunchConfig{Grid: c.grid, Block: c.block, Cooperative: c.cooperative}, c.dynamic)
		if code != c.code || (code == Success) != (msg == "") {
			t.Errorf("%+v: %v %q", c, code, msg)
		}
	}
}

func TestFaultCodes(t *testing.T) {
	for k := trace.FaultOutOfBounds; k <= trace.FaultBarrier; k++ {
		if c := faultCode(&trace.Fault{Kind: k}); codeNames[c] == "" || c == Success {
			t.Errorf("fault %d gives %v", k, c)
		}
	}
	if c := faultCode(&trace.Fault{Kind: trace.FaultMisaligned, Cause: trace.CauseTensorCoordinate}); c != ErrorIllegalInstruction {
		t.Errorf("a tile that begins between 16 bytes gives %v", c)
	}
}

// TestGarbage sends malformed frames: the server drops the connection and
// serves the next one.
func TestGarbage(t *testing.T) {
	arena, err := mem.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	a, _ := arch.Parse("sm_80")
	s := New(Config{Arena: arena, Arch: a, Runner: &fakeRunner{arena: arena}})
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(t.Context(), l) }()
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 300 {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		c.SetDeadline(time.Now().Add(5 * time.Second))
		if i%2 == 1 { // after a proper greeting
			c.Write(frame(protocol.OpOf(reflect.TypeFor[protocol.Hello]()), protocol.Encode(nil, protocol.Hello{Version: protocol.Version()})))
			c.Read(make([]byte, 1024))
		}
		for range 5 {
			junk := make([]byte, rng.IntN(60))
			for j := range junk {
				junk[j] = byte(rng.Uint32() >> (8 * rng.Uint32N(4)) % 5)
			}
			c.Write(frame(protocol.Op(rng.IntN(len(protocol.Operations)+3)), junk))
		}
		c.Close()
	}
	l.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if n := len(arena.Live()); n != 0 {
		t.Errorf("%d allocations left", n)
	}
}

// frame is a request with a payload that need not be the operation's.
func frame(o protocol.Op, payload []byte) []byte { return frameOf(protocol.Head{Op: o}, payload) }

// frameOf is frame with more than the operation in its head.
func frameOf(head protocol.Head, payload []byte) []byte {
	body := append(protocol.Encode(nil, head), payload...)
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(body))), body...)
}

func TestLineTableWithoutDebugInformation(t *testing.T) {
	for _, exe := range []string{"", "/no/such/file", "server_test.go", "/bin/sh"} {
		lt := &lineTable{exe: exe}
		if at := lt.find([]uint64{0, 1, 0x1000, ^uint64(0)}); at != "" {
			t.Errorf("%s: %s", exe, at)
		}
	}
}

// TestModuleNames loads modules of one name: those that differ are told apart
// for good, one that is loaded again is itself.
func TestModuleNames(t *testing.T) {
	s := New(Config{})
	p, other := newProcess(s), newProcess(s)
	load := func(p *process, text, want string) *module {
		t.Helper()
		m := &module{name: p.moduleName(0, Meta{Module: "a.cu"}, []byte(text))}
		p.modules = append(p.modules, m)
		if m.name != want {
			t.Errorf("%s is %q, want %q", text, m.name, want)
		}
		return m
	}
	load(p, "one", "a.cu")
	load(p, "one", "a.cu#2")
	load(p, "two", "a.cu#3")
	p.modules = nil // unloaded
	load(p, "two", "a.cu#3")
	load(p, "one", "a.cu")
	load(p, "three", "a.cu#4")
	load(other, "one", "a.cu")
	if name := p.moduleName(1, Meta{Source: "dir/b.cu"}, nil); name != "b.cu" {
		t.Errorf("by its source: %q", name)
	}
}
