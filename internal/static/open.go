package static

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Open is what was not decided beside the pairs of accesses: so many barriers,
// or indices of arrays, and why.
type Open struct {
	what thing
	N    int
	Why  string
}

// thing is something that may not be decided, in singular and plural.
type thing struct{ one, many string }

var (
	barriers = thing{"barrier", "barriers"}
	indices  = thing{"index of an array", "indices of arrays"}
)

// String is the begin of a sentence: "2 barriers are".
func (o Open) String() string {
	if o.N == 1 {
		return "1 " + o.what.one + " is"
	}
	return fmt.Sprintf("%d %s are", o.N, o.what.many)
}

type openKey struct {
	what thing
	why  string
}

// leave notes that n of what were not decided, as why says.
func (u *Unit) leave(what thing, why string, n int) {
	if n > 0 {
		u.open[openKey{what, strings.TrimPrefix(why, "not decided: ")}] += n
	}
}

// Open lists what the rules that were asked did not decide.
func (u *Unit) Open() (all []Open) {
	for k, n := range u.open {
		all = append(all, Open{k.what, n, k.why})
	}
	slices.SortFunc(all, func(a, b Open) int {
		return cmp.Or(strings.Compare(a.what.one, b.what.one), strings.Compare(a.Why, b.Why))
	})
	return all
}
