package static

// tree answers which nodes of a forest are above which, at once.
type tree struct {
	// enter and leave count the steps of a walk around the forest.
	enter, leave []int
}

// newTree makes a tree of each node's parent, -1 for the roots.
func newTree(parent []int) *tree {
	t := &tree{make([]int, len(parent)), make([]int, len(parent))}
	children := make([][]int, len(parent))
	var stack []int
	for i, p := range parent {
		if p < 0 {
			stack = append(stack, i)
		} else {
			children[p] = append(children[p], i)
		}
	}
	for step := 1; len(stack) > 0; step++ {
		i := stack[len(stack)-1]
		if t.enter[i] > 0 { // all below it are done
			t.leave[i] = step
			stack = stack[:len(stack)-1]
			continue
		}
		t.enter[i] = step
		stack = append(stack, children[i]...)
	}
	return t
}

// above reports whether a is b or above it.
func (t *tree) above(a, b int) bool { return t.enter[a] <= t.enter[b] && t.leave[b] <= t.leave[a] }
