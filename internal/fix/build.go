package fix

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/repair/memory"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/session"
)

// built is a program with patches.
type built struct {
	// exe is "" for one that does not compile.
	exe string
	// modules are the device code to use instead of what the executable has, by source; nil for its own.
	modules map[string][]byte
	remove  func()
}

// build makes the program with patches that are tried. Where these are the same as in an earlier trial but for what only the device
// executes, that one's executable is used, and the device code alone is compiled.
func (f *fixer) build(ctx context.Context, patches []*code.Patch, inline bool) (*built, error) {
	if !inline || !f.oneModule() {
		return f.buildWhole(ctx, patches, inline)
	}
	host := memory.HostSide(f.programs, patches)
	key := fmt.Sprintf("%s", code.Apply(f.texts, host, true))
	exe := f.hosts[key]
	if len(host) == 0 {
		exe = f.before
	}
	if exe != "" {
		modules, err := f.deviceCode(ctx, patches)
		if err != nil || modules == nil {
			return &built{remove: func() {}}, err
		}
		return &built{exe, modules, func() {}}, nil
	}
	b, err := f.buildWhole(ctx, patches, true)
	if err == nil && b.exe != "" {
		f.hosts[key] = b.exe
		f.remove = append(f.remove, b.remove)
		b.remove = func() {}
	}
	return b, err
}

func (f *fixer) buildWhole(ctx context.Context, patches []*code.Patch, inline bool) (*built, error) {
	exe, remove, err := f.with(ctx, patches, inline)
	return &built{exe: exe, remove: remove}, err
}

// apply lets the session compile texts with patches.
func applyPatches(s *session.Session, texts map[string][]byte, patches []*code.Patch, inline bool) {
	s.Replaced, s.Cfg.Stderr = code.Apply(texts, patches, inline), io.Discard
	if !inline {
		return
	}
	for _, p := range patches {
		for _, header := range p.Headers {
			s.Cfg.NVCCFlags = append(slices.Clone(s.Cfg.NVCCFlags), "-include", header)
		}
	}
}

// oneModule reports whether the program has one module, of one source that is compiled here.
func (f *fixer) oneModule() bool {
	sources := 0
	for _, in := range f.Cfg.Inputs {
		if nvcc.LangOf(in) == nvcc.CUDA {
			sources++
		}
	}
	c, err := nvcc.Parse(append([]string{"--forward-unknown-to-host-compiler"}, f.Cfg.CompilerFlags()...))
	return sources == 1 && err == nil && !c.RDC && f.Cfg.Frontend != build.FrontendNVCC
}

// deviceCode compiles the device side of the program with patches; nil where it does not compile.
func (f *fixer) deviceCode(ctx context.Context, patches []*code.Patch) (map[string][]byte, error) {
	s, err := session.NewSession(f.Cfg)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	applyPatches(s, f.texts, patches, true)
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	tc, err := clang.Find(s.Cfg.Clang)
	if err != nil {
		return nil, &build.UsageError{Err: err}
	}
	opt := s.Cfg.Options(dir, s.How())
	opt.DeviceOnly = true
	opt.Sources = slices.DeleteFunc(slices.Clone(opt.Sources), func(in string) bool { return nvcc.LangOf(in) != nvcc.CUDA })
	res, err := tc.Build(ctx, opt)
	var usage *build.UsageError
	switch {
	case err == nil:
	case errors.As(build.Error(err), &usage):
		return nil, nil
	default:
		return nil, build.Error(err)
	}
	modules := map[string][]byte{}
	for _, d := range res.Devices {
		modules[d.Source] = d.PTX
	}
	return modules, nil
}
