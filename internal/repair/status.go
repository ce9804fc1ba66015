package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// statuses are the types of what functions of CUDA return, as clang prints them, by their names and their zero.
var statuses = map[string]string{"cudaError": "cudaError_t", "enum cudaError": "cudaError_t", "cudaError_enum": "CUresult", "enum cudaError_enum": "CUresult"}

// verified looks at the result of the call that failed, or of the launch: with the macro that others are the argument of,
// by handing it to the caller, or by a message and the program's end.
func (p *Program) verified(f *finding.Finding) []*Patch {
	fn, all := p.inLine(f.Primary.Loc.Pos)
	var out []*Patch
	for _, s := range all {
		if s.outer != nil && !s.node.Begin.Macro {
			out = append(out, looksAt(p, fn, s, f.Repair.Kind == "check-launch")...)
		}
	}
	return distinct(out)
}

func looksAt(p *Program, fn *function, s *statement, launch bool) (out []*Patch) {
	if launch {
		if len(configurations(s.node)) == 0 {
			return nil
		}
		for _, text := range p.handlers(fn, "cudaGetLastError()", "cudaError_t") {
			c := calls{text: text}
			c.behind(s)
			out = append(out, c.patches...)
		}
		return out
	}
	if v := unusedStatus(s); v != nil {
		for _, text := range p.handlers(fn, v.Name, statuses[v.Desugared]) {
			c := calls{text: text}
			c.behind(s)
			out = append(out, c.patches...)
		}
		return out
	}
	call := discarded(s.node)
	if call == nil || statuses[call.Desugared] == "" {
		return nil
	}
	text := s.text(call)
	if text == "" {
		return nil
	}
	for _, h := range p.handlers(fn, text, statuses[call.Desugared]) {
		if !s.outer.isList() { // an else may follow
			h = "{ " + h + " }"
		}
		edits := []Edit{{s.file.Name, s.from, s.to, h}}
		out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("check the result of %s in line %d", callee(call), s.file.line(s.from))})
	}
	return out
}

// unusedStatus is the variable that a statement declares for the result of a call.
func unusedStatus(s *statement) *syntax.Node {
	if s.node.Kind != "DeclStmt" || !s.outer.isList() {
		return nil
	}
	for _, v := range s.node.Inner {
		if v != nil && v.Kind == "VarDecl" && statuses[v.Desugared] != "" {
			return v
		}
	}
	return nil
}

// discarded is the call that a statement is, whose result is not used; nil for other statements.
func discarded(n *syntax.Node) *syntax.Node {
	for n != nil && (n.Kind == "ExprWithCleanups" || strings.HasSuffix(n.Kind, "CastExpr") && n.Desugared == "void" || n.Kind == "ParenExpr") {
		n = n.Child(0)
	}
	if n == nil || n.Kind != "CallExpr" {
		return nil
	}
	return n
}

// handlers are statements that look at a status, which is a call or a variable.
func (p *Program) handlers(fn *function, status, kind string) (out []string) {
	for _, macro := range p.checks(kind) {
		out = append(out, macro+"("+status+");")
	}
	if returns, _, _ := strings.Cut(fn.node.Type, " ("); returns == kind {
		out = append(out, "if ("+kind+" failed = "+status+") return failed;")
	}
	message := `fprintf(stderr, "%%s\n", cudaGetErrorString(failed))`
	if kind != "cudaError_t" {
		message = `fprintf(stderr, "CUDA error %%d\n", (int)failed)`
	}
	return append(out, fmt.Sprintf("if (%s failed = %s) { "+message+"; exit(EXIT_FAILURE); }", kind, status),
		fmt.Sprintf("if (%s failed = %s) { exit((int)failed); }", kind, status),
		fmt.Sprintf("if (%s failed = %s) throw failed;", kind, status))
}

// checks are the macros that the program uses on calls that return a status of a type, the most frequent first.
func (p *Program) checks(kind string) []string {
	n := map[string]int{}
	var names []string
	for _, fn := range p.functions {
		var visit func(c *syntax.Node)
		visit = func(c *syntax.Node) {
			if c == nil {
				return
			}
			if c.Kind == "CallExpr" && statuses[c.Desugared] == kind && c.Begin.Macro && c.Begin.Arg > 0 && p.file(c.Begin.File) == fn.file {
				if name := syntax.WordAt(fn.file.Text, c.Begin.Off); name != "" {
					if n[name]++; n[name] == 1 {
						names = append(names, name)
					}
				}
				return
			}
			for _, in := range c.Inner {
				visit(in)
			}
		}
		visit(fn.node)
	}
	slices.SortStableFunc(names, func(a, b string) int { return n[b] - n[a] })
	return names
}
