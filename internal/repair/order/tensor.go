package order

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// WriteTensorMemory writes cells of tensor memory before they are read: zeros before a load of the same shape, and a product that does not add
// to what is there. What others have written has to stay as it is.
func WriteTensorMemory(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	if slices.ContainsFunc(code.FunctionsOf(p, f), func(fn *code.Function) bool { return synchronizes(p, fn.Body, inst.TensorProduct) }) {
		out = waitThere(p, f) // of the product that is to write them
	}
	for _, fn := range code.FunctionsOf(p, f) {
		for _, a := range code.AssembliesIn(fn.Body) {
			for i := range a.Instructions {
				in := &a.Instructions[i]
				switch in.Kind() {
				case inst.TensorLoad:
					if text := zerosFor(a, in); text != "" {
						c := code.Calls{Text: text, Named: "zeros in the tensor memory that is read"}
						c.Before(a.S)
						out = append(out, c.Patches...)
					}
				case inst.TensorProduct:
					out = append(out, addsNothing(a, in))
				}
			}
		}
	}
	out = code.Distinct(out)
	for _, patch := range out {
		patch.KeepsMemory = true
	}
	return out
}

// RoundColumns lets tensor memory be allocated and freed in powers of two from 32 to 512 columns.
func RoundColumns(p *code.Program, _ *finding.Finding) []*code.Patch {
	return rewordedIn(p.Functions, func(a *code.Assembly, in *ptx.Inline) []*code.Patch {
		if in.Kind() != inst.TensorAlloc && in.Kind() != inst.TensorFree || len(in.Args) < 2 {
			return nil
		}
		columns := in.Args[1]
		if n, ok := a.Number(columns); ok {
			rounded := 32
			for rounded < n && rounded < 512 {
				rounded *= 2
			}
			if rounded == n {
				return nil
			}
			return []*code.Patch{a.Reword(in, columns, strconv.Itoa(rounded))}
		}
		if n := a.Operand(columns); n != nil && a.S.Text(n) != "" {
			text := code.Factor(a.S.Text(n))
			return []*code.Patch{code.Rewrite(a.S, n, fmt.Sprintf("%[1]s <= 32 ? 32 : %[1]s <= 64 ? 64 : %[1]s <= 128 ? 128 : %[1]s <= 256 ? 256 : 512", text))}
		}
		return nil
	})
}

// zerosFor is a statement that stores zeros where an instruction loads from tensor memory; "" where none can be made.
func zerosFor(a *code.Assembly, in *ptx.Inline) string {
	words := strings.Split(in.Opcode, ".")
	if len(in.Args) < 2 || len(words) < 2 {
		return ""
	}
	words[1] = "st"
	store := strings.Join(words, ".")
	if _, _, err := isa.Check(store); err != nil {
		return ""
	}
	at := a.Operand(in.Args[1])
	if at == nil || a.S.Text(at) == "" {
		return ""
	}
	zeros := strings.Repeat(", zero", strings.Count(in.Args[0].Of(a.Text), ",")+1)
	return fmt.Sprintf(`asm volatile("{ .reg .b32 zero; mov.b32 zero, 0; %s [%%0], {%s}; tcgen05.wait::st.sync.aligned; }" ::"r"(%s) : "memory");`, store, zeros[2:], a.S.Text(at))
}

// addsNothing lets a product not add to what its destination has: the predicate that is its last operand is false.
func addsNothing(a *code.Assembly, in *ptx.Inline) *code.Patch {
	if len(in.Args) < 5 {
		return nil
	}
	adds := in.Args[len(in.Args)-1].Of(a.Text)
	if !code.Word.MatchString(adds) {
		return nil
	}
	at := a.From[in.Begin]
	edits := []code.Edit{a.S.Insert(at, "setp.ne.u32 "+adds+", 0, 0; ")}
	return &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("let the product in line %d not add to its destination", a.S.File.Line(at))}
}
