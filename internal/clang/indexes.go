package clang

import "strings"

// indexArithmetic returns the results of a function that are computed for nothing but an
// index of an address. Those of a signed type keep their promise not to overflow: it lets
// LLVM add constants to the address instead of to the index, and nothing else hangs on it.
func indexArithmetic(lines []string) map[string]bool {
	ops := map[string]string{}
	for _, l := range lines {
		if name, def, ok := definition(l); ok {
			ops[name], _, _ = strings.Cut(def, " ")
		}
	}
	other := map[string]bool{}
	for changed := true; changed; { // what is not for an index alone, against the flow
		changed = false
		for _, l := range lines {
			name, def, isDef := definition(l)
			switch op := ops[name]; {
			case !strings.HasPrefix(l, "  "), isDef && op == "getelementptr",
				isDef && !other[name] && (op == "sext" || isOverflowing(op)):
				continue
			case !isDef:
				def = l
			}
			for _, v := range localUse.FindAllString(def, -1) {
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
