package clang

import "strings"

// countUses counts how often a function's values are read. A local variable that
// nothing loads, and an instruction without effects whose result is not read, read
// nothing.
func countUses(lines []string) map[string]int {
	uses, defs, stores := map[string]int{}, map[string]int{}, map[string][]int{}
	for i, l := range lines {
		if i == 0 || isDebugUse(l) {
			continue
		}
		op := l
		if result, rest, ok := strings.Cut(strings.TrimLeft(l, " "), " = "); ok && strings.HasPrefix(result, "%") {
			defs[result], op = i, rest
		}
		for _, v := range aName.FindAllString(op, -1) {
			uses[v]++
		}
		if _, ptr, ok := storedTo(l); ok {
			stores[ptr] = append(stores[ptr], i)
		}
	}
	var dead []int
	for v, at := range defs {
		_, op, _ := strings.Cut(lines[at], " = ")
		switch {
		case strings.HasPrefix(op, "alloca i32,") && uses[v] == len(stores[v]):
			for _, s := range stores[v] {
				value, _, _ := storedTo(lines[s])
				uses[value]--
			}
		case uses[v] == 0 && pureUse.MatchString(op):
			dead = append(dead, at)
		}
	}
	for len(dead) > 0 {
		l := lines[dead[0]]
		dead = dead[1:]
		_, op, _ := strings.Cut(l, " = ")
		for _, v := range aName.FindAllString(op, -1) {
			uses[v]--
			at, ok := defs[v]
			if _, op, _ := strings.Cut(lines[at], " = "); ok && uses[v] == 0 && pureUse.MatchString(op) {
				dead = append(dead, at)
			}
		}
	}
	return uses
}

// isDebugUse reports whether a line only describes a variable, or its lifetime.
func isDebugUse(l string) bool {
	return strings.Contains(l, "#dbg_") || strings.Contains(l, "@llvm.dbg.") || strings.Contains(l, "@llvm.lifetime.")
}

// storedTo returns the value and the variable of a store of an i32.
func storedTo(l string) (value, ptr string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimLeft(l, " "), "store i32 ")
	if !ok {
		return "", "", false
	}
	value, rest, _ = strings.Cut(rest, ", ptr ")
	ptr, _, ok = strings.Cut(rest, ",")
	return value, ptr, ok
}
