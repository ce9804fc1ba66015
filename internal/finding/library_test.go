package finding

import (
	"reflect"
	"testing"

	"github.com/warpgrind/warpgrind/internal/source"
)

// TestFromLibrary: a place in a header library becomes the user's call of it, inlined or on the host; one
// in the user's own code stays.
func TestFromLibrary(t *testing.T) {
	pos := func(file string, line int) source.Pos { return source.Pos{File: file, Line: line} }
	load, scan := pos("/cuda/include/cub/thread/thread_load.cuh", 9), pos("/cuda/include/cub/block/block_scan.cuh", 7)
	kernel, outer, host := pos("app.cu", 3), pos("app.cu", 20), pos("app.cu", 40)
	launched := func(id int) source.Pos {
		if id != 5 {
			return source.Pos{}
		}
		return host
	}
	lib := func(at ...source.Pos) source.Location { return source.Location{Pos: load, Func: "f", InlinedAt: at} }
	for _, c := range []struct {
		name   string
		launch int
		loc    source.Location
		want   Place
	}{
		{"inlined", 5, lib(scan, kernel, outer), Place{Loc: source.Location{Pos: kernel, InlinedAt: []source.Pos{outer}}, Library: &source.Location{Pos: load, Func: "f", InlinedAt: []source.Pos{scan}}}},
		{"launched", 5, lib(scan), Place{Loc: source.Location{Pos: host}, Library: &source.Location{Pos: load, Func: "f", InlinedAt: []source.Pos{scan}}, Launched: true}},
		{"unknown launch", 6, lib(scan), Place{Loc: lib(scan)}},
		{"the user's", 5, source.Location{Pos: kernel, InlinedAt: []source.Pos{scan}}, Place{Loc: source.Location{Pos: kernel, InlinedAt: []source.Pos{scan}}}},
	} {
		f := &Finding{Launches: InLaunch(c.launch), Level: Warning, Primary: Place{Loc: c.loc}, Related: []Place{{Loc: c.loc}}}
		got := f.FromLibrary(launched)
		if !reflect.DeepEqual(got.Primary, c.want) || !reflect.DeepEqual(got.Related, []Place{c.want}) {
			t.Errorf("%s: got %+v, want %+v", c.name, got.Primary, c.want)
		}
		if level := map[bool]Level{true: Info, false: Warning}[c.want.Launched]; got.Level != level {
			t.Errorf("%s: level %v, want %v", c.name, got.Level, level)
		}
		if f.Primary.Library != nil || f.Related[0].Library != nil || f.Level != Warning {
			t.Errorf("%s: the finding itself was changed", c.name)
		}
	}
}
