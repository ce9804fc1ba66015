package passes

import (
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// Where a return, a break or a continue leaves a scope whose variables end there, clang notes a number in a local variable, goes to
// the end of the scope, and has a switch on the variable continue from there:
//
//	store i32 1, ptr %cleanup.dest.slot
//	br label %cleanup
//	...
//	%cleanup.dest = load i32, ptr %cleanup.dest.slot
//	switch i32 %cleanup.dest, label %unreachable [ i32 0, label %cleanup.cont  i32 1, label %return ]
//
// Paths on which the switch takes another way than the number says do not exist. On one of these the result of
// the function would be read without having been set, in each loop that has a return and a variable of its own.

// selector is such a variable: only constants are stored to it, and each load decides a switch at the end of its block.
type selector struct {
	// sets has the stores by block, the last of which counts, and ways where the switches of blocks lead to.
	sets map[int][]selectorStore
	ways map[int]selectorSwitch
}

type selectorStore struct {
	line  int
	value int64
}

type selectorSwitch struct {
	load  int // the line of the load
	cases map[int64]int
	other int
}

// way is the block where a switch leads to.
func (s selectorSwitch) way(value int64) int {
	if b, ok := s.cases[value]; ok {
		return b
	}
	return s.other
}

// findSelector finds the function's selector; without one nothing is known of its ways.
func (f *flow) findSelector(lines []*irtext.Line) {
	for _, v := range f.vars {
		if v.text == "i32" && len(v.uses) > 1 {
			if s := f.asSelector(v, lines); s != nil {
				f.selector = s
				return
			}
		}
	}
}

// asSelector returns what a variable selects, nil if it does anything else.
func (f *flow) asSelector(v *flowVar, lines []*irtext.Line) *selector {
	s := &selector{map[int][]selectorStore{}, map[int]selectorSwitch{}}
	for _, u := range v.uses {
		a, ok := lines[u.line].Access()
		if !ok || a.Ptr != v.name || a.Type != "i32" {
			return nil
		}
		b := f.blockOf[u.line]
		if a.Store {
			value, err := strconv.ParseInt(a.Value, 10, 32)
			if err != nil {
				return nil
			}
			s.sets[b] = append(s.sets[b], selectorStore{u.line, value})
			continue
		}
		name, _, _ := lines[u.line].Definition()
		w, ok := f.switchOn(name, b, lines)
		if !ok {
			return nil
		}
		w.load = u.line
		s.ways[b] = w
	}
	for b, w := range s.ways { // the switch is on what was loaded
		for _, x := range s.sets[b] {
			if x.line > w.load {
				return nil
			}
		}
	}
	if len(s.ways) == 0 {
		return nil
	}
	return s
}

// switchOn reads the switch at the end of a block, if it is one on the value name.
func (f *flow) switchOn(name string, block int, lines []*irtext.Line) (w selectorSwitch, ok bool) {
	w = selectorSwitch{cases: map[int64]int{}}
	for _, l := range lines[f.blocks[block].first:f.blocks[block].end] {
		if !ok && !l.HasPrefix("  switch i32 "+name+", label ") {
			continue
		}
		value, label, found := strings.Cut(l.Text, "label ")
		if !found {
			continue
		}
		to, known := f.number[strings.Trim(label[1:irtext.NameEnd(label)], `"`)]
		if !known {
			return w, false
		}
		if !ok { // the first label is the default's, each other one has its value in front
			w.other, ok = to, true
			continue
		}
		k, err := strconv.ParseInt(strings.Trim(strings.TrimPrefix(strings.TrimSpace(value), "i32"), " ,"), 10, 32)
		if err != nil {
			return w, false
		}
		w.cases[k] = to
	}
	return w, ok
}

// chosen is what a path has stored to the selector: nothing that is known, or a value.
type chosen struct {
	known bool
	value int64
}

// behind is what a path has stored when it leaves a block that it enters at a line.
func (s *selector) behind(c chosen, block, line int) chosen {
	for _, x := range s.sets[block] {
		if x.line >= line {
			c = chosen{true, x.value}
		}
	}
	return c
}

// next are the blocks in which a path continues.
func (f *flow) next(c chosen, block int) []int {
	if w, ok := f.selector.ways[block]; ok && c.known {
		return []int{w.way(c.value)}
	}
	return f.blocks[block].succs
}
