package finding

import "testing"

func TestPlaceWhat(t *testing.T) {
	thread := &Thread{Thread: Coord{X: 3}, Lane: 3}
	const name = "thread (3,0,0) of block (0,0,0), warp 0 lane 3"
	for _, tc := range []struct {
		place Place
		want  string
	}{
		{Place{Role: "read by", Thread: thread}, "read by " + name},
		{Place{Role: "read by"}, "read here"},
		{Place{Role: "waits here", Thread: thread}, "waits here: " + name},
		{Place{Role: "waits here"}, "waits here"},
		{Place{Thread: thread}, name},
		{Place{}, ""},
	} {
		if got := tc.place.What(); got != tc.want {
			t.Errorf("%+v: %q, want %q", tc.place, got, tc.want)
		}
	}
}
