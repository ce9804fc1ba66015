package watch

import "testing"

func TestParse(t *testing.T) {
	for _, tc := range []struct {
		in    string
		want  Place
		fails bool
	}{
		{in: "s[3]", want: Place{Name: "s", Index: 3}},
		{in: "total", want: Place{Name: "total"}},
		{in: "_ZZ1kPiE1s[12]", want: Place{Name: "_ZZ1kPiE1s", Index: 12}},
		{in: "0x110000000200", want: Place{Addr: 0x110000000200}},
		{in: "4096", want: Place{Addr: 4096}},
		{in: "0", fails: true}, {in: "", fails: true}, {in: "a[b]", fails: true}, {in: "a[1", fails: true},
		{in: "a[-1]", fails: true}, {in: "a[99999999999999999999]", fails: true},
	} {
		tc.want.Text = tc.in
		got, err := Parse(tc.in)
		if (err != nil) != tc.fails || err == nil && got != tc.want {
			t.Errorf("Parse(%q) = %+v, %v", tc.in, got, err)
		}
	}
}
