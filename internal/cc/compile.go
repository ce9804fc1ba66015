package cc

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// each does something with each input and its index, some at once, and returns
// the first error in the order of the inputs.
func (d *driver) each(ctx context.Context, do func(context.Context, int, nvcc.Input) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := d.cmd.Threads
	if jobs == 0 {
		jobs = max(1, runtime.NumCPU()/2)
	}
	slots := make(chan struct{}, jobs)
	errs := make([]error, len(d.cmd.Inputs))
	var wg sync.WaitGroup
	for i, in := range d.cmd.Inputs {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if errs[i] = do(ctx, i, in); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	var canceled error
	for _, err := range errs {
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		canceled = errors.Join(canceled, err)
	}
	return canceled
}

// unit is an input as the compiler wants it.
func (d *driver) unit(in nvcc.Input) clang.Unit {
	u := clang.Unit{Source: in.Path, Lang: in.Lang, Flags: d.flags, SM: d.sm, Others: d.tc.OtherArchs(d.cmd, d.flags.Arch), RDC: d.cmd.RDC, SharesMemory: d.shares(), TellUnread: d.cmd.TellUnread || in.Lang == nvcc.CUDA}
	if d.cmd.Optimized {
		u.Mode = clang.Optimized
	}
	if in.Lang != nvcc.CUDA {
		u.Flags.Both = append([]string{"-D__NVCC__=1", "-D__CUDACC_VER_MAJOR__=" + strconv.Itoa(u.Flags.CUDA.Major),
			"-D__CUDACC_VER_MINOR__=" + strconv.Itoa(u.Flags.CUDA.Minor), "-D__CUDACC_VER_BUILD__=0"}, u.Flags.Both...)
	}
	return u
}

// sharesMemory reports whether one of several inputs shares memory with the
// device. A single one is examined by itself.
func (d *driver) sharesMemory() bool {
	if len(d.cmd.Inputs) < 2 {
		return false
	}
	var sources []string
	for _, in := range d.cmd.Inputs {
		sources = append(sources, in.Path)
	}
	return d.tc.SharesMemory(sources, d.flags)
}

// compile compiles an input; the compiler's warnings go to standard error.
func (d *driver) compile(ctx context.Context, u clang.Unit) (*clang.Product, error) {
	p, err := d.tc.Compile(ctx, u)
	if err == nil {
		io.WriteString(d.Stderr, p.Warnings)
	}
	return p, err
}

// compileObject is --compile.
func (d *driver) compileObject(ctx context.Context, _ int, in nvcc.Input) error {
	if !in.Lang.IsSource() {
		return nil // nvcc, too, has nothing to do for an object
	}
	out := d.output(in, ".o")
	p, err := d.compile(ctx, d.unit(in))
	if err != nil {
		removeOutput(out)
		return err
	}
	if err := userfile.Write(out, p.Object); err != nil {
		return err
	}
	if err := d.keep(in, p); err != nil {
		return err
	}
	return d.writeDepend(out, p)
}

// keep writes the intermediate PTX for --keep.
func (d *driver) keep(in nvcc.Input, p *clang.Product) error {
	if !d.cmd.Keep || in.Lang != nvcc.CUDA {
		return nil
	}
	if d.cmd.KeepDir != "" {
		if err := os.MkdirAll(d.cmd.KeepDir, 0o777); err != nil {
			return err
		}
	}
	base := filepath.Base(in.Path)
	name := strings.TrimSuffix(base, filepath.Ext(base)) + ".ptx"
	return userfile.Write(filepath.Join(d.cmd.KeepDir, name), p.PTX)
}

// output is -o or what nvcc makes of the input's name.
func (d *driver) output(in nvcc.Input, suffix string) string {
	if d.cmd.Output != "" {
		return d.cmd.Output
	}
	return d.cmd.OutputFor(in, suffix)
}

// removeOutput keeps make from taking an old file for a new one.
func removeOutput(path string) {
	if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
		os.Remove(path)
	}
}

// compilePTX is --ptx.
func (d *driver) compilePTX(ctx context.Context, _ int, in nvcc.Input) error {
	ptx, err := d.devicePTX(ctx, in, ".ptx")
	if err != nil {
		return err
	}
	return userfile.Write(d.output(in, ".ptx"), ptx)
}

// compileBlob is --cubin and --fatbin: the PTX, wrapped.
func (d *driver) compileBlob(ctx context.Context, _ int, in nvcc.Input) error {
	suffix := d.blobSuffix()
	ptx, err := d.devicePTX(ctx, in, suffix)
	if err != nil {
		return err
	}
	meta := clang.Meta{Source: in.Path, Build: d.unit(in).Mode.String(), Clang: d.tc.Version, Module: filepath.Base(in.Path), RDC: d.cmd.RDC}
	blob, err := clang.EncodeFatbin(meta, ptx)
	if err != nil {
		return err
	}
	return userfile.Write(d.output(in, suffix), blob)
}

func (d *driver) blobSuffix() string {
	if d.cmd.Phase == nvcc.Fatbin {
		return ".fatbin"
	}
	return ".cubin"
}

// devicePTX returns the device code of a CUDA source or of a PTX file.
func (d *driver) devicePTX(ctx context.Context, in nvcc.Input, suffix string) ([]byte, error) {
	switch in.Lang {
	case nvcc.PTXText:
		return userfile.Read(in.Path)
	case nvcc.CUDA:
	default:
		return nil, &nvcc.Error{Text: "'" + in.Path + "' has no device code"}
	}
	u := d.unit(in)
	u.DeviceOnly = true
	out := d.output(in, suffix)
	p, err := d.compile(ctx, u)
	if err != nil {
		removeOutput(out)
		return nil, err
	}
	return p.PTX, d.writeDepend(out, p)
}

// preprocess is -E, -M and -MM: clang's output goes to -o or standard output.
func (d *driver) preprocess(ctx context.Context) error {
	for _, in := range d.cmd.Inputs {
		if !in.Lang.IsSource() {
			continue
		}
		out, diag, err := d.tc.Preprocess(ctx, d.unit(in), d.preprocessFlags(in)...)
		if err != nil {
			return err
		}
		d.Stderr.Write(diag)
		if _, err := d.Stdout.Write(out); err != nil {
			return err
		}
	}
	return nil
}

func (d *driver) preprocessFlags(in nvcc.Input) []string {
	var flags []string
	switch {
	case d.cmd.Phase == nvcc.Preprocess:
		flags = []string{"-E"}
	case d.cmd.Depend.NoSystem:
		flags = []string{"-MM"}
	default:
		flags = []string{"-M"}
	}
	if d.cmd.Phase == nvcc.Depend {
		targets := d.cmd.Depend.Targets
		if len(targets) == 0 {
			targets = []string{d.cmd.OutputFor(in, ".o")}
		}
		for _, t := range targets {
			flags = append(flags, "-MT", t)
		}
		if d.cmd.Depend.Phony {
			flags = append(flags, "-MP")
		}
	}
	switch {
	case d.cmd.Output != "":
		flags = append(flags, "-o", d.cmd.Output)
	case d.cmd.Phase == nvcc.Depend && d.cmd.Depend.File != "":
		flags = append(flags, "-o", d.cmd.Depend.File)
	}
	return flags
}
