package clang

import (
	"context"
	"os"
	"path/filepath"

	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// Embed makes an object of device code alone, relocatable PTX, as if a source
// without host code had been compiled to it. The unit gives its name and flags.
func (tc *Toolchain) Embed(ctx context.Context, u Unit, ptx []byte) ([]byte, error) {
	include, err := Headers()
	if err != nil {
		return nil, err
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	u.Lang, u.RDC = nvcc.CUDA, true
	j := &job{tc: tc, Unit: u, include: include, dir: dir}
	j.Source = j.file(filepath.Base(u.Source) + ".cu")
	if err := os.WriteFile(j.Source, nil, 0o666); err != nil {
		return nil, err
	}
	module := make(chan []byte, 1)
	module <- ptx
	if err := j.cudaObject(ctx, nil, module); err != nil {
		return nil, err
	}
	return j.finishedObject(ptx)
}
