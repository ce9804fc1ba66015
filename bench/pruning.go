package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/warpgrind/warpgrind/scripts/dated"
)

// pruned is what the race rule reports as checked and as pruned: instructions
// (sites) and accesses by warps, in global and in shared memory; and the seconds
// that the run took, and that it takes where all is watched.
type pruned struct {
	GlobalSitesWatched  uint64 `json:"global_sites_watched"`
	GlobalSitesPruned   uint64 `json:"global_sites_pruned"`
	GlobalWatched       uint64 `json:"global_accesses_watched"`
	GlobalPruned        uint64 `json:"global_accesses_pruned"`
	SharedSitesWatched  uint64 `json:"shared_sites_watched"`
	SharedSitesPruned   uint64 `json:"shared_sites_pruned"`
	SharedWatched       uint64 `json:"shared_accesses_watched"`
	SharedPruned        uint64 `json:"shared_accesses_pruned"`
	seconds, allSeconds float64
}

func (p *pruned) add(o *pruned) {
	p.GlobalSitesWatched += o.GlobalSitesWatched
	p.GlobalSitesPruned += o.GlobalSitesPruned
	p.GlobalWatched += o.GlobalWatched
	p.GlobalPruned += o.GlobalPruned
	p.SharedSitesWatched += o.SharedSitesWatched
	p.SharedSitesPruned += o.SharedSitesPruned
	p.SharedWatched += o.SharedWatched
	p.SharedPruned += o.SharedPruned
	p.seconds += o.seconds
	p.allSeconds += o.allSeconds
}

// row is the row of a table.
func (p *pruned) row(name string) string {
	of := func(part, rest uint64) string {
		if part+rest == 0 {
			return "-"
		}
		return fmt.Sprintf("%d of %d", part, part+rest)
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %.2f | %.2f | %.2f |\n", name,
		of(p.GlobalSitesPruned, p.GlobalSitesWatched), of(p.GlobalPruned, p.GlobalWatched),
		of(p.SharedSitesPruned, p.SharedSitesWatched), of(p.SharedPruned, p.SharedWatched),
		p.allSeconds, p.seconds, p.allSeconds/max(p.seconds, 0.01))
}

const pruningHead = `
| | sites, global memory | accesses | sites, shared memory | accesses | watching all, s | pruned, s | ratio |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
`

const pruningIntro = `%s
Load average %s.

Of the instructions (sites) and of the warps' accesses that the race rule would watch: how many it does not, as they are
proved safe with the launch's shape and arguments. In shared memory these are the accesses of blocks that another block
represents; a site counts if it was watched in such blocks only. Seconds are processor time in user mode of the
whole run with all correctness checks, without compilation, the best of %d: with --watch-all, and without it. Of the
examples each row sums up a folder, with the number of its programs.
Launches below 32,768 threads are not examined, so most examples have only reads of arrays that are never written.
`

// pruning measures what is not watched, and what that saves, for the
// benchmarks and for the programs of folders.
func (b *bench) pruning(ctx context.Context, folders []string, w io.Writer) error {
	before := load()
	var text strings.Builder
	for _, k := range b.list {
		n := k.full
		if b.cfg.quick {
			n = k.quick
		}
		p, err := b.bothWays(ctx, b.cuda, k.name, strconv.Itoa(n), "1", "1")
		if err != nil {
			return fmt.Errorf("%s: %w", k.name, err)
		}
		text.WriteString(p.row(fmt.Sprintf("%s, N = %d", k.name, n)))
	}
	var all pruned
	for _, dir := range folders {
		p, n, err := b.pruneFolder(ctx, dir)
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		all.add(p)
		text.WriteString(p.row(fmt.Sprintf("%s (%d)", filepath.Clean(dir), n)))
	}
	if len(folders) > 1 {
		text.WriteString(all.row("all of these programs"))
	}
	_, err := fmt.Fprintf(w, pruningIntro+pruningHead+"%s", dated.Line(), before+" before and "+load()+" after", b.cfg.rounds, text.String())
	return err
}

// pruneFolder sums up over the programs of a folder that compile by themselves.
func (b *bench) pruneFolder(ctx context.Context, dir string) (all *pruned, n int, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.cu"))
	if err != nil {
		return nil, 0, err
	}
	all = &pruned{}
	for i, f := range files {
		work := filepath.Join(b.dir, fmt.Sprintf("%s-%d", filepath.Base(dir), i))
		if err := os.Mkdir(work, 0o755); err != nil {
			return nil, 0, err
		}
		exe, err := buildCUDA(ctx, f, work)
		if err != nil {
			fmt.Fprintf(b.log, "%s is left out: %s\n", f, firstLine(err.Error()))
			continue
		}
		p, err := b.bothWays(ctx, exe)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", f, err)
		}
		all.add(p)
		n++
	}
	return all, n, nil
}

// bothWays runs a program with and without pruning, in turn.
func (b *bench) bothWays(ctx context.Context, exe string, args ...string) (*pruned, error) {
	var best *pruned
	for range b.cfg.rounds {
		_, all, err := b.numbers(ctx, true, exe, args)
		if err != nil {
			return nil, err
		}
		p, seconds, err := b.numbers(ctx, false, exe, args)
		if err != nil {
			return nil, err
		}
		p.allSeconds, p.seconds = all, seconds
		if best != nil {
			p.allSeconds, p.seconds = min(all, best.allSeconds), min(seconds, best.seconds)
		}
		best = p
	}
	return best, nil
}

// numbers runs a program once. Programs with defects are welcome.
func (b *bench) numbers(ctx context.Context, all bool, exe string, args []string) (*pruned, float64, error) {
	file := filepath.Join(b.dir, "pruning.json")
	if err := os.RemoveAll(file); err != nil {
		return nil, 0, err
	}
	cmd := exec.CommandContext(ctx, b.warpgrind, append([]string{"run", "--watch-all=" + strconv.FormatBool(all),
		"--max-steps", "1048576", "--format", "json", "-o", file, exe, "--"}, args...)...)
	text, err := cmd.CombinedOutput()
	report, readErr := os.ReadFile(file)
	if readErr != nil {
		return nil, 0, fmt.Errorf("%w: %s", err, firstLine(string(text)))
	}
	var r struct{ Stats struct{ Race pruned } }
	if err := json.Unmarshal(report, &r); err != nil {
		return nil, 0, err
	}
	seconds := 0.0
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		seconds = float64(u.Utime.Sec) + float64(u.Utime.Usec)/1e6
	}
	return &r.Stats.Race, seconds, nil
}
