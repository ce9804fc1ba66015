package clang

import (
	"context"
	"regexp"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// stubHead is where the definition of a kernel's host function has its
// attributes.
var stubHead = regexp.MustCompile(`(?m)^(define [^\n]*__device_stub__[^\n]*\))((?: local_unnamed_addr| unnamed_addr)? #\d+)`)

// HostIR compiles the host side of each CUDA source of the options to LLVM's
// intermediate language, optimized so far that the constants of kernel launches
// show: each launch is a call of __cudaPushCallConfiguration, and then one of
// the kernel's "__device_stub__" function with the kernel's arguments. Values
// keep the names that they have in the source. The result is for reading only.
func (tc *Toolchain) HostIR(ctx context.Context, opts Options) ([][]byte, error) {
	b, err := tc.newBuild(opts)
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for _, src := range opts.Sources {
		if nvcc.LangOf(src) != nvcc.CUDA {
			continue
		}
		text, err := tc.hostIR(ctx, Unit{Source: src, Lang: nvcc.CUDA, Flags: b.flags, SM: b.sm, Mode: opts.Mode, RDC: b.rdc})
		if err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, nil
}

func (tc *Toolchain) hostIR(ctx context.Context, u Unit) ([]byte, error) {
	include, err := Headers()
	if err != nil {
		return nil, err
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	j := &job{tc: tc, Unit: u, include: include, dir: dir}
	overlay, err := j.overlay()
	if err != nil {
		return nil, err
	}
	args := append(j.cudaArgs(), overlay.host...)
	args = append(args, hostSide, "-O1", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names", "-g0", "-w", "-D__WG_READ_ONLY__")
	text, diag, err := j.clang(ctx, args, []string{"-S", "-emit-llvm", "-o", "-"})
	if err != nil {
		return nil, j.hostFailed(ctx, diag, err)
	}
	text = stubHead.ReplaceAll(irtext.Code(text), []byte("$1 noinline$2"))
	if text, diag, err = runTool(ctx, text, tc.Opt, longNames, "-passes=default<O1>", "-S", "-o", "-"); err != nil {
		return nil, j.hostFailed(ctx, diag, err)
	}
	return text, nil
}

// hostFailed is the error of a tool that failed on the host side.
func (j *job) hostFailed(ctx context.Context, diag []byte, err error) error {
	if ctx.Err() != nil {
		return err
	}
	return refused(j.Source, "host", err, string(diag))
}
