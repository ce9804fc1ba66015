package isa

import (
	"slices"
	"strings"
)

// Role is what a modifier says about the place of an operation in the memory consistency model.
type Role uint8

// The roles (PTX ISA, "Memory Consistency Model").
const (
	Order Role = iota // .relaxed, .acquire, .release, .acq_rel, .sc
	Scope             // .cta, .cluster, .gpu, .sys
)

// roleWords are the words of a role, the weakest first.
var roleWords = [...][]string{
	Order: {"relaxed", "acquire", "release", "acq_rel", "sc"},
	Scope: {"cta", "cluster", "gpu", "gl", "sys"},
}

// plays reports whether a group is the choice of a role's words.
func (g *Group) plays(r Role) bool {
	return !g.any && slices.ContainsFunc(g.Words, func(w string) bool { return slices.Contains(roleWords[r], w) }) && (r == Order || len(g.Words) > 1)
}

// Stronger finds the modifier of a dotted opcode with a role. at is the position of its word in the opcode, counted from 0,
// negative if the opcode has no such modifier; words are the stronger modifiers that the instruction accepts there, weakest first.
func Stronger(opcode string, r Role) (at int, words []string) {
	d, forms, err := Check(opcode)
	if err != nil {
		return -1, nil
	}
	all := strings.Split(opcode, ".")
	for at, w := range all {
		rank := slices.Index(roleWords[r], w)
		if at == 0 || rank < 0 || !slices.ContainsFunc(forms, func(f *Form) bool {
			return slices.ContainsFunc(f.Mods, func(g Group) bool { return g.plays(r) && contains(g.Words, w) })
		}) {
			continue
		}
		for _, s := range roleWords[r][rank+1:] {
			other := slices.Clone(all)
			other[at] = s
			if o, _, err := Check(strings.Join(other, ".")); err == nil && o == d {
				words = append(words, s)
			}
		}
		return at, words
	}
	return -1, nil
}
