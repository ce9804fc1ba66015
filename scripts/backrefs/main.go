// Command backrefs measures how well the files of packages can be read in one order: it
// counts the pairs of files of which one refers to the other, and how many of these
// references run backwards in the best order that it finds. It also prints each package's
// lines, lines of comments, and the type with the most methods.
//
//	go run ./scripts/backrefs internal/check/race internal/check/race/...
package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/warpgrind/warpgrind/scripts/backrefs/figures"
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
			f, err := figures.Of(path)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			if f.Files > 0 {
				fmt.Printf("%-40s %6d %6d %8d %6d %9d  %s %d\n", path, f.Files, f.Lines, f.Comments, f.Refs, f.Backward, f.Type, f.Methods)
			}
			return nil
		})
	}
}
