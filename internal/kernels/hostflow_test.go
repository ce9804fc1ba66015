package kernels

import (
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// TestHostFlow: bytes of memory that are not as the device left them are the host's, whoever has written them.
func TestHostFlow(t *testing.T) {
	arena, err := mem.New(0)
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	arena.TrackWrites()
	f := newHostFlow(arena, true)
	var hooks host.Hooks
	f.add(&hooks)
	buffer, err := arena.AllocSpec(mem.Spec{Size: 64, Kind: mem.Device})
	if err != nil {
		t.Fatal(err)
	}
	f.begin([]*mem.Allocation{buffer})
	memory := arena.Bytes(buffer.Base, buffer.Size)
	launch := func(kernel func()) {
		l := &host.LaunchInfo{Kernel: "k"}
		hooks.Launch(l)
		hooks.Begun(l)
		kernel()
		hooks.Launched(l, host.LaunchResult{})
	}
	launch(func() { memory[0] = 1 }) // a kernel
	memory[9] = 2                    // the host, past all calls
	launch(func() { memory[9] = 3 })
	at := f.place(buffer, 8)
	if !slices.Equal(f.out.Sent, []Sent{{At: at, Unit: 4, Value: 2 << 8, Done: 1}, {At: at, Unit: 4, Done: 2, Device: true}}) {
		t.Errorf("the host sent %+v", f.out.Sent)
	}
	memory[20] = 4
	out := f.finish([]*mem.Allocation{buffer})
	if out.Launches != 2 || len(out.Sent) != 3 || out.Origins[0].Copied == 0 {
		t.Errorf("%+v", out)
	}
}
