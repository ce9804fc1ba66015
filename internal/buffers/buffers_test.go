package buffers

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/mem"
)

func TestParamTypes(t *testing.T) {
	for mangled, want := range map[string][]string{
		"_Z1kPfS_i":                 {"float*", "float*", "int"},
		"_Z4scanIfEvPT_":            {"float*"},
		"_Z1kv":                     {},
		"_Z1kPK6float4m":            {"float4 const*", "unsigned long"},
		"_Z1kIN2ns4PairIiiEEEvPT_i": {"ns::Pair<int, int>*", "int"},
		"plain":                     nil,
	} {
		got := ParamTypes(mangled)
		if !slices.Equal(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%s: %q, want %q", mangled, got, want)
		}
	}
}

func TestPointee(t *testing.T) {
	for param, want := range map[string]string{
		"float*": "float", "float const*": "float", "int* __restrict": "int", "float4 const*": "float",
		"uchar3*": "unsigned char", "__half2*": "__half", "unsigned long long*": "unsigned long long",
		"int": "", "ns::Pair*": "", "float**": "", "int volatile*": "int", "longlong2*": "long long",
	} {
		if got, _ := Pointee(param); got.Name != want {
			t.Errorf("Pointee(%q) = %q, want %q", param, got.Name, want)
		}
	}
}

func TestFormat(t *testing.T) {
	word := func(v uint64, n int) []byte { return binary.LittleEndian.AppendUint64(nil, v)[:n] }
	for _, tc := range []struct {
		typ  string
		b    []byte
		want string
	}{
		{"int", word(uint64(0xfffffffe), 4), "-2"},
		{"unsigned int", word(0xfffffffe, 4), "4294967294"},
		{"signed char", word(0x80, 1), "-128"},
		{"unsigned long", word(1<<63, 8), "9223372036854775808"},
		{"float", word(uint64(math.Float32bits(0.1)), 4), "0.1"},
		{"float", word(uint64(math.Float32bits(float32(math.Inf(-1)))), 4), "-Inf"},
		{"double", word(math.Float64bits(1.0/3), 8), "0.3333333333333333"},
		{"double", word(math.Float64bits(math.Copysign(0, -1)), 8), "-0"},
		{"__half", word(0x3555, 2), "0.33325195"},
		{"__half", word(0x0001, 2), "5.9604645e-08"},
		{"__half", word(0xfc00, 2), "-Inf"},
		{"__nv_bfloat16", word(0x3f80, 2), "1"},
		{"int", word(7, 3), "0x000007"},
		{"struct S", word(0xdeadbeef, 4), "0xdeadbeef"},
	} {
		typ, _ := ParseType(tc.typ)
		if got := typ.Format(tc.b); got != tc.want {
			t.Errorf("%s % x: %s, want %s", tc.typ, tc.b, got, tc.want)
		}
	}
}

func TestHistoryAndDump(t *testing.T) {
	arena, err := mem.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	al, err := arena.AllocSpec(mem.Spec{Size: 16, Where: "cudaMalloc #2 at a.cu:5"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := arena.AllocSpec(mem.Spec{Size: 6, Kind: mem.Symbol, Name: "_ZN2ns5tableE"}); err != nil {
		t.Fatal(err)
	}
	pointer := Param{Type: "int*", Value: binary.LittleEndian.AppendUint64(nil, al.Base)}
	data := arena.Bytes(al.Base, 16)
	h := NewHistory()
	h.Launch(arena, []Param{pointer})
	data[4] = 3
	h.Add(Moment{}, arena)
	if d := h.Compare(Moment{}, arena); d != nil {
		t.Errorf("equal memory differs: %+v", d)
	}
	data[4], data[12] = 4, 1
	d := h.Compare(Moment{}, arena)
	if len(d) != 1 || d[0].Name != "cudaMalloc2" || d[0].Index != 1 || d[0].Was != "3" || d[0].Now != "4" || d[0].Count != 2 {
		t.Errorf("differences %+v", d)
	}
	h.Add(Moment{}, arena) // another run: elements may be as in either
	if data[4] = 3; h.Unseen(Moment{}, arena) != nil {
		t.Error("a mixture of two runs counts as new")
	}
	data[4], data[0] = 5, 1
	if d := h.Unseen(Moment{}, arena); len(d) != 1 || d[0].Index != 0 || d[0].Was != "0" || d[0].Now != "1" || d[0].Count != 2 {
		t.Errorf("new elements %+v", d)
	}
	data[4], data[0] = 4, 0
	if h.Compare(Moment{Work: 1}, arena) != nil {
		t.Error("a launch that the first run did not have is compared")
	}
	dir := t.TempDir()
	if err := h.types.Dump(dir, arena, 3, "k(int*)"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"cudaMalloc2.0003.txt": "# the 16 bytes of cudaMalloc #2 at a.cu:5, int, after launch 3 of k(int*)\n0\n4\n0\n1\n",
		"table.0003.txt":       "# variable table, word, after launch 3 of k(int*)\n0x00000000\n0x0000\n",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

func TestWriteParams(t *testing.T) {
	arena, err := mem.New(1 << 30)
	if err != nil {
		t.Fatal(err)
	}
	defer arena.Close()
	al, _ := arena.AllocSpec(mem.Spec{Size: 64, Where: "cudaMalloc #1"})
	gone, _ := arena.AllocSpec(mem.Spec{Size: 64, Where: "cudaMalloc #2"})
	if _, err := arena.Free(gone.Base); err != nil {
		t.Fatal(err)
	}
	word := func(v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v) }
	for _, tc := range []struct {
		p    Param
		want string
	}{
		{Param{"float*", word(al.Base + 8)}, "cudaMalloc1 + 8 bytes: 56 bytes (14 of float)"},
		{Param{"", word(al.Base)}, "8 bytes: 0x110000000200, cudaMalloc1: 64 bytes"},
		{Param{"int*", word(0)}, "int*: null"},
		{Param{"int*", word(0x7fff00001000)}, "which is not device memory"},
		{Param{"int*", word(gone.Base)}, "freed memory: the 64 bytes of cudaMalloc #2"},
		{Param{"int", word(7)[:4]}, "argument 0, int: 7\n"},
		{Param{"S", append(word(1), 2)}, "01 00 00 00 00 00 00 00 02"},
		{Param{"", word(12)}, "8 bytes: 0x000000000000000c"},
	} {
		var b strings.Builder
		WriteParams(&b, arena, []Param{tc.p})
		if !strings.Contains(b.String(), tc.want) {
			t.Errorf("%+v: %s, want %q", tc.p, b.String(), tc.want)
		}
	}
}
