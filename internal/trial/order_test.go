package trial

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestAlignment: which launch of the program as it is one of a run with a patch is.
func TestAlignment(t *testing.T) {
	launches := func(names ...string) (out []launchStep) {
		for _, n := range names {
			if n[0] == '!' {
				out = append(out, launchStep{n[1:], true})
			} else {
				out = append(out, launchStep{n, false})
			}
		}
		return out
	}
	for name, c := range map[string]struct {
		was, now []launchStep
		want     []int // of each launch that is executed now, -1 for none
	}{
		"the same":                {launches("a", "b", "a"), launches("a", "b", "a"), []int{0, 1, 2}},
		"one more":                {launches("a", "!b", "a"), launches("a", "b", "a"), []int{0, -1, 1}},
		"of the same kernel":      {launches("!a", "a"), launches("a", "a"), []int{-1, 0}},
		"still refused":           {launches("!a", "b", "!c", "d"), launches("!a", "b", "c", "d"), []int{0, -1, 1}},
		"two":                     {launches("!a", "!a", "b"), launches("a", "a", "b"), []int{-1, -1, 0}},
		"further than before":     {launches("a", "!b"), launches("a", "b", "c"), []int{0, -1, 1}},
		"others than before":      {launches("a", "b"), launches("b", "a"), []int{0, 1}},
		"refused what was not so": {launches("a", "b", "c"), launches("!a", "b", "c"), []int{0, 1}},
	} {
		a := &Alignment{Was: c.was}
		o, n := a.Observer(), 0
		for _, s := range c.now {
			if s.refused {
				o.Rejected(&trace.RejectedLaunch{Kernel: s.kernel})
				continue
			}
			o.Launch(&trace.Launch{ID: n, Kernel: s.kernel})
			n++
		}
		for id, want := range c.want {
			if got, ok := a.Launch(id); !ok && want >= 0 || ok && got != want {
				t.Errorf("%s: launch %d is %d, %t, want %d", name, id, got, ok, want)
			}
		}
	}
}
