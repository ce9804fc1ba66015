//go:build toolchains

package instrument

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/e2e"
	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// nvccPrograms are instrumented and compiled with nvcc: programs of the papers
// with races, and the sources that are hard to instrument.
var nvccPrograms = []tableProgram{
	{name: "co_cluster", sources: []string{coCluster}, flags: []string{"-D", "COLS=16", "-D", "BUG"}},
	{name: "em", sources: []string{emCluster}, flags: []string{"-D", "POINTS=2048", "-D", "ROUNDS=1"}},
	{name: "scan", sources: []string{"examples/scan/scan.cu"}, flags: []string{"-D", "NO_BARRIER=1"}},
}

// TestToolchainInstrument compiles the output of each scheme with nvcc: the
// program prints what the original prints, and a scheme says the same as when
// clang has compiled it. Each program is compiled with a third of the schemes,
// with all of them where WARPGRIND_LONG_TESTS is set.
func TestToolchainInstrument(t *testing.T) {
	_, toolkit := e2e.Toolchains(t)
	bin := tooltest.Tool(t)
	nvcc := []string{"--cuda-path", toolkit, "--frontend", "nvcc", "--std", "c++17", "--nvcc-flags=--extended-lambda --expt-relaxed-constexpr"}
	for n, p := range append(languagePrograms(t), nvccPrograms...) {
		p.steps = 1 << 30
		for i, scheme := range tableSchemes {
			if !tooltest.Long() && (n+i)%3 != 0 {
				continue
			}
			t.Run(p.name+"/"+scheme, func(t *testing.T) {
				t.Parallel()
				b := p.instrument(t, bin, scheme)
				if b.watched == 0 {
					t.Skip("nothing to watch")
				}
				want, got := b.run(t, bin), b.run(t, bin, nvcc...)
				races := len(e2e.ErrorLevel(want.report.Findings)) > 0 // and may be in what is printed
				if !races && (got.exit != want.exit || got.stdout != want.stdout) {
					t.Errorf("exit code %d, want %d; output\n%s\nwant\n%s\n%s", got.exit, want.exit, got.stdout, want.stdout, got.stderr)
				}
				_, differences := places(scheme, got.report).compare(places(scheme, want.report))
				if len(differences) > 0 {
					t.Errorf("compiled by nvcc and by clang:\n%s\n%s", strings.Join(differences, "\n"), got.stderr)
				}
			})
		}
	}
}

// places is what a scheme says, without numbers: how many requests a warp makes
// of diverged lanes is up to the compiler.
func places(scheme string, r instrumentReport) result {
	all := schemeResult(scheme, r)
	if scheme == "boyer-bank" || scheme == "coalesce" {
		for place := range all {
			all[place] = "counted"
		}
	}
	return all
}
