package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/warpgrind/warpgrind/internal/driver"
	"github.com/warpgrind/warpgrind/internal/visible"
)

func (c *command) instrumentCommand() *cobra.Command {
	var p programFlags
	var in driver.InstrumentConfig
	cmd := &cobra.Command{
		Use:   "instrument [flags] app.cu -o out.cu",
		Short: "Write instrumented CUDA source that reports defects itself",
		Long: `Writes an instrumented copy of a CUDA source. The program records its memory
accesses and reports defects at its end: as text on standard error, and as JSON
to the file named by WARPGRIND_REPORT. It compiles with nvcc and with warpgrind.
Copies of the project's headers go to a directory beside it.`,
		Example: `  warpgrind instrument app.cu -o app.instr.cu && nvcc -o app app.instr.cu`,
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			p.build = "source"
			cfg, err := p.config(cmd, args)
			if err != nil {
				return err
			}
			in.Config = cfg.Config
			messages, err := driver.Instrument(cmd.Context(), in)
			for _, m := range messages {
				_, _ = visible.Fprintf(c.stderr, "warpgrind: %s\n", m)
			}
			return err
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&in.Output, "output", "o", "", "write the instrumented source to `FILE`")
	f.StringVar(&in.Scheme, "scheme", "boyer-race", "`SCHEME`: "+strings.Join(driver.InstrumentSchemes(), ", "))
	f.BoolVar(&in.WAW, "waw", false, "boyer-race: report write-after-write hazards too")
	f.IntVar(&in.Banks, "banks", 32, "boyer-bank: number of banks, `N`: 32, or 16 for GPUs of compute capability 1.x")
	f.StringVar(&in.Table, "table", "", "`MEMORY` for small tables: shared or device (default: shared if they fit)")
	f.IntVar(&in.Threads, "block-size", 0, "maximum number of threads per block, `N` (default 1024)")
	f.IntVar(&in.Shared, "shared-size", 0, "shared memory of a block in `BYTES` (default: what the launch asks for)")
	f.IntVar(&in.PoolMB, "pool", 0, "device memory for tables, in `MB` (default 64)")
	f.StringVar(&in.Static, "static", "", "do not instrument accesses that `FILE`, the static results, proves safe")
	f.StringVar(&in.Sites, "sites", "", "write the numbered accesses to `FILE`, as JSON")
	f.StringVar(&p.cfg.Arch, "arch", "", "GPU architecture to compile the source for, `sm_NN` (default sm_80)")
	compilerFlags(f, &p)
	return cmd
}
