package fix

import (
	"context"
	"io"
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/repair"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/source"
	"github.com/warpgrind/warpgrind/internal/trial"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// read reads the project's texts and what clang says of them.
func (f *fixer) read(ctx context.Context) (done bool, err error) {
	dir, remove, err := scratch.Dir()
	if err != nil {
		return false, err
	}
	defer remove()
	tc, err := clang.Find(f.Cfg.Clang)
	if err != nil {
		return false, &build.UsageError{Err: err}
	}
	for _, in := range f.Cfg.Inputs {
		if nvcc.LangOf(in) != nvcc.CUDA {
			continue
		}
		r, err := tc.Reader(clang.Options{Sources: []string{in}, Defines: f.Cfg.Defines, Includes: f.Cfg.Includes, Std: f.Cfg.Std,
			NVCCFlags: f.Cfg.CompilerFlags(), Arch: f.Cfg.Arch, WorkDir: dir})
		if err != nil {
			return false, build.Error(err)
		}
		r.Lenient = true // the program has been compiled
		texts, err := textsOf(ctx, r)
		if err != nil {
			return false, build.Error(err)
		}
		err = r.Tree(ctx, nil, func(tree io.Reader) error {
			p, err := code.Read(texts, tree)
			f.programs = append(f.programs, p)
			return err
		})
		if err != nil {
			return false, build.Error(err)
		}
		for name, text := range texts {
			f.texts[name] = text
		}
	}
	return false, nil
}

// textsOf are the texts of a source and of the project's headers, by absolute path.
func textsOf(ctx context.Context, r *clang.Reader) (map[string][]byte, error) {
	names, err := r.Files(ctx)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, name := range names {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		if !trial.Own(abs) {
			continue
		}
		if texts[abs], err = userfile.Read(abs); err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// unpatched is where a place of the program that others are compared with is without its patches.
func (f *fixer) unpatched(p source.Pos) source.Pos { return code.Moved(f.texts, f.base, p, true) }

// inTexts is a finding with places as they are without patches.
func (f *fixer) inTexts(e *finding.Finding) *finding.Finding { return displaced(e, f.unpatched) }

// candidates are the patches that may remove a finding.
func (f *fixer) candidates(e *finding.Finding) (list []*code.Patch) {
	e = f.inTexts(e)
	for _, p := range f.programs {
		for _, c := range repair.Candidates(p, e) {
			if !slices.ContainsFunc(slices.Concat(list, f.accepted), c.Same) { // of a header that several sources read
				list = append(list, c)
			}
		}
	}
	return list
}

// whyNone is why no source has a patch for a finding.
func (f *fixer) whyNone(e *finding.Finding) (why repair.Untried) {
	e = f.inTexts(e)
	for _, p := range f.programs {
		if why = repair.WhyNone(p, e); why == repair.NothingToEdit {
			break
		}
	}
	return why
}
