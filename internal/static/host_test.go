package static

import (
	"maps"
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

const hostCode = `
define dso_local void @_Z19__device_stub__scanPfi(ptr noundef %data, i32 noundef %n) #2 {
}
define linkonce_odr void @_ZN2ns19__device_stub__fillIfEEvPT_S1_(ptr noundef %0, float noundef %value) local_unnamed_addr #2 comdat {
}
define dso_local void @__device_stub__plain(i64 noundef %size, i1 noundef zeroext %flag, double %d) #2 {
}
define dso_local i32 @main() #0 {
  %2 = call i32 @__cudaPushCallConfiguration(i64 4294967300, i32 1, i64 34359738384, i32 2, i64 noundef 4096, ptr noundef null)
  call void @_Z19__device_stub__scanPfi(ptr noundef %4, i32 noundef -1) #7
  %3 = invoke i32 @__cudaPushCallConfiguration(i64 %g, i32 1, i64 4294967552, i32 1, i64 noundef %s, ptr noundef null)
          to label %5 unwind label %6
  invoke void @_Z19__device_stub__scanPfi(ptr noundef %4, i32 noundef %n)
  %7 = call i32 @__cudaPushCallConfiguration(i64 %g, i32 1, i64 4294967552, i32 1, i64 noundef %s, ptr noundef null)
  call void @_Z19__device_stub__scanPfi(ptr noundef %4, i32 noundef %n)
  %8 = call i32 @__cudaPushCallConfiguration(i64 4294967297, i32 1, i64 4294967297, i32 1, i64 noundef 0, ptr noundef null)
  call void @_ZN2ns19__device_stub__fillIfEEvPT_S1_(ptr noundef %4, float noundef 1.500000e+00)
  %9 = call i32 @__cudaPushCallConfiguration(i64 4294967297, i32 1, i64 4294967297, i32 1, i64 noundef 0, ptr noundef null)
  call void @__device_stub__plain(i64 noundef 7, i1 noundef zeroext true, double 0x4000000000000000)
}
declare i32 @__cudaPushCallConfiguration(i64, i32, i64, i32, i64 noundef, ptr noundef) local_unnamed_addr #1
`

// entry has parameters of these sizes, negative for structures.
func entry(name string, params ...int64) *ptx.Func {
	f := &ptx.Func{Name: name, Entry: true}
	for _, n := range params {
		v := &ptx.Variable{Type: isa.B64, Vec: 1}
		if n < 0 {
			v.Type, v.Dims = isa.B8, []int64{-n}
		}
		f.Params = append(f.Params, v)
	}
	return f
}

func TestReadHost(t *testing.T) {
	h := &HostCode{}
	h.Read([]byte(hostCode))
	scan, fill, plain := entry("_Z4scanPfi", 8, 4), entry("_ZN2ns4fillIfEEvPT_S1_", 8, 4), entry("plain", 8, 1, 8)
	if got := h.Names(scan); !slices.Equal(got, []string{"data", "n"}) {
		t.Errorf("names of scan: %q", got)
	}
	if got := h.Names(fill); !slices.Equal(got, []string{"", "value"}) {
		t.Errorf("names of fill: %q", got)
	}
	launches := h.Launches(scan)
	if len(launches) != 2 {
		t.Fatalf("%d launches of scan, want 2", len(launches))
	}
	known := launches[0]
	if known.Grid != [3]uint32{4, 1, 1} || known.Block != [3]uint32{16, 8, 2} || known.Shared != 4096 || known.Params[Part{1, 0}] != 1<<32-1 {
		t.Errorf("constants: %+v", known)
	}
	if l := launches[1]; l.Grid != [3]uint32{0, 0, 1} || l.Block != [3]uint32{256, 1, 1} || l.Shared != -1 || len(l.Params) != 0 {
		t.Errorf("no constants: %+v", l)
	}
	if p := h.Launches(fill)[0].Params; p[Part{1, 0}] != 0x3fc00000 {
		t.Errorf("float: %x", p)
	}
	if p := h.Launches(plain)[0].Params; !maps.Equal(p, map[Part]uint64{{0, 0}: 7, {1, 0}: 1, {2, 0}: 0x4000000000000000}) {
		t.Errorf("plain: %x", p)
	}
	if l := h.Launches(entry("plain", 8, 1))[0]; len(l.Params) != 0 {
		t.Errorf("parameters that do not fit: %x", l.Params)
	}
}

const structures = `
define dso_local void @_Z4gemm19__device_stub__gemm(ptr noundef %a, i64 %d.coerce0, i32 %d.coerce1, i64 %n.coerce, ptr noundef byval(%struct.Big) align 8 %big, i32 noundef %k) #2 {
define dso_local i32 @main() #0 {
  %2 = call i32 @__cudaPushCallConfiguration(i64 4294967300, i32 1, i64 34359738384, i32 2, i64 noundef 0, ptr noundef null)
  call void @_Z4gemm19__device_stub__gemm(ptr noundef %4, i64 158913789992, i32 50, i64 %x, ptr noundef byval(%struct.Big) align 8 %5, i32 noundef 9) #7
}
`

// TestReadStructures has structures that host code passes in words, by a pointer
// and, as they have no members, not at all.
func TestReadStructures(t *testing.T) {
	h := &HostCode{}
	h.Read([]byte(structures))
	for _, f := range []*ptx.Func{entry("_Z4gemm4gemm", 8, -12, -8, -40, 4), entry("_Z4gemm4gemm", -1, 8, -12, -1, -8, -40, 4)} {
		first := len(f.Params) / 7 // the empty ones before d
		d := Part{1 + first, 0}
		n := h.Names(f)
		if len(n) != len(f.Params) || n[d.Param] != "d" || n[len(n)-2] != "big" || n[len(n)-1] != "k" {
			t.Fatalf("names: %q", n)
		}
		l := h.Launches(f)[0]
		for off, want := range []uint64{0: 40, 4: 37, 8: 50} {
			if v, ok := l.Value(Part{d.Param, off}, 4); off%4 == 0 && (!ok || v != want) {
				t.Errorf("at %d: %d, %v, want %d", off, v, ok, want)
			}
		}
		if v, ok := l.Value(Part{len(n) - 1, 0}, 4); !ok || v != 9 {
			t.Errorf("k: %d, %v", v, ok)
		}
		for _, p := range []Part{{len(n) - 2, 0}, {len(n) - 3, 0}, {d.Param, 6}} {
			if v, ok := l.Value(p, 4); ok {
				t.Errorf("%v: %d", p, v)
			}
		}
	}
	if l := h.Launches(entry("_Z4gemm4gemm", -1, 8, -12, -8, -40, -1)); len(l[0].Params)+len(l[0].words) != 0 {
		t.Errorf("parameters that do not fit: %+v", l[0])
	}
	if n := h.Names(entry("_Z4gemm4gemm", 8, 4, 8, 8, 4)); n != nil {
		t.Errorf("a structure in a scalar: %q", n)
	}
}

// TestReadHostNonsenseDoesNotPanic can fail by a panic alone: what nonsense is read as does not matter.
func TestReadHostNonsenseDoesNotPanic(t *testing.T) {
	for _, text := range []string{"", "call void @x__device_stub__y(", "@__cudaPushCallConfiguration()\ncall void @__device_stub__k()",
		"call i32 @__cudaPushCallConfiguration(i64 1)\ncall void @__device_stub__k(i32)"} {
		new(HostCode).Read([]byte(text))
	}
}
