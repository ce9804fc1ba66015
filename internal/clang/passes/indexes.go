package passes

import (
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// indexArithmetic returns the results of a function that are computed for nothing but an
// index of an address. Those of a signed type keep their promise not to overflow: it lets
// LLVM add constants to the address instead of to the index, and nothing else hangs on it.
func indexArithmetic(lines []*irtext.Line) map[string]bool {
	ops := map[string]string{}
	for _, l := range lines {
		if name, op, _ := l.Op(); name != "" {
			ops[name] = op
		}
	}
	other := map[string]bool{}
	for changed := true; changed; { // what is not for an index alone, against the flow
		changed = false
		for _, l := range lines {
			name, _, isDef := l.Definition()
			switch op := ops[name]; {
			case !l.HasPrefix("  "), isDef && op == "getelementptr",
				isDef && !other[name] && (op == "sext" || isOverflowing(op)):
				continue
			}
			values := l.Values()
			if isDef {
				values = values[1:]
			}
			for _, v := range values {
				if op := ops[v]; !other[v] && (op == "sext" || isOverflowing(op)) {
					other[v], changed = true, true
				}
			}
		}
	}
	only := map[string]bool{}
	for v, op := range ops {
		if isOverflowing(op) && !other[v] {
			only[v] = true
		}
	}
	return only
}

func isOverflowing(op string) bool { return op == "add" || op == "sub" || op == "mul" }
