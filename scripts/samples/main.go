// Command samples builds NVIDIA's CUDA samples by their own CMake files with warpgrind cc, runs each
// with the arguments of its tests under warpgrind run, and writes the table of docs/results/SAMPLES.md:
//
//	go run ./scripts/samples -samples FOLDER [-only REGEXP] [-results FILE] [-page FILE] GROUP...
//
// With -libraries the folder is NVIDIA/CUDALibrarySamples, whose programs are built by warpgrind cc, and the table that
// of docs/results/LIBRARIES.md. What a program prints is compared with the result that a comment of its source states.
//
// Results are kept in a file, so that a run can be interrupted; samples that are in it are not run
// again. Without groups the page is only written; its rows of other samples stay.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"time"
)

func main() {
	samples := flag.String("samples", "", "the folder of NVIDIA/cuda-samples")
	only := flag.String("only", ".", "run the samples whose names match, again if they have been run")
	results := flag.String("results", "samples.json", "the file of results")
	page := flag.String("page", "", "write the table into this page")
	warpgrind := flag.String("warpgrind", "bin/warpgrind", "the warpgrind to use")
	limit := flag.Duration("timeout", 2*time.Minute, "stop a run after this time")
	libraries := flag.Bool("libraries", false, "the folder is NVIDIA/CUDALibrarySamples")
	flag.Parse()
	do := run
	if *libraries {
		do = runLibraries
	}
	if err := do(*samples, *only, *results, *page, *warpgrind, *limit, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "samples:", err)
		os.Exit(1)
	}
}

func run(samples, only, results, page, warpgrind string, limit time.Duration, groups []string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	done := map[string]*sample{}
	if b, err := os.ReadFile(results); err == nil {
		if err := json.Unmarshal(b, &done); err != nil {
			return err
		}
	}
	if len(groups) > 0 {
		w, err := newWork(samples, warpgrind, limit)
		if err != nil {
			return err
		}
		for _, g := range groups {
			names, err := filepath.Glob(filepath.Join(w.samples, "Samples", g, "*", "CMakeLists.txt"))
			if err != nil {
				return err
			}
			sort.Strings(names)
			for _, file := range names {
				name := filepath.Join(g, filepath.Base(filepath.Dir(file)))
				if !match.MatchString(name) || done[name] != nil && only == "." {
					continue
				}
				done[name] = w.sample(filepath.Dir(file))
				fmt.Printf("%s: %s\n", name, done[name])
				b, err := json.MarshalIndent(done, "", " ")
				if err == nil {
					err = os.WriteFile(results, b, 0o644)
				}
				if err != nil {
					return err
				}
			}
		}
	}
	if page == "" {
		return nil
	}
	return writePage(page, done)
}
