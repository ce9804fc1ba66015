package repair

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/order"
)

// What a build does not show of the source: instances of templates that this program does not make, and what the preprocessor leaves out.

// directive is a condition of the preprocessor, or the definition of a name.
var directive = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else)\b([^\n]*)$`)

// identifier is a name.
var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// Removes reports whether a patch takes the synchronization out, instead of doing with a weaker one.
func (r *Redundancy) Removes(p *code.Patch) bool {
	return len(r.Patches) > 0 && p == r.Patches[0] && r.Kind == BarrierCall
}

// Unproved is why the text around a synchronization does not allow a proof for all inputs; "" where it does. defines are the
// names that the command line defines.
func (r *Redundancy) Unproved(defines []string) string {
	s := r.statement
	fn := r.function
	switch {
	case r.Kind == AtomicCall:
		return "other launches may update the same memory at the same time"
	case r.Kind == FenceCall:
		return "the host or other kernels may look at the order of the writes"
	case fn == nil:
		return "the function around it is not known"
	case r.Wide:
		return "blocks wait at it for each other"
	case fn.Template:
		return "it is in a template, of which other instances may need it"
	}
	set := r.configurable(defines)
	for _, near := range relatedFunctions(r.program, fn) {
		body := near.File.Text[near.Body.From:near.Body.To]
		if directive.Match(body) {
			return fmt.Sprintf("another build may compile other code: %s has conditions of the preprocessor", near.Node.Name)
		}
		for _, name := range identifier.FindAll(body, -1) {
			if set[string(name)] {
				return fmt.Sprintf("another build may set %s otherwise", name)
			}
		}
	}
	for o := s; o.Outer != nil; o = o.Outer {
		if o.Outer.Node.Kind == "ForStmt" && passesAtMostOnce(r.program, o.Outer) {
			return fmt.Sprintf("the loop of line %d has one pass only, by a constant", o.File.Line(o.Outer.From))
		}
	}
	return ""
}

// madeOf is a macro or a constant with what it is made of.
var madeOf = regexp.MustCompile(`(?m)^(?:[ \t]*#[ \t]*define[ \t]+(\w+)([^\n]*)|[^\n(]*\bconst(?:expr)?\b[^\n=(]*\b(\w+)[ \t]*=([^\n;]*))$`)

// configurable are the names that conditions of the preprocessor ask for, those of the command line, and what is made of them.
func (r *Redundancy) configurable(defines []string) map[string]bool {
	set := map[string]bool{}
	for _, d := range defines {
		name, _, _ := strings.Cut(d, "=")
		set[name] = true
	}
	for _, f := range r.program.Files {
		for _, m := range directive.FindAllSubmatch(f.Text, -1) {
			for _, name := range identifier.FindAll(m[2], -1) {
				set[string(name)] = string(name) != "defined" && !bytes.HasPrefix(name, []byte("__"))
			}
		}
	}
	for more := true; more; {
		more = false
		for _, f := range r.program.Files {
			for _, m := range madeOf.FindAllSubmatch(f.Text, -1) {
				name := string(m[1]) + string(m[3])
				of := identifier.FindAll(append(bytes.Clone(m[2]), m[4]...), -1)
				if !set[name] && slices.ContainsFunc(of, func(w []byte) bool { return set[string(w)] }) {
					set[name], more = true, true
				}
			}
		}
	}
	return set
}

// relatedFunctions are a function, those that it calls, and those that call it, directly or not, on the device.
func relatedFunctions(p *code.Program, fn *code.Function) []*code.Function {
	up := []*code.Function{fn}
	for i := 0; i < len(up); i++ {
		for _, caller := range p.Functions {
			if code.OnGPU(caller) && !slices.Contains(up, caller) && order.HasAnyCall(caller, up[i].Node.Name, func(*code.Statement, *syntax.Node) bool { return true }) {
				up = append(up, caller)
			}
		}
	}
	return order.WithCalled(p, up)
}

// passesAtMostOnce reports whether a loop has at most one pass, by constants that a programmer may set otherwise.
func passesAtMostOnce(p *code.Program, loop *code.Statement) bool {
	var first, limit, step int64
	known := 0
	for _, n := range loop.Node.Inner {
		if n == nil || loop.IsInner(n) {
			continue
		}
		switch n.Kind {
		case "DeclStmt":
			if v := n.Child(0); v != nil && len(v.Inner) > 0 {
				if k, ok := code.ConstantValue(p, v.Child(0), 0); ok {
					first, known = k, known+1
				}
			}
		case "BinaryOperator":
			if k, ok := code.ConstantValue(p, n.Child(1), 0); ok && strings.HasPrefix(n.Opcode, "<") {
				limit, known = k+int64(len(n.Opcode)-1), known+1
			}
		case "UnaryOperator":
			if n.Opcode == "++" {
				step, known = 1, known+1
			}
		case "CompoundAssignOperator":
			if k, ok := code.ConstantValue(p, n.Child(1), 0); ok && n.Opcode == "+=" {
				step, known = k, known+1
			}
		}
	}
	return known == 3 && first+step >= limit
}
