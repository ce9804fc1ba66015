package clang

import (
	"context"
	"errors"
	"os/exec"

	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// Preprocess preprocesses a unit's host side with further flags of clang, and returns what it writes and
// its diagnostics. Header libraries are found as in Compile.
func (tc *Toolchain) Preprocess(ctx context.Context, u Unit, flags ...string) (out, diag []byte, err error) {
	args, err := tc.PreprocessArgs(u)
	if err != nil {
		return nil, nil, err
	}
	out, diag, err = runTool(ctx, nil, tc.Clang, append(append(args, flags...), u.Source)...)
	var status *exec.ExitError
	if !errors.As(err, &status) {
		return out, diag, err
	}
	rejected := &CompileError{Source: u.Source, Stage: "preprocess", Text: string(diag), Missing: missing(string(diag))}
	if with, have := u.withLibraries(); have && isLibraryHeader(rejected.Missing) {
		return tc.Preprocess(ctx, with, flags...)
	}
	return nil, nil, rejected.explained(u.Flags.libraries)
}

// PreprocessArgs are clang's arguments for preprocessing a unit's host side,
// without the source.
func (tc *Toolchain) PreprocessArgs(u Unit) ([]string, error) {
	include, err := Headers()
	if err != nil {
		return nil, err
	}
	j := &job{tc: tc, Unit: u, include: include}
	if u.Lang == nvcc.CUDA {
		return append(j.cudaArgs(), hostSide), nil
	}
	return j.hostArgs(), nil
}
