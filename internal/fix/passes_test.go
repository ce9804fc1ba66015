package fix

import "testing"

// TestPasses: each step has a name of its own and a reason, and the last ones check what is written.
func TestPasses(t *testing.T) {
	for name, list := range map[string][][2]string{"fix": described(fixPasses), "perf": described(perfPasses), "tidy": described(tidyPasses)} {
		seen := map[string]bool{}
		for _, p := range list {
			if p[0] == "" || p[1] == "" || seen[p[0]] {
				t.Errorf("%s: %q: %q", name, p[0], p[1])
			}
			seen[p[0]] = true
		}
		if list[len(list)-1][0] != "written" || list[len(list)-2][0] != "choose" {
			t.Errorf("%s ends with %v", name, list[len(list)-2:])
		}
	}
}

func described[T any](list []pass[T]) (out [][2]string) {
	for _, p := range list {
		out = append(out, [2]string{p.name, p.why})
	}
	return out
}
