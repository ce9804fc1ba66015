package repair

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// tensorWritten writes cells of tensor memory before they are read: zeros before a load of the same shape, and a product that does not add
// to what is there. What others have written has to stay as it is.
func tensorWritten(p *Program, f *finding.Finding) (out []*Patch) {
	if slices.ContainsFunc(p.functionsOf(f), func(fn *function) bool { return synchronizes(p, fn.body, inst.TensorProduct) }) {
		out = p.waitsThere(f) // of the product that is to write them
	}
	for _, fn := range p.functionsOf(f) {
		for _, a := range assembliesIn(fn.body) {
			for i := range a.instructions {
				in := &a.instructions[i]
				switch in.Kind() {
				case inst.TensorLoad:
					if text := zerosFor(a, in); text != "" {
						c := calls{text: text, named: "zeros in the tensor memory that is read"}
						c.before(a.s)
						out = append(out, c.patches...)
					}
				case inst.TensorProduct:
					out = append(out, addsNothing(a, in))
				}
			}
		}
	}
	out = distinct(out)
	for _, patch := range out {
		patch.KeepsMemory = true
	}
	return out
}

// columnsRounded lets tensor memory be allocated and freed in powers of two from 32 to 512 columns.
func columnsRounded(p *Program, _ *finding.Finding) []*Patch {
	return rewordedIn(p.functions, func(a *assembly, in *ptx.Inline) []*Patch {
		if in.Kind() != inst.TensorAlloc && in.Kind() != inst.TensorFree || len(in.Args) < 2 {
			return nil
		}
		columns := in.Args[1]
		if n, ok := a.number(columns); ok {
			rounded := 32
			for rounded < n && rounded < 512 {
				rounded *= 2
			}
			if rounded == n {
				return nil
			}
			return []*Patch{a.reworded(in, columns, strconv.Itoa(rounded))}
		}
		if n := a.operand(columns); n != nil && a.s.text(n) != "" {
			text := factor(a.s.text(n))
			return []*Patch{rewrite(a.s, n, fmt.Sprintf("%[1]s <= 32 ? 32 : %[1]s <= 64 ? 64 : %[1]s <= 128 ? 128 : %[1]s <= 256 ? 256 : 512", text))}
		}
		return nil
	})
}

// zerosFor is a statement that stores zeros where an instruction loads from tensor memory; "" where none can be made.
func zerosFor(a *assembly, in *ptx.Inline) string {
	words := strings.Split(in.Opcode, ".")
	if len(in.Args) < 2 || len(words) < 2 {
		return ""
	}
	words[1] = "st"
	store := strings.Join(words, ".")
	if _, _, err := isa.Check(store); err != nil {
		return ""
	}
	at := a.operand(in.Args[1])
	if at == nil || a.s.text(at) == "" {
		return ""
	}
	zeros := strings.Repeat(", zero", strings.Count(in.Args[0].Of(a.text), ",")+1)
	return fmt.Sprintf(`asm volatile("{ .reg .b32 zero; mov.b32 zero, 0; %s [%%0], {%s}; tcgen05.wait::st.sync.aligned; }" ::"r"(%s) : "memory");`, store, zeros[2:], a.s.text(at))
}

// addsNothing lets a product not add to what its destination has: the predicate that is its last operand is false.
func addsNothing(a *assembly, in *ptx.Inline) *Patch {
	if len(in.Args) < 5 {
		return nil
	}
	adds := in.Args[len(in.Args)-1].Of(a.text)
	if !word.MatchString(adds) {
		return nil
	}
	at := a.from[in.Begin]
	edits := []Edit{a.s.insert(at, "setp.ne.u32 "+adds+", 0, 0; ")}
	return &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("let the product in line %d not add to its destination", a.s.file.line(at))}
}
