package static

import (
	"maps"
	"slices"
	"testing"
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

func TestReadHost(t *testing.T) {
	h := ReadHost([]byte(hostCode))
	if got := h.Names["_Z4scanPfi"]; !slices.Equal(got, []string{"data", "n"}) {
		t.Errorf("names of scan: %q", got)
	}
	if got := h.Names["_ZN2ns4fillIfEEvPT_S1_"]; !slices.Equal(got, []string{"", "value"}) {
		t.Errorf("names of fill: %q", got)
	}
	scan := h.Launches["_Z4scanPfi"]
	if len(scan) != 2 {
		t.Fatalf("%d launches of scan, want 2", len(scan))
	}
	known := scan[0]
	if known.Grid != [3]uint32{4, 1, 1} || known.Block != [3]uint32{16, 8, 2} || known.Shared != 4096 || known.Params[1] != 1<<32-1 {
		t.Errorf("constants: %+v", known)
	}
	if l := scan[1]; l.Grid != [3]uint32{0, 0, 1} || l.Block != [3]uint32{256, 1, 1} || l.Shared != -1 || len(l.Params) != 0 {
		t.Errorf("no constants: %+v", l)
	}
	if p := h.Launches["_ZN2ns4fillIfEEvPT_S1_"][0].Params; p[1] != 0x3fc00000 {
		t.Errorf("float: %x", p)
	}
	if p := h.Launches["plain"][0].Params; !maps.Equal(p, map[int]uint64{0: 7, 1: 1, 2: 0x4000000000000000}) {
		t.Errorf("plain: %x", p)
	}
}

func TestReadHostNonsense(t *testing.T) {
	for _, text := range []string{"", "call void @x__device_stub__y(", "@__cudaPushCallConfiguration()\ncall void @__device_stub__k()",
		"call i32 @__cudaPushCallConfiguration(i64 1)\ncall void @__device_stub__k(i32)"} {
		ReadHost([]byte(text))
	}
}
