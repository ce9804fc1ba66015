package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// sdkKernel is a kernel of the CUDA SDK's sample scan, which the papers of Boyer and of GRace take
// as their subject: the user's own file, to which a program that launches it is added.
type sdkKernel struct {
	file, kernel string
	// threads and shared are what it is launched with for n elements.
	threads, shared string
	// barriers is how many __syncthreads it has.
	barriers int
}

// sdkKernels in the order of the page. The shared memory has room for either padding.
var sdkKernels = []sdkKernel{
	{"scan_naive_kernel.cu", "scan_naive", "n", "2 * n", 2},
	{"scan_workefficient_kernel.cu", "scan_workefficient", "n / 2", "n", 3},
	{"scan_best_kernel.cu", "scan_best", "n / 2", "n + n / 16 + n / 256", 3},
}

// sdkMain launches a kernel and compares with a sum of its own. The text of the kernel's file comes
// before it, so that its lines keep their numbers.
const sdkMain = `
#include <cstdio>
#include <vector>
int main() {
  const int n = 512;
  std::vector<float> in(n), out(n);
  for (int i = 0; i < n; i++) in[i] = i * 7 %% 100;
  float *from, *to, sum = 0;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMemcpy(from, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  %s<<<1, %s, (%s) * sizeof(float)>>>(to, from, n);
  cudaMemcpy(out.data(), to, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) {
    wrong += out[i] != sum;
    sum += in[i];
  }
  printf("%%d wrong\n", wrong);
  cudaFree(from);
  cudaFree(to);
}
`

const sdkIntro = `# The scan of the CUDA SDK

Made by ` + "`make experiments SDK=dir`" + ` (scripts/experiments): what Boyer, Skadron and Weimer, and the authors of GRace, did with the
kernels of the SDK's sample scan, repeated with the user's own copy of its files, of which none is part of warpgrind. Lines are
those of the files. The programs that launch the kernels, for 512 elements in one block, are ours.
[EXPERIMENTS.md](EXPERIMENTS.md) has the same for kernels that were written after these.
`

// sdk is the page for the files below root.
func (l *lab) sdk(root string) (string, error) {
	var b strings.Builder
	b.WriteString(sdkIntro)
	barriers := table{{"kernel", "removed", "wrong results", "boyer-race", "emulator, `--race-model thread`", "proved by `check`"}}
	banks := table{{"kernel", "version", "boyer-bank", "emulator, `--tool bank --arch sm_13`"}}
	grace := table{{"kernel", "", "statements", "accesses"}}
	for _, k := range sdkKernels {
		text, err := findSDK(root, k.file)
		if err != nil {
			return "", err
		}
		if n := len(barrierCall.FindAllString(text, -1)); n != k.barriers {
			return "", fmt.Errorf("%s: it has %d barriers, that of the SDK %d", k.file, n, k.barriers)
		}
		fmt.Fprintln(l.log, k.kernel)
		for _, step := range []func() error{
			func() error { return l.sdkBarriers(&barriers, k, text) },
			func() error { return l.sdkBanks(&banks, k, text) },
			func() error { return l.sdkStatic(&grace, k, text) },
		} {
			if err := step(); err != nil {
				return "", fmt.Errorf("%s: %w", k.file, err)
			}
		}
	}
	fmt.Fprintf(&b, "\n## Barriers (Boyer 6.1, GRace Table 1)\n\n%s%s", barriers, sdkBarrierNotes)
	fmt.Fprintf(&b, "\n## Bank conflicts (Boyer 6.2)\n\n%s%s", banks, sdkBankNotes)
	fmt.Fprintf(&b, "\n## Static analysis (GRace Table 3)\n\n%s%s", grace, sdkGraceNotes)
	return b.String(), nil
}

// findSDK reads the one file of that name below a folder.
func findSDK(root, name string) (string, error) {
	found := ""
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && d.Name() == name {
			found = path
			return fs.SkipAll
		}
		return err
	})
	if err == nil && found == "" {
		err = errors.New("the SDK's sample scan has it")
	}
	if err != nil {
		return "", fmt.Errorf("%s: no %s: %w", root, name, err)
	}
	text, err := os.ReadFile(found)
	return string(text), err
}

var barrierCall = regexp.MustCompile(`\b__syncthreads\s*\(\s*\)`)

// without blanks out the n-th barrier, from 1; 0 is none.
func without(text string, n int) string {
	return barrierCall.ReplaceAllStringFunc(text, func(call string) string {
		if n--; n == 0 {
			return strings.Repeat(" ", len(call))
		}
		return call
	})
}

// sdkBuild writes a program beside the examples.
func (l *lab) sdkBuild(k sdkKernel, variant, text string) (build, error) {
	source := filepath.Join("sdk", variant, k.file)
	path := l.example(source)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return build{}, err
	}
	return build{source: source}, os.WriteFile(path, []byte(text+fmt.Sprintf(sdkMain, k.kernel, k.threads, k.shared)), 0o666)
}

func (l *lab) sdkBarriers(t *table, k sdkKernel, text string) error {
	for n := range k.barriers + 1 {
		b, err := l.sdkBuild(k, fmt.Sprintf("barrier%d", n), without(text, n))
		if err != nil {
			return err
		}
		m, err := l.measure(b.with("boyer-race"))
		if err != nil {
			return err
		}
		r, out, err := l.check(l.example(b.source), "--race-model", "thread")
		if err != nil {
			return err
		}
		proved, err := l.proved(b)
		if err != nil {
			return err
		}
		t.row(k.kernel, []string{"none", "first", "second", "third"}[n], strings.TrimSuffix(strings.TrimSpace(out.stdout), " wrong"),
			raceLines(m.found), raceLines(r), raceLines(&report{Findings: proved}))
	}
	return nil
}

const sdkBarrierNotes = `
The paper of Boyer removes each barrier of the kernel in turn and finds races after it and not beyond the next. A barrier of which the
removal gives nothing is not needed for the accesses that this launch makes. Wrong results are those of the emulator, which runs a warp until it must wait.
`

func (l *lab) sdkBanks(t *table, k sdkKernel, text string) error {
	versions := [][]string{nil}
	if strings.Contains(text, "ZERO_BANK_CONFLICTS") {
		versions = append(versions, []string{"ZERO_BANK_CONFLICTS"})
	}
	b, err := l.sdkBuild(k, "banks", text)
	if err != nil {
		return err
	}
	for _, b.defines = range versions {
		m, err := l.measure(b.with("boyer-bank", "--banks", "16"))
		if err != nil {
			return err
		}
		r, _, err := l.check(l.example(b.source), append(b.defineFlags(), "--tool", "bank", "--arch", "sm_13")...)
		if err != nil {
			return err
		}
		e, err := emulatorBanks(r, k.kernel)
		if err != nil {
			return err
		}
		t.row(k.kernel, strings.Join(append([]string{"as shipped"}, b.defines...)[len(b.defines):], ""), schemeBanks(m, k.kernel), e.of("statement instances"))
	}
	return nil
}

const sdkBankNotes = `
Of scan_best the paper of Boyer says: 2-way conflicts in about one third of the accesses as shipped; with ` + "`ZERO_BANK_CONFLICTS`" + `, which is
meant to avoid them all, in twice as many statements and up to 16-way. The macro of that version is without the padding that it
promises, since ` + "`+`" + ` binds tighter than ` + "`>>`" + `.
`

func (l *lab) sdkStatic(t *table, k sdkKernel, text string) error {
	b, err := l.sdkBuild(k, "static", text)
	if err != nil {
		return err
	}
	flags, err := l.pruned(b)
	if err != nil {
		return err
	}
	for i, b := range []build{b.with("grace-addr"), b.with("grace-addr", flags...)} {
		accesses, statements, err := l.sitesOf(b, k.kernel)
		if err != nil {
			return err
		}
		t.row(k.kernel, []string{withoutStatic, withStatic}[i], statements, accesses)
	}
	return nil
}

const sdkGraceNotes = `
Statements and accesses that GRace's schemes instrument. The paper's analyzer leaves none of scan_best: all its races, in the version without
the first barrier, are proved, and the rest is proved free of them.
`
