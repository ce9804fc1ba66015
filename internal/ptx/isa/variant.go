package isa

import (
	"iter"
	"slices"
	"strings"
)

// Variants yields the dotted opcodes that a form of row d allows, with its
// modifiers in the table's order. Modifiers of memory order, scope and caching
// are left out, and a form with free modifiers yields nothing.
func (d *Desc) Variants(f *Form) iter.Seq[string] {
	return func(yield func(string) bool) { f.expand(0, d.Op, yield) }
}

// expand appends one choice of each group from the i-th on to op. It reports
// whether to continue.
func (f *Form) expand(i int, op string, yield func(string) bool) bool {
	if i == len(f.Mods) {
		return yield(op)
	}
	g := &f.Mods[i]
	switch {
	case g.any:
		return false
	case g.Min == 0:
		if !f.expand(i+1, op, yield) {
			return false
		}
	}
	if g.order {
		if g.Min == 0 {
			return true
		}
		return f.expand(i+1, op+"."+g.Words[0], yield)
	}
	for _, w := range g.Words {
		if !f.expand(i+1, op+"."+w, yield) {
			return false
		}
	}
	return true
}

// CountVariants returns how many variants d has, and how many of them run.
// What several forms allow counts once.
func (d *Desc) CountVariants() (all, executed int) {
	seen := map[string]bool{}
	for i := range d.Forms {
		f := &d.Forms[i]
		for v := range d.Variants(f) {
			if was, ok := seen[v]; !ok || f.Executed && !was {
				seen[v] = f.Executed
			}
		}
	}
	for _, run := range seen {
		if run {
			executed++
		}
	}
	return len(seen), executed
}

// Variant returns the variant that an opcode with its operands' forms belongs
// to: its modifiers in the order of the table, without those of memory order,
// scope and caching, or with the first of them where one must be there. It is "" for an opcode that the table does not allow.
func Variant(op string) string {
	d, forms, err := Check(op)
	if err != nil {
		return ""
	}
	return forms[0].normal(d, modifiers(d, op))
}

func (f *Form) normal(d *Desc, mods []string) string {
	var b strings.Builder
	b.WriteString(d.Op)
	left := slices.Clone(mods)
	for _, g := range f.Mods {
		for i := 0; i < len(left); i++ {
			if !contains(g.Words, left[i]) {
				continue
			}
			switch {
			case !g.order:
				b.WriteString("." + left[i])
			case g.Min > 0:
				b.WriteString("." + g.Words[0])
			}
			left = slices.Delete(left, i, i+1)
			break
		}
	}
	return b.String()
}
