package passes

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/coverage"
	"github.com/warpgrind/warpgrind/internal/pragma"
)

// Coverage
//
// Clang calls llvm.instrprof.increment where it counts for source-based coverage, and describes in constants which counter
// belongs to which region of the source. The calls become markers in the PTX, which count as often as the basic block that
// they are in, and the constants a directive at its end:
//
//	.pragma "warpgrind.count 1f3c 2";
//
// Where a condition decides whether a counter is increased, the marker stands before the branch, with a copy of the condition:
//
//	.pragma "warpgrind.decide 1f3c 2"; mov.pred %p7, %p5;
//
// The engine counts both outcomes (program.OpDecide), and how often the lanes of a warp diverged there. Nothing then stands on
// the ways of the branch, so that small ones become selections as they do without coverage. Clang computes the other outcome as
// a difference, which is right for threads and wrong for warps; nor would executions of the blocks tell, since lanes that leave
// a loop in several rounds continue together.

// coverageMarks replaces what clang inserts for coverage.
func coverageMarks(m *irtext.Module, s *State) {
	c := &coverageMarker{ids: map[string]string{}, names: map[string]string{}}
	var out irtext.Builder
	unit := c.constants(m)
	if unit == nil {
		return
	}
	s.directive(pragma.Coverage{Unit: unit.Encode()})
	for i := 0; i < len(m.Lines); i++ {
		l := m.Lines[i]
		if body := m.Body(i); body != nil {
			c.function(&out, body)
			i += len(body)
			l = m.Lines[i]
		}
		if text, keep := withoutCoverage(l); keep {
			out.Line(l, text)
		}
	}
	m.Replace(&out)
}

type coverageMarker struct {
	// ids are those of functions, by the constants with their names, which increments name, and their hashes.
	ids   map[string]string
	names map[string]string // of functions, by constant
	fresh int
}

// Prefixes of the constants, and the intrinsic.
const (
	profiledName   = "@__profn_"
	quotedName     = `@"__profn_`
	functionRecord = "@__covrec_"
	fileRecord     = "@__llvm_coverage_mapping "
	unusedNames    = "@__llvm_coverage_names "
	incrementName  = "llvm.instrprof.increment"
)

// constants reads clang's constants; the result is nil where there are none.
func (c *coverageMarker) constants(m *irtext.Module) *coverage.Unit {
	u, found := &coverage.Unit{}, false
	byHash := map[uint64]string{}
	for _, l := range m.Lines {
		if l.HasPrefix(profiledName) || l.HasPrefix(quotedName) {
			name := string(constantBytes(l.Text))
			c.names[l.Text[:irtext.NameEnd(l.Text)]] = name
			byHash[coverage.NameHash(name)] = name
		}
	}
	for _, l := range m.Lines {
		switch {
		case l.HasPrefix(fileRecord):
			n := numbersOf(l.Text)
			found = true
			u.Version, u.Filenames = int(n[3]), constantBytes(l.Text)
		case l.HasPrefix(functionRecord):
			n := numbersOf(l.Text)
			u.Functions = append(u.Functions, coverage.Function{Name: byHash[uint64(n[0])], Hash: uint64(n[2]), Mapping: constantBytes(l.Text)})
		}
	}
	if !found {
		return nil
	}
	return u
}

// numbersOf are the integers of a constant structure up to its bytes.
func numbersOf(constant string) (list []int64) {
	_, value, _ := strings.Cut(constant, "> <{ ")
	if value == "" {
		_, value, _ = strings.Cut(constant, "] } { ")
	}
	value, _, _ = strings.Cut(value, " c\"")
	for _, w := range strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" ,{}[]", r) }) {
		if n, err := strconv.ParseInt(w, 10, 64); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// constantBytes are those of a constant's c"...".
func constantBytes(constant string) []byte {
	_, text, _ := strings.Cut(constant, ` c"`)
	var b []byte
	for i := 0; i < len(text) && text[i] != '"'; i++ {
		switch {
		case text[i] != '\\' || i+2 >= len(text):
			b = append(b, text[i])
		case text[i+1] == '\\':
			b = append(b, '\\')
			i++
		default:
			n, _ := strconv.ParseUint(text[i+1:i+3], 16, 8)
			b = append(b, byte(n))
			i += 2
		}
	}
	return b
}

// withoutCoverage returns a line outside of functions without clang's constants; keep is false for one that is about
// nothing else.
func withoutCoverage(l *irtext.Line) (text string, keep bool) {
	for _, prefix := range []string{profiledName, quotedName, functionRecord, fileRecord, unusedNames, "$__covrec_", "$__profn_", `$"__profn_`} {
		if l.HasPrefix(prefix) {
			return "", false
		}
	}
	switch {
	case l.HasPrefix("declare ") && l.Contains("@"+incrementName):
		return "", false
	case l.HasPrefix("@llvm.used ") || l.HasPrefix("@llvm.compiler.used "):
		return withoutRecords(l.Text)
	}
	return l.Text, true
}

// withoutRecords takes clang's constants out of a list of used symbols; keep is false if no other is left.
func withoutRecords(list string) (text string, keep bool) {
	head, rest, ok := strings.Cut(list, " global [")
	_, items, ok2 := strings.Cut(rest, "] [")
	items, tail, ok3 := strings.Cut(items, "]")
	if !ok || !ok2 || !ok3 {
		return list, true
	}
	var left []string
	for _, item := range strings.Split(items, ", ") {
		if !strings.Contains(item, functionRecord) && !strings.Contains(item+" ", fileRecord) {
			left = append(left, item)
		}
	}
	return fmt.Sprintf("%s global [%d x ptr] [%s]%s", head, len(left), strings.Join(left, ", "), tail), len(left) > 0
}

// increment is a call by which clang counts.
type increment struct {
	at pragma.Counter
	// step is what is added, "" for one.
	step  string
	debug string
}

// incrementIn returns the call in a line.
func (c *coverageMarker) incrementIn(l *irtext.Line) (x increment, ok bool) {
	if !l.Contains("@" + incrementName) {
		return x, false
	}
	_, args, _ := l.Call()
	var w []string
	for args != "" {
		var item string
		item, args = irtext.CutItem(args)
		w = append(w, item[strings.LastIndexByte(item, ' ')+1:])
	}
	hash, _ := strconv.ParseInt(w[1], 10, 64)
	x.at = pragma.Counter{Function: c.id(w[0], uint64(hash))}
	x.at.Number, _ = strconv.Atoi(w[3])
	x.debug = l.Debug()
	if len(w) > 4 {
		x.step = w[4]
	}
	return x, true
}

// id is that of the function whose name is in a constant.
func (c *coverageMarker) id(constant string, hash uint64) string {
	key := constant + " " + strconv.FormatUint(hash, 16)
	if c.ids[key] == "" {
		c.ids[key] = coverage.Function{Name: c.names[constant], Hash: hash}.ID()
	}
	return c.ids[key]
}
