package host

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// send sends a request and decodes the answer to reply, which may be nil. The error is
// io.EOF if the server ends the connection.
func send(c net.Conn, message, reply any) (Code, error) {
	return sendTo(c, 0, message, reply)
}

// sendTo is send with a current device.
func sendTo(c net.Conn, device uint8, message, reply any) (Code, error) {
	if _, err := c.Write(frameOf(protocol.Head{Op: protocol.OpOf(reflect.TypeOf(message)), Device: device}, protocol.Encode(nil, message))); err != nil {
		return 0, io.EOF
	}
	var length [4]byte
	switch _, err := io.ReadFull(c, length[:]); {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return 0, err
	case err != nil:
		return 0, io.EOF
	}
	answer := make([]byte, binary.LittleEndian.Uint32(length[:]))
	if _, err := io.ReadFull(c, answer); err != nil {
		return 0, err
	}
	var head protocol.ReplyHead
	answer, err := protocol.Decode(answer, &head)
	if err == nil && reply != nil {
		_, err = protocol.Decode(answer, reply)
	}
	return Code(head.Code), err
}

// victim is what an attack finds: a server with memory of another process on it, a connection
// of the attacker's, and what that has.
type victim struct {
	server *Server
	conn   *net.UnixConn
	other  *mem.Allocation
	alloc  protocol.AllocReply
	range_ protocol.ReserveReply
	unused protocol.ReserveReply
	kernel protocol.FunctionReply
	symbol protocol.VariableReply
}

func newVictim(t *testing.T) *victim {
	t.Helper()
	v := &victim{}
	v.server, v.conn = attached(t)
	if _, err := greet(v.conn, 1); err != nil {
		t.Fatal(err)
	}
	if _, err := v.conn.Read(make([]byte, 1)); err != nil { // with the arena's file
		t.Fatal(err)
	}
	var err error
	if v.other, err = v.server.cfg.Arena.Alloc(4096, 0, mem.Device, ""); err != nil {
		t.Fatal(err)
	}
	var module protocol.LoadReply
	for _, step := range []struct{ message, reply any }{
		{protocol.Alloc{Size: 4096}, &v.alloc},
		{protocol.Reserve{Size: 1 << 20}, &v.range_},
		{protocol.Load{Module: protocol.Part{Meta: []byte(`{"source":"fake.cu"}`), PTX: []byte("fake device code")}}, &module},
		{protocol.Function{Module: 0, Name: "add_one"}, &v.kernel},
		{protocol.Variable{Module: 0, Name: "counter"}, &v.symbol},
	} {
		if code, err := send(v.conn, step.message, step.reply); code != Success || err != nil {
			t.Fatalf("%+v: %v, %v", step.message, code, err)
		}
	}
	copy(v.server.cfg.Arena.Bytes(v.other.Base, 4), "mine")
	return v
}

// texture describes one texel of memory.
func texture(at protocol.Pointer) protocol.Texture {
	return protocol.Texture{Kind: uint8(mem.TextureLinear), Channels: 1, Bits: 32,
		Levels: []protocol.Level{{Base: at, Width: 1, Height: 1, Depth: 1, Pitch: 4, Slice: 4}}}
}

// TestAttacks sends requests that the runtime library does not make. Each is answered with an
// error of CUDA's, or ends the connection where the table says so; memory of others stays as it is.
func TestAttacks(t *testing.T) {
	const far = 1 << 40
	for name, attack := range map[string]func(v *victim) (message any, want Code){
		"map over another allocation": func(v *victim) (any, Code) {
			return protocol.Map{Address: protocol.Pointer(v.other.Base), Size: 4096}, 0
		},
		"map outside of the arena":       func(v *victim) (any, Code) { return protocol.Map{Address: 0x1000, Size: 4096}, 0 },
		"map beyond the reservation":     func(v *victim) (any, Code) { return protocol.Map{Address: v.range_.Address + 4096, Size: 1 << 20}, 0 },
		"map nothing":                    func(v *victim) (any, Code) { return protocol.Map{Address: v.range_.Address}, 0 },
		"unmap what was allocated":       func(v *victim) (any, Code) { return protocol.Unmap{Address: v.alloc.Address, Size: 4096}, 0 },
		"unreserve what is not reserved": func(v *victim) (any, Code) { return protocol.Unreserve{Address: v.alloc.Address}, 0 },
		"reserve at no multiple":         func(v *victim) (any, Code) { return protocol.Reserve{Size: 1, Alignment: 12}, 0 },
		"reserve at a huge multiple": func(v *victim) (any, Code) {
			return protocol.Reserve{Size: 1, Alignment: 1 << 63}, ErrorMemoryAllocation
		},
		"free another process's memory": func(v *victim) (any, Code) {
			return protocol.Free{Address: protocol.Pointer(v.other.Base)}, ErrorInvalidValue
		},
		"launch with too few parameters":  func(v *victim) (any, Code) { return launch(v, make([]byte, 4)), 0 },
		"launch with too many parameters": func(v *victim) (any, Code) { return launch(v, make([]byte, 1<<20)), 0 },
		"launch of no kernel":             func(v *victim) (any, Code) { return protocol.Launch{Kernel: 7}, 0 },
		"rows wider than their memory":    func(v *victim) (any, Code) { return protocol.Alloc{Size: 8, Width: 8, Pitch: far}, 0 },
		"allocation in no stream": func(v *victim) (any, Code) {
			return protocol.Alloc{Size: 8, InStream: true, Stream: 0x5555550}, ErrorInvalidResourceHandle
		},
		"variable as memory":         func(v *victim) (any, Code) { return protocol.Alloc{Kind: uint8(mem.Symbol), Size: 8}, 0 },
		"endless rows in one byte":   func(v *victim) (any, Code) { return fillRows(v, 1, far, 1, 0, 0), ErrorInvalidPitchValue },
		"endless slices in one byte": func(v *victim) (any, Code) { return fillRows(v, 1, 1, far, 1, 0), ErrorInvalidPitchValue },
		"fill without a pattern": func(v *victim) (any, Code) {
			return protocol.Set{Dst: v.alloc.Address, Width: 4, Height: 1, Depth: 1}, 0
		},
		"stage without a copy":     func(v *victim) (any, Code) { return protocol.Stage{Data: []byte{1}}, 0 },
		"surface of linear memory": func(v *victim) (any, Code) { return surface(v), ErrorInvalidValue },
		"texture without texels": func(v *victim) (any, Code) {
			return changed(v, func(x *protocol.Texture) { x.Levels[0].Width = 0 }), ErrorInvalidValue
		},
		"texture with an unknown mode": func(v *victim) (any, Code) {
			return changed(v, func(x *protocol.Texture) { x.Address[2] = 9 }), ErrorInvalidValue
		},
		"host access outside of the arena": func(v *victim) (any, Code) { return protocol.HostEnd{Touches: touchOf(0, ^uint64(0))}, 0 },
		"host access that ends before it is": func(v *victim) (any, Code) {
			return protocol.HostEnd{Touches: touchOf(mem.ArenaBase+8, mem.ArenaBase)}, 0
		},
		"operator outside of the arena": func(v *victim) (any, Code) {
			return protocol.Operator{Reads: touchOf(0, ^uint64(0))[0].Bytes}, 0
		},
		"operator that ends before it begins": func(v *victim) (any, Code) {
			return protocol.Operator{Marks: touchOf(mem.ArenaBase+8, mem.ArenaBase)[0].Bytes}, 0
		},
		"operator in no stream": func(v *victim) (any, Code) {
			return protocol.Operator{Stream: 0x5555550}, ErrorInvalidResourceHandle
		},
		"accesses that come too early": func(v *victim) (any, Code) { return protocol.Touched{Number: 3}, 0 },
	} {
		t.Run(name, func(t *testing.T) {
			v := newVictim(t)
			message, want := attack(v)
			code, err := send(v.conn, message, nil)
			if (want == 0) != errors.Is(err, io.EOF) || code != want {
				t.Errorf("%v, %v; want %v", code, err, want)
			}
			a := v.server.cfg.Arena
			if a.Find(v.other.Base) != v.other || !bytes.Equal(a.Bytes(v.other.Base, 4), []byte("mine")) {
				t.Error("the other process has lost its memory")
			}
		})
	}
}

func launch(v *victim, params []byte) protocol.Launch {
	one := protocol.Dim3{X: 1, Y: 1, Z: 1}
	return protocol.Launch{Kernel: v.kernel.ID, Grid: one, Block: one, Params: params}
}

func fillRows(v *victim, width, height, depth, pitch, slice uint64) protocol.Set {
	return protocol.Set{Dst: v.alloc.Address, Pattern: []byte{1}, Width: width, Height: height, Depth: depth, Pitch: pitch, Slice: slice}
}

func changed(v *victim, change func(*protocol.Texture)) protocol.Texture {
	x := texture(v.alloc.Address)
	change(&x)
	return x
}

func surface(v *victim) protocol.Texture {
	return changed(v, func(x *protocol.Texture) { x.Surface, x.Levels[0].Width = true, 1<<31 })
}

func touchOf(lo, hi uint64) []protocol.Touch {
	return []protocol.Touch{{Bytes: []protocol.Extent{{Lo: lo, Hi: hi}}}}
}

// TestMappedMemoryOfAnother takes away what another program has reserved and mapped.
func TestMappedMemoryOfAnother(t *testing.T) {
	for name, attack := range map[string]func(v *victim) any{
		"unmap":     func(v *victim) any { return protocol.Unmap{Address: v.range_.Address, Size: 8192} },
		"map":       func(v *victim) any { return protocol.Map{Address: v.range_.Address + 8192, Size: 4096} },
		"map over":  func(v *victim) any { return protocol.Map{Address: v.range_.Address, Size: 4096} },
		"unreserve": func(v *victim) any { return protocol.Unreserve{Address: v.range_.Address + 1<<19} },
		"unreserve all": func(v *victim) any {
			return protocol.Unreserve{Address: v.unused.Address}
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVictim(t)
			v.ask(t, 0, protocol.Map{Address: v.range_.Address, Size: 8192}, nil, Success)
			v.ask(t, 0, protocol.Reserve{Size: 4096}, &v.unused, Success)
			other := v.connect(t, 2)
			if _, err := send(other, attack(v), nil); !errors.Is(err, io.EOF) {
				t.Errorf("%v, want the connection's end", err)
			}
			v.ask(t, 0, protocol.Unmap{Address: v.range_.Address, Size: 8192}, nil, Success)
			v.ask(t, 0, protocol.Unreserve{Address: v.unused.Address}, nil, Success)
		})
	}
}

// TestMappedMemory takes away, twice over, what holds memory that the process has mapped.
func TestMappedMemory(t *testing.T) {
	for name, last := range map[string]func(v *victim) any{
		"unreserve":      func(v *victim) any { return protocol.Unreserve{Address: v.range_.Address} },
		"map again":      func(v *victim) any { return protocol.Map{Address: v.range_.Address + 4096, Size: 8192} },
		"unmap too much": func(v *victim) any { return protocol.Unmap{Address: v.range_.Address, Size: 1 << 20} },
		"unmap all":      func(v *victim) any { return protocol.Unmap{Address: v.range_.Address, Size: -uint64(v.range_.Address)} },
	} {
		t.Run(name, func(t *testing.T) {
			v := newVictim(t)
			if code, err := send(v.conn, protocol.Map{Address: v.range_.Address, Size: 8192}, nil); code != Success || err != nil {
				t.Fatal(code, err)
			}
			if _, err := send(v.conn, last(v), nil); !errors.Is(err, io.EOF) {
				t.Errorf("%v, want the connection's end", err)
			}
		})
	}
}

// TestLengthAlone announces a large frame and sends nothing: the server takes memory for what
// comes.
func TestLengthAlone(t *testing.T) {
	body, err := readBody(bytes.NewReader(make([]byte, 100)), maxFrame)
	if err == nil || cap(body) > 1<<20 {
		t.Errorf("%d bytes for 100, %v", cap(body), err)
	}
	want := bytes.Repeat([]byte("frame"), 700_000)
	if got, err := readBody(bytes.NewReader(want), len(want)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
}

// again opens another connection of the victim's program.
func (v *victim) again(t *testing.T) net.Conn { return v.connect(t, 1) }

// connect opens a connection of the program with a token.
func (v *victim) connect(t *testing.T, token uint64) net.Conn {
	t.Helper()
	c, err := net.Dial("unix", v.server.socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if _, err := greet(c, token); err != nil {
		t.Fatal(err)
	}
	if token != 1 {
		if _, err := c.Read(make([]byte, 1)); err != nil { // with the arena's file
			t.Fatal(err)
		}
	}
	return c
}

// TestEndWhileWaiting ends programs whose threads wait for something that only the program could
// have done. The server ends too: attached waits for it.
func TestEndWhileWaiting(t *testing.T) {
	t.Run("accesses", func(t *testing.T) {
		v := newVictim(t)
		for _, c := range []net.Conn{v.conn, v.again(t)} { // both wait for number 0
			message := protocol.Encode(nil, protocol.Touched{Number: 1})
			if _, err := c.Write(frame(protocol.OpOf(reflect.TypeFor[protocol.Touched]()), message)); err != nil {
				t.Fatal(err)
			}
		}
		if code, err := send(v.conn, protocol.MemInfo{}, nil); code != Success || err != nil {
			t.Errorf("%v, %v", code, err)
		}
	})
	t.Run("an idle thread", func(t *testing.T) { // might still do what number 1 waits for
		v := newVictim(t)
		idle := v.again(t)
		message := protocol.Encode(nil, protocol.Touched{Number: 1})
		if _, err := v.conn.Write(frame(protocol.OpOf(reflect.TypeFor[protocol.Touched]()), message)); err != nil {
			t.Fatal(err)
		}
		for telling := 0; telling == 0; time.Sleep(time.Millisecond) {
			v.server.enter()
			telling = v.server.programs[1].telling
			v.server.leave()
		}
		idle.Close()
	})
	t.Run("host function", func(t *testing.T) {
		v := newVictim(t)
		one, params := protocol.Dim3{X: 1, Y: 1, Z: 1}, binary.LittleEndian.AppendUint64(nil, uint64(v.alloc.Address))
		var awaits protocol.FunctionReply
		var f protocol.HostFunctionReply
		if code, err := send(v.conn, protocol.Function{Name: "awaits"}, &awaits); code != Success || err != nil {
			t.Fatal(code, err)
		}
		for _, m := range []struct{ message, reply any }{
			{protocol.Launch{Kernel: awaits.ID, Grid: one, Block: one, Params: params}, nil}, {protocol.HostFunction{}, &f},
		} {
			if code, err := send(v.conn, m.message, m.reply); code != Success || err != nil {
				t.Fatal(code, err)
			}
		}
		c := v.again(t)
		c.Write(frame(protocol.OpOf(reflect.TypeFor[protocol.HostTurn]()), protocol.Encode(nil, protocol.HostTurn{ID: f.ID})))
		v.conn.Close()
		c.Close()
	})
}

// TestQueuedFillOfFreedMemory fills memory, after a kernel that waits, that is taken away
// meanwhile: the bytes belong to none then.
func TestQueuedFillOfFreedMemory(t *testing.T) {
	v := newVictim(t)
	var awaits protocol.FunctionReply
	var stream protocol.StreamCreateReply
	one, params := protocol.Dim3{X: 1, Y: 1, Z: 1}, binary.LittleEndian.AppendUint64(nil, uint64(v.alloc.Address))
	ask := func(message, reply any) {
		t.Helper()
		if code, err := send(v.conn, message, reply); code != Success || err != nil {
			t.Fatalf("%+v: %v, %v", message, code, err)
		}
	}
	ask(protocol.Map{Address: v.range_.Address, Size: 4096}, nil)
	ask(protocol.Function{Name: "awaits"}, &awaits)
	ask(protocol.StreamCreate{Flags: streamNonBlocking}, &stream)
	queue := protocol.Stream(stream.Handle)
	ask(protocol.Launch{Kernel: awaits.ID, Grid: one, Block: one, Params: params, Stream: queue}, nil)
	ask(protocol.Set{Async: true, Stream: queue, Dst: v.range_.Address, Pattern: []byte{7}, Width: 64, Height: 1, Depth: 1}, nil)
	ask(protocol.Unmap{Address: v.range_.Address, Size: 4096}, nil)
	ask(protocol.Set{Dst: v.alloc.Address, Pattern: []byte{1}, Width: 4, Height: 1, Depth: 1}, nil) // the kernel ends
	ask(protocol.StreamSync{Stream: queue, Wait: true}, nil)
	if b := v.server.cfg.Arena.Bytes(uint64(v.range_.Address), 64); !bytes.Equal(b, make([]byte, 64)) {
		t.Errorf("memory that is gone has %d", b)
	}
}

// TestProgramGoneWhileParked ends the context of a program whose kernel is parked while it is
// another's turn for longer than kernels are waited for. No goroutine of the kernel is left.
func TestProgramGoneWhileParked(t *testing.T) {
	v := newVictim(t)
	v.park(t, 0)
	v.server.enter()
	v.server.programs[1].gone()
	time.Sleep(grace + grace/4)
	v.server.leave()
	v.conn.Close()
	if !eventually(func() bool { return !bytes.Contains(stacks(), []byte(".(*piece).")) }) {
		t.Errorf("a goroutine is left:\n%s", stacks())
	}
}

// TestProgramGoneBehindRequests ends a program, or its half of the connection, while a kernel
// runs: that more requests had come before does not hide it.
func TestProgramGoneBehindRequests(t *testing.T) {
	for name, end := range map[string]func(*net.UnixConn) error{"closed": (*net.UnixConn).Close, "half closed": (*net.UnixConn).CloseWrite} {
		t.Run(name, func(t *testing.T) {
			v := newVictim(t)
			v.ask(t, 0, protocol.Function{Name: "slow"}, &v.kernel, Success)
			v.conn.Write(frame(protocol.OpOf(reflect.TypeFor[protocol.Launch]()), protocol.Encode(nil, launch(v, nil))))
			more := frame(protocol.OpOf(reflect.TypeFor[protocol.MemInfo]()), nil)
			for range 3 {
				time.Sleep(4 * watchDelay) // the kernel runs, and the program is watched
				v.conn.Write(more)
			}
			if err := end(v.conn); err != nil {
				t.Fatal(err)
			}
			if !eventually(func() bool { return v.programs() == 0 }) {
				t.Errorf("the kernel still runs:\n%s", stacks())
				v.server.programs[1].gone()
			}
		})
	}
}

// TestDismissed: once the program that was to be run has ended, another one keeps the server by nothing: neither by a kernel
// that has the turn, nor by a connection on which it says nothing, nor by one that comes late.
func TestDismissed(t *testing.T) {
	v := newVictim(t)
	v.ask(t, 0, protocol.Function{Name: "slow"}, &v.kernel, Success)
	v.conn.Write(frame(protocol.OpOf(reflect.TypeFor[protocol.Launch]()), protocol.Encode(nil, launch(v, nil))))
	silent, err := net.Dial("unix", v.server.socket)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	time.Sleep(4 * watchDelay) // the kernel runs
	done := make(chan struct{})
	go func() { v.server.dismiss(t.Context()); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatalf("the kernel keeps the turn:\n%s", stacks())
	}
	if !eventually(func() bool { return v.programs() == 0 }) {
		t.Error("the program is left")
	}
	silent.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, err := silent.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the silent connection is open: %v", err)
	}
	if v.server.meets(silent.(*net.UnixConn)) {
		t.Error("a connection that comes late is served")
	}
}

// programs is how many the server has. It does not wait for device code that runs.
func (v *victim) programs() int {
	v.server.mu.Lock()
	defer v.server.mu.Unlock()
	return len(v.server.programs)
}

// eventually waits up to ten seconds for something.
func eventually(holds func() bool) bool {
	for range 1000 {
		if holds() {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// TestFreeAfterReset frees memory of one device in a stream of another, which is blocked, and resets
// the first: the memory is gone already.
func TestFreeAfterReset(t *testing.T) {
	v := newVictim(t)
	v.server.cfg.Patience = time.Millisecond
	queue := v.park(t, 1)
	v.ask(t, 0, protocol.Free{Address: v.alloc.Address, InStream: true, Stream: queue}, nil, Success)
	v.ask(t, 0, protocol.Reset{}, nil, Success)
	v.ask(t, 0, protocol.Free{Address: v.alloc.Address}, nil, ErrorLaunchTimeout) // it waits for all devices
}

// park launches a kernel that waits for memory in a stream of a device of its own.
func (v *victim) park(t *testing.T, device uint8) protocol.Stream {
	t.Helper()
	var stream protocol.StreamCreateReply
	var module protocol.LoadReply
	var awaits protocol.FunctionReply
	var word protocol.AllocReply
	v.ask(t, device, protocol.StreamCreate{Flags: streamNonBlocking}, &stream, Success)
	v.ask(t, device, protocol.Load{Module: protocol.Part{Meta: []byte(`{"source":"fake.cu"}`), PTX: []byte("fake device code")}}, &module, Success)
	v.ask(t, device, protocol.Function{Module: module.ID, Name: "awaits"}, &awaits, Success)
	v.ask(t, device, protocol.Alloc{Size: 4096}, &word, Success)
	one, params := protocol.Dim3{X: 1, Y: 1, Z: 1}, binary.LittleEndian.AppendUint64(nil, uint64(word.Address))
	v.ask(t, device, protocol.Launch{Kernel: awaits.ID, Grid: one, Block: one, Params: params, Stream: protocol.Stream(stream.Handle)}, nil, Success)
	return protocol.Stream(stream.Handle)
}

// ask sends a request of a device and fails unless it is answered with want.
func (v *victim) ask(t *testing.T, device uint8, message, reply any, want Code) {
	t.Helper()
	if code, err := sendTo(v.conn, device, message, reply); code != want || err != nil {
		t.Fatalf("%+v: %v, %v", message, code, err)
	}
}
