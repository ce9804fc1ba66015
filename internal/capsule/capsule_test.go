package capsule

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// arena returns an arena with memory of several kinds.
func arena(t *testing.T) *mem.Arena {
	t.Helper()
	a, err := mem.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	a.TrackWrites()
	alloc := func(s mem.Spec) *mem.Allocation {
		al, err := a.AllocSpec(s)
		if err != nil {
			t.Fatal(err)
		}
		return al
	}
	gone := alloc(mem.Spec{Size: 100, Where: "cudaMalloc #1"})
	big := alloc(mem.Spec{Size: 3*ChunkSize + 10, Call: "cudaMalloc", At: "a.cu:3"})
	for _, at := range []uint64{5, ChunkSize - 1, 3*ChunkSize + 9} {
		a.Bytes(big.Base+at, 1)[0] = byte(at + 1)
		big.Written.Mark(at, 1)
	}
	alloc(mem.Spec{Size: 40, Kind: mem.Symbol, Name: "table", ReadOnly: true, Type: ctype.Array(10, &ctype.Type{Size: 4})})
	pinned := alloc(mem.Spec{Size: 64, Kind: mem.Pinned})
	copy(a.Bytes(pinned.Base, 64), "pinned")
	if _, err := a.Free(gone.Base); err != nil {
		t.Fatal(err)
	}
	a.Textures.Set(a.Textures.NewHandle(), &mem.Texture{Name: "t", Kind: mem.TextureLinear, Format: mem.TexelFormat{Channels: 1, Bits: 32, Kind: mem.TexelFloat},
		Levels: []mem.TextureLevel{{Base: big.Base, Width: 16}}, Alloc: big})
	return a
}

// record writes a capsule of an arena to dir and returns the manifest's path.
func record(t *testing.T, dir string, a *mem.Arena) string {
	t.Helper()
	r, err := NewRecorder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	c := &Capsule{Version: "1", Launch: Launch{Kernel: "k", Grid: trace.Dim3{X: 1, Y: 1, Z: 1}, Block: trace.Dim3{X: 32, Y: 1, Z: 1}, Params: []byte{1, 2}}}
	g, err := r.Begin("launch-0000-k.json", c, Texts{PTX: []byte(".version 7.0"), Files: []string{"a.cu"}, Sources: map[string][]byte{"a.cu": []byte("text")}}, a, false)
	if err == nil {
		err = g.End()
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "launch-0000-k.json")
}

// state describes all that a capsule has to keep of an arena.
func state(a *mem.Arena) string {
	var b strings.Builder
	st := a.Save()
	fmt.Fprintln(&b, st.Size, st.Limit, st.NextID)
	for _, s := range st.Allocations {
		al := *s.Allocation
		typ := ""
		if al.Type != nil {
			typ = al.Type.String()
		}
		fmt.Fprintln(&b, al.Base, al.Size, al.Kind, al.Name, al.ID, al.ReadOnly, al.Where, al.Call, al.At, typ, s.Footprint, s.Freed, s.Tracked,
			crc32.ChecksumIEEE(fmt.Append(nil, s.Marks)))
		if !s.Freed {
			fmt.Fprintln(&b, crc32.ChecksumIEEE(a.Bytes(al.Base, al.Size)))
		}
	}
	for _, h := range a.Textures.Handles() {
		t := *a.Textures.Get(h)
		fmt.Fprintln(&b, h, t.Alloc.Base, t.Name, t.Format, t.Levels)
	}
	return b.String()
}

func TestRoundTrip(t *testing.T) {
	a := arena(t)
	want := state(a)
	file := record(t, t.TempDir(), a)
	a.Close()
	c, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if ptx, err := c.PTX(); err != nil || string(ptx) != ".version 7.0" {
		t.Errorf("PTX %q, %v", ptx, err)
	}
	if text, err := c.Text(c.Sources[0]); err != nil || string(text) != "text" {
		t.Errorf("source %q, %v", text, err)
	}
	if n := c.Bytes(); n != 2*ChunkSize+10-ChunkSize+64 {
		t.Errorf("%d bytes of contents", n)
	}
	b, err := mem.New(c.Memory.Size)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	b.TrackWrites()
	if err := c.Restore(b); err != nil {
		t.Fatal(err)
	}
	if got := state(b); got != want {
		t.Errorf("restored:\n%s\nrecorded:\n%s", got, want)
	}
	next, err := b.Alloc(10, 0, mem.Device, "")
	if err != nil || next.ID != c.Memory.Next {
		t.Errorf("the next allocation is %+v, %v", next, err)
	}
}

// TestShared records one memory twice: the second capsule is only a manifest.
func TestShared(t *testing.T) {
	a := arena(t)
	defer a.Close()
	dir := t.TempDir()
	record(t, dir, a)
	count := func() (n int) {
		_ = filepath.WalkDir(filepath.Join(dir, "objects"), func(_ string, d os.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				n++
			}
			return nil
		})
		return n
	}
	before := count()
	record(t, dir, a)
	if after := count(); after != before || before != 6 {
		t.Errorf("%d objects, then %d", before, after)
	}
}

// TestDamagedCapsules has capsules that must be refused.
func TestDamagedCapsules(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"later format": {`"format": 3`, `"format": 4`, "a capsule of format 4"},
		"no format":    {`"format": 3`, `"format": 0`, "not a capsule"},
		"cut":          {`"launch"`, ``, "not a capsule"},
		"path as hash": {`"sha256": "`, `"sha256": "../../`, "not a SHA-256"},
		"huge":         {`"size": 12`, `"size": 1099511627776`, "at most"},
		"wrong length": {`"size": 12`, `"size": 13`, "damaged"},
		"no kernel":    {`"kernel": "k"`, `"kernel": ""`, "no kernel"},
		"overlap":      {`"id": 3,`, `"id": 3, "footprint": 1000000000,`, ""},
		"texture":      {`"Width": 16`, `"Width": 1000000`, "beyond its memory"},
		"children":     {`"params"`, `"children": {"next": 0}, "params"`, "child grids"},
		"handle":       {`"handle": 1`, `"handle": 0`, "texture handle"},
		"type":         {`"type": "a10s4"`, `"type": "a10"`, "invalid type"},
		"of no memory": {`"allocation": 1`, `"allocation": 7`, "allocation 7"},
	} {
		t.Run(name, func(t *testing.T) {
			a := arena(t)
			file := record(t, t.TempDir(), a)
			a.Close()
			text, err := os.ReadFile(file)
			if err != nil || !strings.Contains(string(text), c.old) {
				t.Fatalf("%q is not in the manifest: %v\n%s", c.old, err, text)
			}
			if err := os.WriteFile(file, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o666); err != nil {
				t.Fatal(err)
			}
			if err := use(t, file); c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// use opens a capsule and takes everything out of it.
func use(t *testing.T, file string) error {
	c, err := Open(file)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.PTX(); err != nil {
		return err
	}
	for _, s := range c.Sources {
		if _, err := c.Text(s); err != nil {
			return err
		}
	}
	a, err := mem.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	a.TrackWrites()
	return c.Restore(a)
}

// TestOutside has objects and manifests that lead out of the directory, or would block.
func TestOutside(t *testing.T) {
	a := arena(t)
	dir := t.TempDir()
	file := record(t, dir, a)
	a.Close()
	c, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	object := filepath.Join(dir, c.Module.PTX.file())
	c.Close()
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Rename(object, outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, object); err != nil {
		t.Fatal(err)
	}
	if err := use(t, file); err == nil || !strings.Contains(err.Error(), "escapes") {
		t.Errorf("a link out of the directory: %v", err)
	}
	os.Remove(object)
	if err := syscall.Mkfifo(object, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := use(t, file); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe: %v", err)
	}
	if err := use(t, dir); err == nil {
		t.Error("a directory is a capsule")
	}
}

// FuzzManifest changes manifests: whatever they say, nothing but an error comes of it.
func FuzzManifest(f *testing.F) {
	var t testing.T
	a := arena(&t)
	dir := f.TempDir()
	file := record(&t, dir, a)
	a.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Fuzz(func(t *testing.T, text []byte) {
		name := filepath.Join(dir, "fuzz.json")
		if err := os.WriteFile(name, text, 0o666); err != nil {
			t.Fatal(err)
		}
		_ = use(t, name)
	})
}
