package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/capsule"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/tooltest"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// hostilePTX uses what a manifest has a part in: a parameter that is a pointer, a variable, a
// constant, shared memory.
const hostilePTX = `.version 7.0
.target sm_80
.address_size 64
.global .align 4 .b8 total[64];
.const .align 4 .b8 table[64];
.extern .shared .align 4 .b8 dyn[];
.visible .entry k(.param .u64 p, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd1, [p];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd2, %r2, 4;
	add.s64 %rd3, %rd1, %rd2;
	and.b32 %r3, %r2, 15;
	mul.wide.u32 %rd4, %r3, 4;
	mov.u64 %rd5, table;
	add.s64 %rd6, %rd5, %rd4;
	ld.const.u32 %r4, [%rd6];
	mov.u64 %rd7, total;
	add.s64 %rd8, %rd7, %rd4;
	atom.global.add.u32 %r5, [%rd8], %r4;
	st.shared.u32 [dyn], %r5;
	bar.sync 0;
	ld.shared.u32 %r6, [dyn];
	ld.global.u32 %r7, [%rd3];
	add.u32 %r8, %r6, %r7;
	st.global.u32 [%rd3], %r8;
	ret;
}
`

// hostileCapsule writes a capsule of the kernel and returns its manifest.
func hostileCapsule(t *testing.T, dir string) string {
	t.Helper()
	a, err := mem.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.TrackWrites()
	alloc := func(s mem.Spec) *mem.Allocation {
		al, err := a.AllocSpec(s)
		if err != nil {
			t.Fatal(err)
		}
		return al
	}
	buf := alloc(mem.Spec{Size: 256, Where: "cudaMalloc #1"})
	total := alloc(mem.Spec{Size: 64, Kind: mem.Symbol, Name: "total"})
	table := alloc(mem.Spec{Size: 64, Kind: mem.Symbol, Name: "table", ReadOnly: true})
	for i := range 16 {
		a.Bytes(table.Base, 64)[4*i] = byte(i + 1)
	}
	r, err := capsule.NewRecorder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	params := make([]byte, 12)
	for i := range 8 {
		params[i] = byte(buf.Base >> (8 * i))
	}
	c := &capsule.Capsule{Version: session.Version, Settings: capsule.Settings{Arch: "sm_80"}, Launch: capsule.Launch{Kernel: "k",
		Grid: trace.Dim3{X: 2, Y: 1, Z: 1}, Block: trace.Dim3{X: 64, Y: 1, Z: 1}, SharedDynamic: 16, Params: params, Resident: 16},
		Module: capsule.Module{Name: "k.ptx", Build: "ptx", Addresses: map[string]uint64{"total": total.Base, "table": table.Base}}}
	if _, err := r.Begin("launch.json", c, capsule.Texts{PTX: []byte(hostilePTX)}, a, true); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "launch.json")
}

// replayed replays a capsule with few steps and little time.
func replayed(t *testing.T, file string, limit time.Duration) (exit int, err error) {
	t.Helper()
	var out bytes.Buffer
	r, err := Replay(context.Background(), file, session.Config{RunConfig: session.RunConfig{Workers: 1, MaxSteps: 10_000, Timeout: limit, Stdout: &out, Stderr: &out}}, Expected{})
	if err != nil {
		return 0, err
	}
	if r.Exit == session.ExitBug {
		t.Fatalf("bug: %v", r.Messages)
	}
	return r.Exit, nil
}

// TestHostileCapsules replays capsules whose manifests were changed: numbers to extremes, parts
// taken away or doubled. Whatever they say, an error or a report comes of it.
func TestHostileCapsules(t *testing.T) {
	dir := t.TempDir()
	file := hostileCapsule(t, dir)
	if exit, err := replayed(t, file, 5*time.Second); err != nil || exit != session.ExitFindings {
		t.Fatalf("the unchanged capsule: exit code %d, %v", exit, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 300
	if tooltest.Long() {
		n = 100_000
	}
	refused, ran := 0, 0
	for seed := range n {
		var v any
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.UseNumber()
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		for range 1 + rng.IntN(3) {
			v = changed(v, rng)
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "changed.json"), b, 0o666); err != nil {
			t.Fatal(err)
		}
		// One in 300 gets a grid that no time is enough for.
		if _, err := replayed(t, filepath.Join(dir, "changed.json"), 200*time.Millisecond); err != nil {
			if u := (*build.UsageError)(nil); !errors.As(err, &u) {
				t.Fatalf("seed %d: %v", seed, err)
			}
			refused++
		} else {
			ran++
		}
	}
	t.Logf("%d refused, %d ran", refused, ran)
	if refused == 0 || ran == 0 {
		t.Error("the changes are all too large, or all too small")
	}
}

// extremes are numbers that a check may have forgotten.
var extremes = []json.Number{"0", "1", "-1", "2", "31", "65536", "2147483647", "4294967295", "4294967296", "1099511627776", "18691697672704",
	"9223372036854775807", "18446744073709551615", "18446744073709551360"}

// changed is a JSON value with one change somewhere below it.
func changed(v any, rng *rand.Rand) any {
	switch x := v.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(x))
		if len(keys) == 0 {
			return x
		}
		k := keys[rng.IntN(len(keys))]
		if rng.IntN(20) == 0 {
			delete(x, k)
		} else {
			x[k] = changed(x[k], rng)
		}
		return x
	case []any:
		if len(x) == 0 || rng.IntN(10) == 0 {
			return append(x, x...)
		}
		i := rng.IntN(len(x))
		x[i] = changed(x[i], rng)
		return x
	case json.Number:
		if n, err := x.Int64(); err == nil && rng.IntN(2) == 0 {
			b, _ := json.Marshal(n + int64(rng.IntN(1024)) - 512)
			return json.Number(b)
		}
		return extremes[rng.IntN(len(extremes))]
	case string:
		b := []byte(x)
		if len(b) > 0 {
			b[rng.IntN(len(b))] ^= byte(1 + rng.IntN(127))
		}
		return string(b)
	case bool:
		return !x
	}
	return v
}
