package passes

import "testing"

func TestNameInitializers(t *testing.T) {
	for _, c := range []struct{ name, ir, want string }{
		{"of a C++ function", "@__const._Z1kPi.a = private constant", "@_ZZ1kPiE1a = private constant"},
		{"of a C function", "load i32, ptr @__const.main.table, align 4", "load i32, ptr @_ZZ4mainE5table, align 4"},
		{"the second of its name", "ptr @__const._Z1kPi.a.7)", "ptr @_ZZ1kPiE1a__7_)"},
		{"a static variable has the symbol", "@_ZZ1kPiE1a = global\n@__const._Z1kPi.a = constant", "@_ZZ1kPiE1a = global\n@__const._Z1kPi.a = constant"},
	} {
		if got := after(nameInitializers, c.ir+"\n"); got != c.want+"\n" {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
