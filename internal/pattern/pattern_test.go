package pattern

import "testing"

func TestMatchKernel(t *testing.T) {
	for _, tc := range []struct {
		pattern, kernel string
		want            bool
	}{
		{"scan", "_Z4scanIfEvPT_", true},
		{"scan<float>", "_Z4scanIfEvPT_", true},
		{"scan<float>(float*)", "_Z4scanIfEvPT_", true},
		{"scan<int>", "_Z4scanIfEvPT_", false},
		{"_Z4scan*", "_Z4scanIfEvPT_", true},
		{"sc", "_Z4scanIfEvPT_", false},
		{"sc*", "_Z4scanIfEvPT_", true},
		{"s?an", "_Z4scanIfEvPT_", true},
		{"other,scan", "_Z4scanIfEvPT_", true},
		{"add(int*, int)", "_Z3addPii", true},
		{"regex:^(add|sub)", "_Z3addPii", true},
		{"regex:^(mul|sub)", "_Z3addPii", false},
		{"plain", "plain", true},
		{"a.b", "axb", false},
	} {
		p, err := Compile(tc.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.MatchKernel(tc.kernel); got != tc.want {
			t.Errorf("%q matches %q: %v, want %v", tc.pattern, tc.kernel, got, tc.want)
		}
	}
}

func TestMatchFile(t *testing.T) {
	for _, tc := range []struct {
		pattern, path string
		want          bool
	}{
		{"a.cu", "/x/src/a.cu", true}, {"src/*.cu", "/x/src/a.cu", true}, {"/x/src/a.cu", "/x/src/a.cu", true},
		{"rc/a.cu", "/x/src/a.cu", false}, {"b.cu", "/x/src/a.cu", false}, {"*.cuh", "/x/src/a.cu", false},
	} {
		p, err := Compile(tc.pattern)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.MatchFile(tc.path); got != tc.want {
			t.Errorf("%q matches %q: %v, want %v", tc.pattern, tc.path, got, tc.want)
		}
	}
}

func TestCompileErrors(t *testing.T) {
	for _, s := range []string{"", "a,,b", "regex:("} {
		if _, err := Compile(s); err == nil {
			t.Errorf("Compile(%q) succeeds", s)
		}
	}
}
