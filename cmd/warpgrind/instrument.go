package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/session"
)

func (c *command) instrumentCommand() *cobra.Command {
	var p programFlags
	var in session.InstrumentConfig
	cmd := &cobra.Command{
		Use:   "instrument [flags] app.cu -o out.cu",
		Short: "Write CUDA source that finds defects itself",
		Long: `Writes a copy of a CUDA source that notes its own accesses and reports what it
finds when it ends: on standard error as text, and as JSON to the file that
WARPGRIND_REPORT names. It compiles with nvcc and with warpgrind. Copies of the
project's headers go to a folder beside it.`,
		Example: `  warpgrind instrument app.cu -o app.instr.cu && nvcc -o app app.instr.cu`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			p.build = "source"
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			in.Config = cfg
			messages, err := session.Instrument(cmd.Context(), in)
			for _, m := range messages {
				fmt.Fprintf(c.stderr, "warpgrind: %s\n", m)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&in.Output, "output", "o", "", "`FILE` to write")
	f.StringVar(&in.Scheme, "scheme", "boyer-race", "`SCHEME`: "+strings.Join(session.InstrumentSchemes(), ", "))
	f.BoolVar(&in.WAW, "waw", false, "boyer-race: report write-after-write hazards too")
	f.IntVar(&in.Banks, "banks", 32, "boyer-bank: `N` banks, 32, or 16 for GPUs of CUDA 1.x")
	f.StringVar(&in.Table, "table", "", "`MEMORY` for small tables: shared or device (default: shared if there is room)")
	f.IntVar(&in.Threads, "block-size", 0, "most threads of a block, `N` (default 1024)")
	f.IntVar(&in.Shared, "shared-size", 0, "`BYTES` of shared memory of a block (default: what the launch says)")
	f.IntVar(&in.PoolMB, "pool", 0, "device memory for tables in `MB` (default 64)")
	f.StringVar(&in.Static, "static", "", "`FILE` with what is known of accesses without running: safe ones are left out")
	f.StringVar(&in.Sites, "sites", "", "`FILE` to write the numbered accesses to, as JSON")
	f.StringVar(&p.cfg.Arch, "arch", "", "architecture to read the source for, `sm_NN` (default sm_80)")
	compilerFlags(f, &p)
	return cmd
}
