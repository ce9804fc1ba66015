package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// benchmark is a program of Rodinia 3.1 as GPUDrano's Table 1 has it: how it is built by
// nvcc's command line, and a run that is small enough for an emulator.
type benchmark struct {
	name string
	// paper is its row: real bugs, those of the static analysis, those of them that are
	// real, its seconds, and the bugs of the dynamic analysis. Empty for the four that
	// it could not compile.
	paper [5]string
	// dir is below cuda, device are the sources with kernels, host all others of the program.
	dir, flags, device, host string
	// args are of the run, in dir; none for a program that is not run: it takes a library's own build, or
	// data for which no small input can be made. input writes what it reads below the folder
	// data, where the user has none.
	args  string
	input func(data string) error
}

// uncompiled is the paper's row of a program that it could not compile.
var uncompiled [5]string

var benchmarks = []benchmark{
	{"backprop", [5]string{"7", "0", "0", "0.14", "7"}, "backprop", "", "backprop_cuda.cu", "backprop.c facetrain.c imagenet.c", "4096", nil},
	{"bfs", [5]string{"7", "7", "7", "0.07", "0-7"}, "bfs", "", "bfs.cu", "", "../../data/bfs/graph4096.txt", graphFile},
	{"b+tree", [5]string{"19", "19", "19", "0.35", "7"}, "b+tree", "-I.", "kernel/kernel_gpu_cuda_wrapper.cu kernel/kernel_gpu_cuda_wrapper_2.cu",
		"main.c util/timer/timer.c util/num/num.c util/cuda/cuda.cu", "file ../../data/b+tree/few.txt command ../../data/b+tree/few_commands.txt", treeFiles},
	{"CFD", [5]string{"0", "22", "0", "12.41", "-"}, "cfd", "-I../hybridsort", "euler3d.cu", "", "../../data/cfd/small.domn", meshFile},
	{"dwt2D", [5]string{"0", "16", "0", "5.99", "n/a"}, "dwt2d", "-I.",
		"components.cu main.cu dwt_cuda/fdwt53.cu dwt_cuda/fdwt97.cu dwt_cuda/rdwt53.cu dwt_cuda/rdwt97.cu", "dwt.cu dwt_cuda/common.cu",
		"../../data/dwt2d/small.bmp -d 192x192 -f -5 -l 3", imageFile},
	{"gaussian", [5]string{"6", "6", "6", "0.07", "5-6"}, "gaussian", "", "gaussian.cu", "", "-s 64", nil},
	{"heartwall", [5]string{"8", "25", "8", "39.87", "-"}, "heartwall", "-IAVI", "main.cu", "AVI/avilib.c AVI/avimod.c", "../../data/heartwall/test.avi 1", nil},
	{"hotspot", [5]string{"3", "2", "0", "0.75", "3"}, "hotspot", "", "hotspot.cu", "", "64 2 4 ../../data/hotspot/temp_64 ../../data/hotspot/power_64 out.txt", gridFiles("hotspot", "64", 64*64)},
	{"hotspot3D", [5]string{"2", "12", "2", "0.21", "2"}, "hotspot3D", "", "3D.cu", "",
		"64 8 2 ../../data/hotspot3D/power_64x8 ../../data/hotspot3D/temp_64x8 out.txt", gridFiles("hotspot3D", "64x8", 64*64*8)},
	{"huffman", [5]string{"21", "26", "21", "0.68", "3"}, "huffman", "", "main_test_cu.cu vlc_kernel_sm64huff.cu scan.cu pack_kernels.cu",
		"stats_logger.cpp cpuencode.cpp", "../../data/huffman/small.in", bytesFile},
	{"lavaMD", [5]string{"9", "9", "9", "0.73", "5"}, "lavaMD", "-I.", "kernel/kernel_gpu_cuda_wrapper.cu", "main.c util/timer/timer.c util/num/num.c util/device/device.cu", "-boxes1d 2", nil},
	{"lud", [5]string{"3", "0", "0", "0.34", "3"}, "lud/cuda", "-I../common", "lud.cu lud_kernel.cu", "../common/common.c", "-s 64", nil},
	{"myocyte", [5]string{"19", "19", "19", "1,813.72", "0"}, "myocyte", "", "main.cu", "", "1 64 1", cellFiles},
	{"nn", [5]string{"4", "4", "4", "0.06", "2"}, "nn", "", "nn_cuda.cu", "", "../../data/nn/few -r 5 -lat 30 -lng 90", stormFiles},
	{"nw", [5]string{"7", "2", "2", "0.41", "6"}, "nw", "", "needle.cu", "", "128 10", nil},
	{"particle filter", [5]string{"4", "3", "2", "0.58", "4"}, "particlefilter", "", "ex_particle_CUDA_naive_seq.cu", "", "-x 32 -y 32 -z 2 -np 128", nil},
	{"particle filter, float", uncompiled, "particlefilter", "", "ex_particle_CUDA_float_seq.cu", "", "-x 32 -y 32 -z 2 -np 128", nil},
	{"pathfinder", [5]string{"3", "0", "0", "0.22", "3"}, "pathfinder", "", "pathfinder.cu", "", "1000 20 4", nil},
	{"srad_v1", [5]string{"2", "14", "2", "0.33", "2"}, "srad/srad_v1", "", "main.cu", "", "2 0.5 64 64", picture},
	{"srad_v2", [5]string{"9", "0", "0", "1.38", "9"}, "srad/srad_v2", "", "srad.cu", "", "64 64 0 31 0 31 0.5 2", nil},
	{"streamcluster", [5]string{"10", "10", "10", "0.11", "-"}, "streamcluster", "", "streamcluster_cuda.cu", "streamcluster_cuda_cpu.cpp", "5 10 16 256 256 50 none out.txt 1", nil},
	{"hybridsort", uncompiled, "hybridsort", "", "main.cu bucketsort.cu mergesort.cu", "", "r", nil},
	{"kmeans", uncompiled, "kmeans", "", "kmeans_cuda.cu", "cluster.c getopt.c kmeans.c kmeans_clustering.c rmse.c", "-o -i ../../data/kmeans/few.txt", featureFile},
	{"leukocyte", uncompiled, "leukocyte/CUDA", "-I../meschach_lib -I.", "find_ellipse_kernel.cu track_ellipse_kernel.cu", "", "", nil},
	{"mummergpu", uncompiled, "mummergpu/src", "-I.", "mummergpu.cu", "", "", nil},
}

// oldC lets a compiler of today take the C of 2009.
var oldC = []string{"-Xcompiler", "-Wno-implicit-int", "-Xcompiler", "-Wno-implicit-function-declaration", "-Xcompiler", "-Wno-int-conversion", "-Xcompiler", "-w"}

// spot is an access in a source.
type spot struct {
	file         string
	line, column int
}

// spots are those of some accesses; true marks uncoalesced ones.
type spots map[spot]bool

// rodiniaRow is what came out for one program.
type rodiniaRow struct {
	benchmark
	static [2]spots // published, ours; nil if they did not compile
	took   [2]time.Duration
	ran    spots // those that the run executed
	why    string
}

// rodinia runs everything on a copy of the user's Rodinia.
func (l *lab) rodinia(dir string) (string, error) {
	root := filepath.Join(l.dir, "rodinia")
	if err := copyTree(filepath.Join(dir, "cuda"), filepath.Join(root, "cuda")); err != nil {
		return "", err
	}
	if err := copyTree(filepath.Join(dir, "common"), filepath.Join(root, "common")); err != nil {
		return "", err
	}
	data := filepath.Join(root, "data")
	if err := os.MkdirAll(data, 0o777); err != nil {
		return "", err
	}
	linkData(filepath.Join(dir, "data"), data)
	var rows []rodiniaRow
	for _, b := range benchmarks {
		fmt.Fprintln(l.log, "Rodinia:", b.name)
		row, err := l.benchmark(b, root)
		if err != nil {
			return "", fmt.Errorf("%s: %w", b.name, err)
		}
		rows = append(rows, row)
	}
	return rodiniaPage(rows), nil
}

// copyTree copies the regular files below a folder.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
}

// linkData makes the user's data files visible to the copy, each by a link.
func linkData(from, to string) {
	filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		rel, relErr := filepath.Rel(from, path)
		if err != nil || relErr != nil {
			return nil // no data: what is made takes its place
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		os.Symlink(path, filepath.Join(to, rel))
		return nil
	})
}

// benchmark analyzes and runs one program.
func (l *lab) benchmark(b benchmark, root string) (rodiniaRow, error) {
	row := rodiniaRow{benchmark: b}
	dir := filepath.Join(root, "cuda", b.dir)
	for i, analysis := range [][]string{{"--analysis", "gpudrano"}, nil} {
		args := append([]string{"check", "--tool", "coalesce"}, analysis...)
		args = append(append(args, strings.Fields(b.flags)...), strings.Fields(b.device)...)
		from := time.Now()
		r, why, err := l.reportIn(dir, args)
		if err != nil {
			return row, err
		}
		if row.took[i] = time.Since(from); r == nil {
			row.why = why
			return row, nil
		}
		row.static[i] = found(r, dir)
	}
	if b.args == "" {
		row.why = "not run"
		return row, nil
	}
	return row, l.runBenchmark(&row, dir, filepath.Join(root, "data"))
}

// reportIn runs a command of warpgrind in a folder and reads its report; where there is
// none, it returns what the command wrote.
func (l *lab) reportIn(dir string, args []string, program ...string) (*report, string, error) {
	file := filepath.Join(l.dir, "rodinia.json")
	out, err := l.commandIn(dir, nil, append(append(args, "--format", "json="+file), program...)...)
	if err != nil {
		return nil, "", err
	}
	r, err := readReport(file)
	if os.IsNotExist(err) {
		return nil, firstError(out.stderr), nil
	}
	return r, "", err
}

// firstError is the line of a compiler's or a program's output that says what is wrong.
func firstError(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines {
		if _, what, ok := strings.Cut(line, "error: "); ok {
			return what
		}
	}
	return lines[0]
}

// runBenchmark builds and runs the program and notes the lines of its accesses.
func (l *lab) runBenchmark(row *rodiniaRow, dir, data string) error {
	if row.input != nil {
		if err := row.input(data); err != nil {
			return err
		}
	}
	args := append(append([]string{"cc", "-o", "./program"}, oldC...), strings.Fields(row.flags)...)
	out, err := l.commandIn(dir, nil, append(args, strings.Fields(row.device+" "+row.host)...)...)
	if err != nil {
		return err
	}
	if out.exit != 0 {
		row.why = firstError(out.stderr)
		return nil
	}
	run := append([]string{"./program", "--"}, strings.Fields(row.args)...)
	r, why, err := l.reportIn(dir, []string{"run", "-q", "--tool", "coalesce", "--timeout", "120s"}, run...)
	if err != nil {
		return err
	}
	if r == nil {
		row.why = why
		return nil
	}
	row.ran, err = executed(r, dir)
	if len(row.ran) == 0 {
		row.why = "its input is not there"
	}
	return err
}
