package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/driver"
)

func (c *command) setupCommand() *cobra.Command {
	var compiler, version string
	var system bool
	cmd := &cobra.Command{
		Use:   "setup [cccl]",
		Short: "Build the runtime library ahead of the first use",
		Long: `Builds the library that programs are linked with, which otherwise the first run
or cc does. It takes about 20 seconds of CPU time, on all cores. Installers call
it: with --system, as root, for all users of the machine.

setup cccl fetches Thrust, CUB and libcu++ for programs that include them, where
there is no CUDA toolkit: NVIDIA's Python package of them, about 4 MB, with pip.
It comes under NVIDIA's license, whose file is named.`,
		Example: "  warpgrind setup\n  warpgrind setup cccl\n  warpgrind setup cccl --cuda-version 12.9",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && args[0] == "cccl" && !system:
				return c.setupCCCL(cmd.Context(), version)
			case len(args) > 0:
				return usage(errors.New("setup takes no arguments but cccl, which goes without --system"))
			case version != "":
				return usage(errors.New("--cuda-version is for setup cccl"))
			}
			if system && os.Geteuid() != 0 {
				return usage(errors.New("--system: only root may set up for all users"))
			}
			show := c.building()
			if show == nil {
				show = c.announce()
			}
			library, version, err := driver.Setup(cmd.Context(), compiler, system, show)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.stdout, "%s\n%s\n", version, library)
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.BoolVar(&system, "system", false, "build for all users of the machine; takes root")
	f.StringVar(&version, "cuda-version", "", "with cccl, the libraries of this CUDA `VERSION`: 13.x, or 12.4 and later (default: 13.3)")
	f.StringVar(&compiler, "clang", "", "clang `PROGRAM` (default: the newest installed)")
	return cmd
}

// setupCCCL fetches the header libraries.
func (c *command) setupCCCL(ctx context.Context, version string) error {
	got, err := driver.SetupCCCL(ctx, version)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s\n%s\nlicense: %s\n", got.Package, got.Dir, got.License)
	return err
}

// building shows on a terminal how far what is built is; nil where there is none.
func (c *command) building() func(what string, done, all int) {
	if newProgress(c.stderr) == nil {
		return nil
	}
	return func(what string, done, all int) {
		fmt.Fprintf(c.stderr, "\r\x1b[Kwarpgrind: building %s, once: %d of %d files", what, done, all)
		if done == all {
			io.WriteString(c.stderr, "\r\x1b[K")
		}
	}
}

// announce writes one line when the library begins to be built.
func (c *command) announce() func(what string, done, all int) {
	return func(what string, done, all int) {
		if done == 0 {
			fmt.Fprintf(c.stderr, "warpgrind: building %s from %d files\n", what, all)
		}
	}
}
