package driver

import (
	"context"
	"errors"
	"io/fs"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// Setup builds the runtime library, which programs are linked with, where it is missing: for
// this user, or, as root, for all. It returns the library and the compiler's version.
func Setup(ctx context.Context, compiler string, system bool, building func(what string, done, all int)) (library, version string, err error) {
	tc, err := clang.Find(compiler)
	if err != nil {
		return "", "", &build.UsageError{Err: err}
	}
	tc.Building = building
	library, err = tc.Setup(ctx, system)
	var missing *clang.NotFoundError
	if errors.As(err, &missing) || errors.Is(err, fs.ErrPermission) {
		err = &build.UsageError{Err: err}
	}
	return library, tc.Version, err
}

// SetupCCCL fetches NVIDIA's header libraries of a version of CUDA, "" for the newest that was tested.
func SetupCCCL(ctx context.Context, version string) (*clang.CCCL, error) {
	var v nvcc.Version
	if version != "" {
		var err error
		if v, err = nvcc.ParseVersion(version); err != nil {
			return nil, &build.UsageError{Err: err}
		}
	}
	got, err := clang.FetchCCCL(ctx, v)
	var wrong *clang.UsageError
	if errors.As(err, &wrong) {
		err = &build.UsageError{Err: err}
	}
	return got, err
}
