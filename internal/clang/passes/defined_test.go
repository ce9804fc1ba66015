package passes

import "testing"

func TestLeaveScope(t *testing.T) {
	const head, first = "  switch i32 %cleanup.dest", "    i32 0, label %cleanup.cont\n"
	for _, tc := range []struct{ text, first, want string }{
		{head + ", label %unreachable [\n", first, head + ", label %cleanup.cont [\n"},
		{head + "12, label %unreachable9 [\n", "    i32 0, label %cleanup.cont3, !dbg !4\n", head + "12, label %cleanup.cont3 [\n"},
		{head + ", label %for.end [\n", first, head + ", label %for.end [\n"},
		{head + ", label %unreachable []\n", "  ]\n", head + ", label %unreachable []\n"},
	} {
		if got := leaveScope(tc.text, tc.first); got != tc.want {
			t.Errorf("%q, %q: %q, want %q", tc.text, tc.first, got, tc.want)
		}
	}
}
