// Command backrefs measures how well the files of packages can be read in one order: it
// counts the pairs of files of which one refers to the other, and how many of these
// references run backwards in the best order that it finds. It also prints each package's
// lines, lines of comments, and the type with the most methods.
//
//	go run ./scripts/backrefs internal/check/race internal/check/race/...
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	fmt.Printf("%-40s %6s %6s %8s %6s %9s  %s\n", "package", "files", "lines", "comments", "refs", "backward", "most methods")
	for _, arg := range os.Args[1:] {
		dir, all := strings.CutSuffix(arg, "/...")
		filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || !d.IsDir():
				return nil
			case d.Name() == "testdata" || path != dir && !all:
				return fs.SkipDir
			case all && path == dir: // what is below it only
				return nil
			}
			measure(path)
			return nil
		})
	}
}

// measure prints the line of one package.
func measure(dir string) {
	fset := token.NewFileSet()
	names, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	var files []*ast.File
	lines, comments := 0, 0
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		files = append(files, f)
		lines += fset.File(f.Pos()).LineCount()
		for _, c := range f.Comments {
			comments += fset.Position(c.End()).Line - fset.Position(c.Pos()).Line + 1
		}
	}
	if len(files) == 0 {
		return
	}
	refs := references(fset, files)
	order := inOrder(refs, fset, files)
	back := 0
	for r := range refs {
		if slices.Index(order, r.from) < slices.Index(order, r.to) {
			back++
		}
	}
	typ, n := mostMethods(files)
	fmt.Printf("%-40s %6d %6d %8d %6d %9d  %s %d\n", dir, len(files), lines, comments, len(refs), back, typ, n)
}

// ref means that one file uses what another one declares.
type ref struct{ from, to string }

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
