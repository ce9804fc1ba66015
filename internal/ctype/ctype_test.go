package ctype

import "testing"

func TestPath(t *testing.T) {
	const point = "{12;x:0:s4;y:4:s4;z:8:s4;}"
	for _, tc := range []struct {
		typ  string
		off  int64
		size int
		want string
	}{
		{"a32s4", 12, 4, "[3]"},
		{"a32s4", 14, 1, "[3]"},
		{"a32s4", 128, 4, "[32]"},
		{"a32s4", -4, 4, "[-1]"},
		{"a4a8s4", 84, 4, "[2][5]"},
		{"a4a8s4", 4 * 32, 4, "[4][0]"},
		{"a4a8s4", -4, 4, "[-1][7]"},
		{"a2a3a4s2", 2*(12+2*4+3) + 0, 2, "[1][2][3]"},
		{"a8" + point, 36, 4, "[3].x"},
		{"a8" + point, 44, 4, "[3].z"},
		{"a8" + point, 36, 12, "[3]"},
		{point, 4, 4, ".y"},
		{point, 0, 12, ""},
		{"s4", 0, 4, ""},
		{"a2{28;pos:0:a2" + point + ";id:24:s4;}", 28 + 12 + 4, 4, "[1].pos[1].y"},
		{"a2{28;pos:0:a2" + point + ";id:24:s4;}", 28 + 24, 4, "[1].id"},
		{"{8;:0:{4;base:0:s4;};own:4:s4;}", 0, 4, ".base"},
		{"{8;tag:0:s1;value:4:s4;}", 2, 1, ""}, // padding
		{"a0s4", 8, 4, "[2]"},
	} {
		typ := Parse(tc.typ)
		if typ == nil {
			t.Errorf("%s is not read", tc.typ)
			continue
		}
		if typ.String() != tc.typ {
			t.Errorf("%s is written as %v", tc.typ, typ)
		}
		if got := typ.Path(tc.off, tc.size); got != tc.want {
			t.Errorf("%s at %d: %q, want %q", tc.typ, tc.off, got, tc.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, s := range []string{"", "x4", "s", "a4", "a4s", "{8", "{8;x:0:s4", "{8;x:s4;}", "s4s4", "s99999999999999999999", "{8;x}"} {
		if typ := Parse(s); typ != nil {
			t.Errorf("%q is read as %v", s, typ)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a4{8;x:0:s4;y:4:a2s2;}", int64(3))
	f.Fuzz(func(t *testing.T, s string, off int64) {
		if typ := Parse(s); typ != nil {
			typ.Path(off, 4)
		}
	})
}
