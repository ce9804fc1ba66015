package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/session"
)

func (c *command) setupCommand() *cobra.Command {
	var compiler string
	var system bool
	cmd := &cobra.Command{
		Use:   "setup [--system]",
		Short: "Build the runtime library ahead of the first use",
		Long: `Builds the library that programs are linked with, which otherwise the first run
or cc does. It takes about 20 seconds of CPU time, on all cores. Installers call
it: with --system, as root, for all users of the machine.`,
		Example: "  warpgrind setup",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usage(errors.New("setup takes no arguments"))
			}
			if system && os.Geteuid() != 0 {
				return usage(errors.New("--system: only root may set up for all users"))
			}
			show := c.building()
			if show == nil {
				show = c.announce()
			}
			library, version, err := session.Setup(cmd.Context(), compiler, system, show)
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
	f.StringVar(&compiler, "clang", "", "clang `PROGRAM` (default: the newest installed)")
	return cmd
}

// building shows on a terminal how far the runtime library is; nil where there is none.
func (c *command) building() func(done, all int) {
	if newProgress(c.stderr) == nil {
		return nil
	}
	return func(done, all int) {
		fmt.Fprintf(c.stderr, "\r\x1b[Kwarpgrind: building the runtime library, once: %d of %d files", done, all)
		if done == all {
			io.WriteString(c.stderr, "\r\x1b[K")
		}
	}
}

// announce writes one line when the library begins to be built.
func (c *command) announce() func(done, all int) {
	return func(done, all int) {
		if done == 0 {
			fmt.Fprintf(c.stderr, "warpgrind: building the runtime library from %d files\n", all)
		}
	}
}
