package clang

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cache"
)

// The prelude
//
// Every CUDA source begins with cuda_runtime.h, as with nvcc. Clang takes about as long to read it
// as for all the rest of a usual source, so it is precompiled: one precompiled header for each list
// of options and each state of the files in it, kept in the cache. It is made when a list of
// options occurs for the second time, so that options that never come back cost nothing.
// A source that clang rejects with the precompiled header is compiled again without it: errors read
// the same in both cases.

// prelude is the option of clang that begins each CUDA source.
var prelude = []string{"-include", "cuda_runtime.h"}

// noModules turns off the modules of C++20: with them clang takes the host's and
// the device's overload of a function in a precompiled header for one function
// with two definitions.
var noModules = []string{"-Xclang", "-fno-cxx-modules"}

// clang runs clang on the source, with the prelude precompiled where that is to be had. All that
// the prelude can depend on is in options; own are those of this run.
func (j *job) clang(ctx context.Context, options, own []string) (stdout, diag []byte, err error) {
	own = append(slices.Clone(own), j.Source)
	if file := j.precompiled(ctx, options); file != "" {
		stdout, diag, err = runTool(ctx, nil, j.tc.Clang, slices.Concat(usePrelude(options, file), own)...)
		if err == nil || ctx.Err() != nil || j.fed.Load() {
			return stdout, diag, err
		}
	}
	return runTool(ctx, nil, j.tc.Clang, slices.Concat(options, own)...)
}

// usePrelude replaces the prelude by a precompiled header.
func usePrelude(options []string, file string) []string {
	at := slices.Index(options, prelude[0])
	options = slices.Replace(slices.Clone(options), at, at+len(prelude), "-Xclang", "-include-pch", "-Xclang", file)
	return append(options, noModules...)
}

// precompiled returns the file of the precompiled header for some options, or "" if there is none.
func (j *job) precompiled(ctx context.Context, options []string) string {
	store := cache.Open()
	options = withoutOverlay(options)
	key := j.preludeKey(options)
	if store == nil || key == "" {
		return ""
	}
	file := j.file("prelude-" + key[:16])
	if r, ok := store.Get(key); ok {
		if r["header"] == nil || os.WriteFile(file, r["header"], 0o666) != nil {
			return ""
		}
		return file
	}
	seen := cache.Key("seen", key)
	if _, ok := store.Get(seen); !ok {
		store.Put(seen, nil, nil)
		return ""
	}
	list := file + ".d"
	if !j.precompile(ctx, append(options, depFlags(list)...), file) {
		return ""
	}
	header, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	files, ok := j.preludeFiles(list)
	if !ok { // compiled without, from now on
		store.Put(key, nil, cache.Result{})
		return ""
	}
	store.Put(key, files, cache.Result{"header": header})
	return file
}

// precompile makes a precompiled header.
func (j *job) precompile(ctx context.Context, options []string, file string) bool {
	args := append(slices.Concat(options, noModules), "-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", file, j.emptySource())
	_, _, err := runTool(ctx, nil, j.tc.Clang, args...)
	return err == nil // else compiling the source will show what is wrong
}

// emptySource is the source of the precompiled header, which clang looks at again at each use.
func (j *job) emptySource() string { return filepath.Join(j.include, "warpgrind", "empty.cu") }

// preludeKey names all that the prelude depends on but for the content of files. It is "" where
// there is no prelude, and where other files are included from the command line, which may be the
// project's.
func (j *job) preludeKey(options []string) string {
	if !slices.Contains(options, prelude[0]) || includesFile(j.Flags.Both) || includesFile(j.Flags.Host) {
		return ""
	}
	shim, err := shimHash()
	if err != nil {
		return ""
	}
	dir := ""
	if len(j.userDirs()) > 0 { // which may be relative
		if dir, err = os.Getwd(); err != nil {
			return ""
		}
	}
	return cache.Key("prelude", j.tc.identity(), pipeline(), shim, dir, environment(), cache.Key(options...))
}

// includesFile reports whether options include files.
func includesFile(options []string) bool {
	return slices.ContainsFunc(options, func(o string) bool {
		return hasAnyPrefix(o, []string{"-include", "--include", "-imacros", "--imacros", "-ivfsoverlay", "-fmodule"})
	})
}

// userDirs are the directories that the user's options name, for headers.
func (j *job) userDirs() (dirs []string) {
	for i, o := range j.Flags.Both {
		for _, option := range []string{"-I", "-iquote", "-isystem", "-idirafter"} {
			dir, ok := strings.CutPrefix(o, option)
			if ok && dir == "" && i+1 < len(j.Flags.Both) {
				dir = j.Flags.Both[i+1]
			}
			if ok && dir != "" {
				dirs = append(dirs, absolute(strings.TrimPrefix(dir, "=")))
			}
		}
	}
	return dirs
}

// preludeFiles reads which files a precompiled header was made from. It reports false if one of
// them is the user's: those may be read with another text (see overlay).
func (j *job) preludeFiles(list string) ([]string, bool) {
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, false
	}
	files, err := parseDepFile(string(text))
	if err != nil {
		return nil, false
	}
	files = without(files, j.include+"/", j.tc.ResourceDir+"/") // which are part of the key
	for _, dir := range j.userDirs() {
		if slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(absolute(f), filepath.Clean(dir)+"/") }) {
			return nil, false
		}
	}
	return files, true
}

// withoutOverlay leaves out what replaces the texts of the user's files.
func withoutOverlay(options []string) []string {
	options = slices.Clone(options)
	if at := slices.Index(options, "-ivfsoverlay"); at >= 0 {
		options = slices.Delete(options, at, at+2)
	}
	return options
}
