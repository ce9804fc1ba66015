// Package figures measures how well the files of a package can be read in one order.
package figures

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
)

// Figures are those of one package, without its tests.
type Figures struct {
	// Files is their number; Lines and Comments count all of their lines and those of comments.
	Files, Lines, Comments int
	// Refs counts the pairs of files of which one refers to the other, Backward those of them that run backwards in
	// the best order of the files that was found.
	Refs, Backward int
	// Type is the type with the most methods, Methods their number.
	Type    string
	Methods int
}

// Of measures the package in a directory. One without Go files has no figures.
func Of(dir string) (f Figures, err error) {
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return f, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			return f, err
		}
		files = append(files, file)
		f.Lines += fset.File(file.Pos()).LineCount()
		for _, c := range file.Comments {
			f.Comments += fset.Position(c.End()).Line - fset.Position(c.Pos()).Line + 1
		}
	}
	if f.Files = len(files); f.Files == 0 {
		return f, nil
	}
	refs := references(fset, files)
	order := inOrder(refs, fset, files)
	for r := range refs {
		if slices.Index(order, r.from) < slices.Index(order, r.to) {
			f.Backward++
		}
	}
	f.Refs = len(refs)
	f.Type, f.Methods = mostMethods(files)
	return f, nil
}

// ref means that one file uses what another one declares.
type ref struct{ from, to string }

// references finds which files use what others declare.
func references(fset *token.FileSet, files []*ast.File) map[ref]bool {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Error: func(error) {}, Importer: none{}, FakeImportC: true}
	pkg, _ := conf.Check("p", fset, files, info)
	refs := map[ref]bool{}
	for id, o := range info.Uses {
		if o.Pkg() != pkg || !o.Pos().IsValid() {
			continue
		}
		from, to := fset.File(id.Pos()).Name(), fset.File(o.Pos()).Name()
		if from != to {
			refs[ref{from, to}] = true
		}
	}
	return refs
}

// none imports nothing: what comes from other packages does not matter here.
type none struct{}

func (none) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is left out", path)
}

// inOrder arranges the files so that few of them use what a later one declares (Eades,
// Lin, Smyth: A fast and effective heuristic for the feedback arc set problem).
func inOrder(refs map[ref]bool, fset *token.FileSet, files []*ast.File) []string {
	var left, order []string
	for _, f := range files {
		left = append(left, fset.File(f.Pos()).Name())
	}
	slices.Sort(left)
	degree := func(name string) (uses, used int) {
		for r := range refs {
			switch {
			case r.from == name && slices.Contains(left, r.to):
				uses++
			case r.to == name && slices.Contains(left, r.from):
				used++
			}
		}
		return uses, used
	}
	for len(left) > 0 {
		best, most := 0, -len(refs)-1
		for i, name := range left {
			uses, used := degree(name)
			if uses == 0 { // a file that needs nothing of those that are left
				best = i
				break
			}
			if used-uses > most {
				best, most = i, used-uses
			}
		}
		order = append(order, left[best])
		left = slices.Delete(left, best, best+1)
	}
	return order
}

// mostMethods finds the type with the most methods.
func mostMethods(files []*ast.File) (name string, most int) {
	count := map[string]int{}
	for _, f := range files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil {
				continue
			}
			t := fn.Recv.List[0].Type
			if star, ok := t.(*ast.StarExpr); ok {
				t = star.X
			}
			if id, ok := t.(*ast.Ident); ok {
				count[id.Name]++
			}
		}
	}
	for n, c := range count {
		if c > most || c == most && n < name {
			name, most = n, c
		}
	}
	return name, most
}
