package host

import (
	"context"
	"flag"
	"math/rand/v2"
	"net"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/host/frames"
	"github.com/warpgrind/warpgrind/internal/host/protocol"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

var (
	manyFrames = flag.Int("frames", 10_000, "how many frames TestFrames plays")
	firstFrame = flag.Uint64("frames-seed", 1, "where TestFrames begins")
)

// stage is where sessions are played: an arena for all of a test.
var stage struct {
	arena *mem.Arena
	arch  *arch.Arch
}

func openStage(t testing.TB) {
	var err error
	if stage.arena, err = mem.New(0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stage.arena.Close() })
	stage.arch, _ = arch.Parse("sm_90")
}

const fakeMeta = `{"source":"fake.cu","module":"fake"}`

// fakeStart is how programs begin: what they link and get ready.
func fakeStart() []any {
	list := []any{protocol.Load{Module: protocol.Part{Meta: []byte(fakeMeta), PTX: []byte("fake device code")}, Managed: []string{"managed"}}}
	for _, name := range []string{"add_one", "count", "say", "bounded", "heap", "awaits"} {
		list = append(list, protocol.Function{Name: name})
	}
	return append(list, protocol.Variable{Name: "counter"}, protocol.Variable{Name: "table"},
		protocol.Alloc{Size: 4096}, protocol.Alloc{Size: 1 << 20}, protocol.Alloc{Kind: uint8(mem.Pinned), Size: 4096},
		protocol.Reserve{Size: 4 << 20}, protocol.StreamCreate{}, protocol.StreamCreate{Flags: streamNonBlocking}, protocol.EventCreate{})
}

// waitingStart is fakeStart with a kernel that waits for memory, so that its stream queues up.
func waitingStart() []any {
	one := protocol.Dim3{X: 1, Y: 1, Z: 1}
	return append(fakeStart(), protocol.Launch{Kernel: 5, Grid: one, Block: one, Stream: firstHandle + handleStep})
}

// allEvents is an observer of everything that does nothing.
func allEvents() *trace.Observer {
	o := &trace.Observer{}
	for v, i := reflect.ValueOf(o).Elem(), 0; i < v.NumField(); i++ {
		if f := v.Field(i); f.Kind() == reflect.Func {
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { return make([]reflect.Value, f.Type().NumOut()) }))
		}
	}
	return o
}

// play plays a session against a server of its own, and checks what it leaves.
func play(t *testing.T, data []byte) int {
	t.Helper()
	s := New(Config{Arena: stage.arena, Arch: stage.arch, Runner: &fakeRunner{arena: stage.arena}, Devices: 2, Observer: allEvents()})
	var served sync.WaitGroup
	p := frames.Player{
		Connect: func() (*net.UnixConn, error) {
			a, b := pair(t)
			served.Go(func() { s.serveConn(context.Background(), b) })
			return a, nil
		},
		Texts:  []string{"", "add_one", "count", "counter", "managed", "x"},
		Blobs:  [][]byte{nil, {1}, {0, 0, 0, 0}, make([]byte, 4096), []byte(fakeMeta), []byte("fake device code")},
		Starts: [][]any{fakeStart(), fakeStart(), waitingStart()},
	}
	n, err := p.Play(data)
	if err != nil {
		t.Fatalf("%v for %x\n%s", err, data, stacks())
	}
	over := make(chan struct{})
	go func() { served.Wait(); s.conns.Wait(); close(over) }()
	select {
	case <-over:
	case <-time.After(time.Minute):
		t.Fatalf("the server has not ended for %x\n%s", data, stacks())
	}
	checkLeft(t, s, data)
	return n
}

// stacks are what all goroutines do.
func stacks() []byte {
	b := make([]byte, 1<<20)
	return b[:runtime.Stack(b, true)]
}

// checkLeft checks that nothing is left of a session: no memory, no byte that was written
// outside of any.
func checkLeft(t *testing.T, s *Server, data []byte) {
	t.Helper()
	if n := len(stage.arena.Live()); n > 0 || len(s.programs) > 0 {
		t.Fatalf("%d allocations and %d programs left by %x", n, len(s.programs), data)
	}
	for d, n := range s.used {
		if n != 0 {
			t.Fatalf("%d bytes of device %d in use after %x", n, d, data)
		}
	}
	if used, _ := stage.arena.Usage(); used != 0 {
		t.Fatalf("%d bytes in use after %x", used, data)
	}
	if addr := firstWritten(stage.arena); addr != 0 {
		t.Fatalf("0x%x, outside of all memory, is written by %x", addr, data)
	}
}

// firstWritten is the first address of the arena whose byte is not 0, or 0.
func firstWritten(a *mem.Arena) uint64 {
	fd := int(a.File().Fd())
	for off := int64(0); ; {
		from, err := unix.Seek(fd, off, unix.SEEK_DATA)
		if err != nil {
			return 0
		}
		if off, err = unix.Seek(fd, from, unix.SEEK_HOLE); err != nil {
			return 0
		}
		for i, b := range a.Bytes(mem.ArenaBase+uint64(from), uint64(off-from)) {
			if b != 0 {
				return mem.ArenaBase + uint64(from) + uint64(i)
			}
		}
	}
}

// TestFrames plays sessions that are the same each time.
func TestFrames(t *testing.T) {
	openStage(t)
	rng := rand.New(rand.NewPCG(17, *firstFrame))
	for left := *manyFrames; left > 0; {
		data := make([]byte, 32+rng.IntN(200))
		for i := range data {
			data[i] = byte(rng.Uint32())
		}
		left -= play(t, data)
	}
	t.Logf("%d frames", *manyFrames)
}

// FuzzFrames plays sessions that the fuzzer finds.
func FuzzFrames(f *testing.F) {
	openStage(f)
	f.Add([]byte("a session of some forty requests, which the table orders"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 1<<10 {
			play(t, data)
		}
	})
}
