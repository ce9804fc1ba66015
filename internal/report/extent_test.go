package report

import (
	"strings"
	"testing"
)

// TestExtent has the column as "@" in each line.
func TestExtent(t *testing.T) {
	for _, tc := range []struct {
		line  string
		write bool
		want  string
	}{
		{"  out[id] = @s[(id + 1) % nt];", false, "s[(id + 1) % nt]"},
		{"  @s[a[i]][j].x = 1;", true, "s[a[i]][j]"},
		{"  @s[a = 1;", true, "s"},
		{"  @*p = 1;", false, "*"},
		{"\t@__syncthreads();", false, "__syncthreads"},
		{"@äé = 1;", true, "äé"},
		{"  s[id] @= id;", true, "s[id]"},
		{"  if (t == N - 1) s[t + 2] @= 0;", true, "s[t + 2]"},
		{"  if (a == b) @= 0;", true, "="},
		{"  data[threadIdx.x] @*= by;", false, "data[threadIdx.x]"},
		{"  p[i].q->r[j] @+= 1;", false, "p[i].q->r[j]"},
		{"  *p @= 1;", true, "*p"},
		{"  (*p).x @= 1;", true, "(*p).x"},
		{"  a = *p @= 1;", true, "*p"},
		{"  get(i)[j] @<<= 1;", true, "get(i)[j]"},
		{"  ns::count@++;", true, "ns::count"},
		{"  @++count[i];", true, "count[i]"},
		{"  local @= in[i];", false, "="},
		{"  a @== b;", true, "="},
		{"  int x @= in[i];", true, "x"},
		{"  @= 1", true, "="},
	} {
		col := strings.Index(tc.line, "@") + 1
		line := strings.Replace(tc.line, "@", "", 1)
		from, to := Extent(line, col, tc.write)
		if got := line[from:to]; got != tc.want {
			t.Errorf("%q: %q, want %q", tc.line, got, tc.want)
		}
	}
	for _, line := range []string{"  *p = 1;  ", "", "   "} {
		for _, col := range []int{0, 99} {
			from, to := Extent(line, col, true)
			if got := line[from:to]; got != strings.TrimSpace(line) {
				t.Errorf("%q, column %d: %q", line, col, got)
			}
		}
	}
}

// TestExtentIsInside: no line makes an extent that is not in it.
func TestExtentIsInside(t *testing.T) {
	pieces := []string{"s", "[", "]", "(", ")", "=", "+=", "++", "*", "->", ".", " ", "é", "if"}
	var build func(line string, n int)
	build = func(line string, n int) {
		for col := range len(line) + 2 {
			if from, to := Extent(line, col, n%2 == 0); from < 0 || to > len(line) || from > to {
				t.Fatalf("%q, column %d: %d to %d", line, col, from, to)
			}
		}
		for _, p := range pieces {
			if n > 0 {
				build(line+p, n-1)
			}
		}
	}
	build("", 4)
}
