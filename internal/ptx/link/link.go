// Package link joins PTX modules that were compiled apart into one, as NVIDIA's
// nvlink does with relocatable device code. Reference: "Parallel Thread
// Execution ISA", "Linking Directives"; "NVIDIA CUDA Compiler Driver NVCC",
// "Using Separate Compilation in CUDA".
package link

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/warpgrind/warpgrind/internal/ptx"
)

// Part is a module to link. Name is for messages.
type Part struct {
	Name string
	Text []byte
}

// Linked is what came of the parts.
type Linked struct {
	// Text is one PTX module.
	Text []byte
	// Renamed has, for each part, the new names of those of its symbols that
	// only it may see and that others have as well.
	Renamed []map[string]string
}

// DuplicateError is the error for a symbol with two definitions.
type DuplicateError struct{ Symbol, First, Second string }

func (e *DuplicateError) Error() string {
	return fmt.Sprintf("Multiple definition of '%s' in '%s', first defined in '%s'", e.Symbol, e.Second, e.First)
}

// Link joins parts. A symbol that no part defines stays external. The error is
// a *DuplicateError or the parser's.
func Link(parts []Part) (*Linked, error) {
	l := &linker{funcs: map[string]*ptx.Func{}, vars: map[string]*ptx.Variable{}, owner: map[string]string{}}
	mods := make([]*ptx.Module, len(parts))
	for i, p := range parts {
		m, err := ptx.Parse(p.Name, p.Text)
		if err != nil {
			return nil, err
		}
		mods[i] = m
	}
	out := &Linked{Renamed: renames(mods)}
	for i, m := range mods {
		if names := out.Renamed[i]; len(names) > 0 {
			var err error
			if m, err = ptx.Parse(parts[i].Name, replaceNames(parts[i].Text, names)); err != nil {
				return nil, err
			}
		}
		if err := l.add(i, m); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	if err := ptx.Print(&text, l.module()); err != nil {
		return nil, err
	}
	out.Text = text.Bytes()
	return out, nil
}

// linker gathers the items of the parts.
type linker struct {
	head     *ptx.Module // of the newest target
	files    []ptx.Item
	sections []ptx.Item
	others   []ptx.Item
	varOrder []string
	vars     map[string]*ptx.Variable
	decls    []*ptx.Func
	bodies   []*ptx.Func
	funcs    map[string]*ptx.Func // definition, else the first declaration
	owner    map[string]string    // the part that defines a symbol
	version  [2]int
	nfiles   int
}

func (l *linker) add(part int, m *ptx.Module) error {
	if l.head == nil || m.SM() > l.head.SM() {
		l.head = m
	}
	if m.Version[0] > l.version[0] || m.Version[0] == l.version[0] && m.Version[1] > l.version[1] {
		l.version = m.Version
	}
	r := &relocation{label: "$P" + strconv.Itoa(part), file: l.nfiles}
	for _, it := range m.Items {
		if err := l.item(m, it, r); err != nil {
			return err
		}
	}
	l.nfiles = max(l.nfiles, r.last)
	return nil
}

func (l *linker) item(m *ptx.Module, it ptx.Item, r *relocation) error {
	switch it := it.(type) {
	case *ptx.FileDirective:
		it.Index = r.index(it.Index)
		l.files = append(l.files, it)
	case *ptx.Section:
		if it.Name == ".debug_str" { // names of functions; the rest is for debuggers
			r.section(it)
			l.sections = append(l.sections, it)
		}
	case *ptx.Variable:
		return l.variable(m, it)
	case *ptx.Func:
		if it.Body != nil {
			r.block(it.Body)
		}
		return l.function(m, it)
	case *ptx.Loc:
	default:
		l.others = append(l.others, it)
	}
	return nil
}

// variable keeps a variable: a definition rather than a declaration, the first
// of several weak ones.
func (l *linker) variable(m *ptx.Module, v *ptx.Variable) error {
	old := l.vars[v.Name]
	switch {
	case old == nil:
		l.varOrder = append(l.varOrder, v.Name)
	case v.Linkage == ptx.Extern:
		if v.Alignment() > old.Alignment() {
			old.Align = v.Alignment()
		}
		return nil
	case isWeak(v.Linkage) && old.Linkage != ptx.Extern:
		return nil
	case old.Linkage != ptx.Extern && !isWeak(old.Linkage):
		return &DuplicateError{v.Name, l.owner[v.Name], m.Name}
	}
	l.vars[v.Name] = v
	l.owner[v.Name] = m.Name
	return nil
}

func isWeak(l ptx.Linkage) bool { return l == ptx.Weak || l == ptx.Common }

// function keeps one declaration and one definition of a function.
func (l *linker) function(m *ptx.Module, f *ptx.Func) error {
	old := l.funcs[f.Name]
	if f.Body == nil {
		if old == nil {
			l.funcs[f.Name] = f
			l.decls = append(l.decls, f)
		}
		return nil
	}
	if old != nil && old.Body != nil {
		if isWeak(f.Linkage) || isWeak(old.Linkage) {
			return nil
		}
		return &DuplicateError{f.Name, l.owner[f.Name], m.Name}
	}
	l.funcs[f.Name] = f
	l.owner[f.Name] = m.Name
	l.bodies = append(l.bodies, f)
	return nil
}

// module puts the result together: what is used comes before its uses.
func (l *linker) module() *ptx.Module {
	m := &ptx.Module{Name: l.head.Name, Version: l.version, Target: l.head.Target, AddressSize: l.head.AddressSize}
	m.Items = append(m.Items, l.files...)
	for _, f := range l.decls {
		if l.funcs[f.Name].Entry != f.Entry { // a kernel that other parts launch, to them a function
			continue
		}
		f.Linkage = l.funcs[f.Name].Linkage
		m.Items = append(m.Items, f)
	}
	for _, name := range l.varOrder {
		m.Items = append(m.Items, l.vars[name])
	}
	for _, f := range l.bodies {
		m.Items = append(m.Items, f)
	}
	m.Items = append(append(m.Items, l.others...), l.sections...)
	return m
}
