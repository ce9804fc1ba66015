package numdiff

import (
	"strings"
	"testing"
)

func values(t *testing.T, s string) []Value {
	t.Helper()
	v, err := Read(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEqual(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		o    Options
		want bool
	}{
		{"1", "1", Options{}, true},
		{"1", "1.0", Options{}, true},
		{"0x10", "16", Options{}, true},
		{"1", "2", Options{}, false},
		{"1", "1.25", Options{Abs: 0.25}, true},
		{"1", "1.26", Options{Abs: 0.25}, false},
		{"100", "101", Options{Rel: 0.01}, true},
		{"100", "102", Options{Rel: 0.01}, false},
		{"NaN", "nan", Options{}, true},
		{"NaN", "NaN", Options{NaNDiffers: true}, false},
		{"NaN", "1", Options{Abs: 1e300}, false},
		{"0", "-0", Options{}, true},
		{"0", "-0", Options{ZeroDiffers: true}, false},
		{"-0", "-0", Options{ZeroDiffers: true}, true},
		{"inf", "+Inf", Options{}, true},
		{"inf", "-inf", Options{Abs: 1}, false},
		{"inf", "1", Options{Rel: 0.5}, false},
		{"9007199254740993", "9007199254740992", Options{}, false},
		{"18446744073709551615", "18446744073709551615", Options{}, true},
		{"abc", "abc", Options{}, true},
		{"abc", "1", Options{Abs: 1e300}, false},
	} {
		a, b := Parse(tc.a), Parse(tc.b)
		if got := tc.o.Equal(a, b); got != tc.want {
			t.Errorf("%s and %s under %+v: %v, want %v", tc.a, tc.b, tc.o, got, tc.want)
		}
		if got := tc.o.Equal(b, a); got != tc.want {
			t.Errorf("%s and %s under %+v: %v, want %v", tc.b, tc.a, tc.o, got, tc.want)
		}
	}
}

func TestCompare(t *testing.T) {
	count := "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"
	for _, tc := range []struct {
		name, a, b string
		o          Options
		want       []string
	}{
		{"same", "# head\n1\n2", "1 2", Options{}, nil},
		{"one", "1\n2\n3", "1,5,3", Options{}, []string{"1 of 3 elements differ", "first: [1] 2 and 5, difference 3, relative 0.6"}},
		{"length", "1 2", "1 2 3", Options{}, []string{"0 of 2 elements differ; the first has 2 elements, the second 3"}},
		{"unordered", "3 1 2", "1 2 3", Options{Unordered: true}, nil},
		{"reordered", "3 1 2", "1 2 3", Options{}, []string{"both have the same elements in another order"}},
		{"moved", count + " 0 0 0 0", "0 0 0 0 " + count, Options{}, []string{"elements 0 to 15 of the first are elements 4 to 19 of the second"}},
		{"constant", strings.Repeat("7 ", 16) + "1", strings.Repeat("8 ", 16) + strings.Repeat("7 ", 16), Options{}, []string{"17 of 17 elements differ"}},
		{"worst", "1 1 1 1000", "2 2 2 1003", Options{}, []string{"first: [0] 1 and 2", "largest difference: [3] 1000 and 1003", "largest relative difference: [0] 1 and 2"}},
	} {
		r := Compare(values(t, tc.a), values(t, tc.b), tc.o)
		var b strings.Builder
		r.Write(&b, "x", 1)
		if r.Same() != (tc.want == nil) {
			t.Errorf("%s: same is %v\n%s", tc.name, r.Same(), b.String())
		}
		for _, w := range tc.want {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s: no %q in\n%s", tc.name, w, b.String())
			}
		}
		if tc.name == "constant" && strings.Contains(b.String(), "of the second") {
			t.Errorf("a constant run counts as moved:\n%s", b.String())
		}
	}
}
