package pragma

import (
	"fmt"
	"testing"
)

// TestRoundTrip: what is written is read as the same, by its own function alone, and nonsense by none.
func TestRoundTrip(t *testing.T) {
	read := map[string]func(text string) (any, bool){
		"type":     func(s string) (any, bool) { return val(ReadType(s)) },
		"params":   func(s string) (any, bool) { return val(ReadParams(s)) },
		"coverage": func(s string) (any, bool) { return val(ReadCoverage(s)) },
		"variable": func(s string) (any, bool) { return val(ReadVariable(s)) },
		"part":     func(s string) (any, bool) { return val(ReadPart(s)) },
		"scope":    func(s string) (any, bool) { return val(ReadScope(s)) },
		"count":    func(s string) (any, bool) { return val(ReadCount(s)) },
		"decide":   func(s string) (any, bool) { return val(ReadDecide(s)) },
	}
	for _, c := range []struct {
		reader string
		d      fmt.Stringer
		text   string
	}{
		{"type", Type{"table", "[4]f4 x"}, `.pragma "warpgrind.type table [4]f4 x"`},
		{"params", Params{"_Z1kPf", "rpn"}, `.pragma "warpgrind.params _Z1kPf rpn"`},
		{"coverage", Coverage{"AA=="}, `.pragma "warpgrind.coverage AA=="`},
		{"variable", Variable{Local, "a", "[2]s4", "%rd5"}, `.pragma "warpgrind.local a [2]s4 %rd5"`},
		{"variable", Variable{Unset, "-", "s4", "$0"}, `.pragma "warpgrind.unset - s4 $0"`},
		{"variable", Variable{Member, "S::b", "a4s4", "%rd5"}, `.pragma "warpgrind.member S::b a4s4 %rd5"`},
		{"variable", Variable{Row, "m", "a4s4", "%rd5"}, `.pragma "warpgrind.row m a4s4 %rd5"`},
		{"part", Part{"tile", "f", 12}, `.pragma "warpgrind.part tile f 12"`},
		{"scope", Scope{false, 16}, `.pragma "warpgrind.scope begin 16"`},
		{"scope", Scope{true, 4}, `.pragma "warpgrind.scope end 4"`},
		{"count", Count{Counter{"1f3c", 2}}, `.pragma "warpgrind.count 1f3c 2"`},
		{"decide", Decide{Counter{"1f3c", 0}}, `.pragma "warpgrind.decide 1f3c 0"`},
	} {
		if got := Text(c.d); got != c.text {
			t.Errorf("%#v is %s, want %s", c.d, got, c.text)
		}
		for name, f := range read {
			if got, ok := f(c.text); ok != (name == c.reader) || ok && got != any(c.d) {
				t.Errorf("%s read as %s: %#v, %v", c.text, name, got, ok)
			}
		}
	}
	for _, text := range []string{"", `.pragma "nounroll"`, `.pragma "warpgrind.type"`, `.pragma "warpgrind.type x"`, `.pragma "warpgrind.local a b"`, `.pragma "warpgrind.count f -1"`, `.pragma "warpgrind.scope"`} {
		for name, f := range read {
			if got, ok := f(text); ok {
				t.Errorf("%q read as %s: %v", text, name, got)
			}
		}
	}
	if !IsSilent(`.pragma "warpgrind.silent object"`) || IsSilent(`.pragma "warpgrind.scope end 4"`) {
		t.Error("silent")
	}
}

func val[T any](d T, ok bool) (any, bool) { return d, ok }
