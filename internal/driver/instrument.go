package driver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/instrument"
	"github.com/warpgrind/warpgrind/internal/scratch"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// InstrumentConfig is the configuration of Instrument.
type InstrumentConfig struct {
	// Inputs is one CUDA source; of the rest the fields for the compiler count.
	build.Config
	// Output is the file to write. Copies of headers go to a folder beside it
	// that has its name with ".d".
	Output string
	// Scheme is one of InstrumentSchemes.
	Scheme string
	// Threads bounds the threads of a block, Shared is a block's shared memory
	// in bytes, Banks 16 or 32, PoolMB the device memory for tables; 0 stands
	// for 1024 threads, what the launch says, 32 and 64.
	Threads, Shared, Banks, PoolMB int
	// Table is "shared", "device" or "".
	Table string
	WAW   bool
	// Static is a file with the facts about accesses without running, Sites
	// one to write the sites to; "" for none.
	Static, Sites string
}

// InstrumentSchemes lists the schemes.
func InstrumentSchemes() []string { return instrument.SchemeNames() }

// Instrument writes an instrumented copy of a CUDA source and returns lines
// about what it left out. The error is a *UsageError, or a bug.
func Instrument(ctx context.Context, cfg InstrumentConfig) (messages []string, err error) {
	if len(cfg.Inputs) != 1 {
		return nil, &build.UsageError{Err: errors.New("instrument takes one CUDA source")}
	}
	if err := cfg.checkOutput(); err != nil {
		return nil, &build.UsageError{Err: err}
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return nil, err
	}
	defer remove()
	res, err := cfg.instrument(ctx, dir)
	if err != nil {
		return nil, build.Error(err)
	}
	return res.Messages, cfg.writeInstrumented(res)
}

// checkOutput refuses to write over what is read.
func (cfg *InstrumentConfig) checkOutput() error {
	if cfg.Output == "" {
		return errors.New("instrument needs -o FILE")
	}
	if filepath.Ext(cfg.Output) != ".cu" {
		return fmt.Errorf("-o %s: want a name that ends in .cu", cfg.Output)
	}
	in, err := os.Stat(cfg.Inputs[0])
	if err != nil {
		return fmt.Errorf("no such file: %s", cfg.Inputs[0])
	}
	if out, err := os.Stat(cfg.Output); err == nil && os.SameFile(in, out) {
		return fmt.Errorf("-o %s: that is the source file file", cfg.Output)
	}
	return nil
}

func (cfg *InstrumentConfig) instrument(ctx context.Context, dir string) (*instrument.Result, error) {
	o := instrument.Options{Output: cfg.Output, Scheme: cfg.Scheme, Threads: cfg.Threads, Shared: cfg.Shared, Banks: cfg.Banks,
		PoolMB: cfg.PoolMB, Table: cfg.Table, WAW: cfg.WAW, Version: session.Version}
	if cfg.Static != "" {
		text, err := userfile.Read(cfg.Static)
		if err != nil {
			return nil, err
		}
		wd, err := os.Getwd()
		if err != nil {
			return nil, err
		}
		if o.Static, err = instrument.ParseStatic(text, wd); err != nil {
			return nil, fmt.Errorf("%s: %w", cfg.Static, err)
		}
	}
	tc, err := clang.Find(cfg.Clang)
	if err != nil {
		return nil, err
	}
	r, err := tc.Reader(clang.Options{Sources: cfg.Inputs, Defines: cfg.Defines, Includes: cfg.Includes, Std: cfg.Std,
		NVCCFlags: cfg.CompilerFlags(), Arch: cfg.Arch, WorkDir: dir})
	if err != nil {
		return nil, err
	}
	return instrument.Run(ctx, r, o)
}

// writeInstrumented writes all files. The folder of copies is ours: what lay
// in it of an earlier run is written over.
func (cfg *InstrumentConfig) writeInstrumented(res *instrument.Result) error {
	if cfg.Sites != "" {
		sites := slices.Clone(res.Sites)
		if sites == nil {
			sites = []instrument.Site{}
		}
		text, err := json.MarshalIndent(sites, "", "  ")
		if err != nil {
			return err
		}
		res.Files = append(res.Files, instrument.File{Path: cfg.Sites, Text: append(text, '\n')})
	}
	for _, f := range res.Files {
		if err := os.MkdirAll(filepath.Dir(f.Path), 0o777); err != nil {
			return &build.UsageError{Err: err}
		}
		if err := userfile.Write(f.Path, f.Text); err != nil {
			return &build.UsageError{Err: err}
		}
	}
	return nil
}
