package clang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/fallback"
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
	var rejected error
	if file := j.precompiled(ctx, options); file != "" {
		stdout, diag, err = runTool(ctx, nil, j.tc.Clang, slices.Concat(usePrelude(options, file), own)...)
		if err == nil || ctx.Err() != nil || j.fed.Load() {
			return stdout, diag, err
		}
		rejected = failed(err, j.tc.Clang, "precompiled headers", diag)
	}
	stdout, diag, err = runTool(ctx, nil, j.tc.Clang, slices.Concat(options, own)...)
	if err == nil && rejected != nil {
		withoutPrelude(rejected)
	}
	return stdout, diag, err
}

// usePrelude replaces the prelude by a precompiled header.
func usePrelude(options []string, file string) []string {
	at := slices.Index(options, prelude[0])
	options = slices.Replace(slices.Clone(options), at, at+len(prelude), "-Xclang", "-include-pch", "-Xclang", file)
	return append(options, noModules...)
}

// precompiled returns the file of the precompiled header for some options, or "" if there is none:
// one is made at the second use.
func (j *job) precompiled(ctx context.Context, options []string) string {
	store, key, options := j.preludeStore(options)
	if file, known := j.keptPrelude(store, key); known {
		return file
	}
	seen := cache.Key("seen", key)
	if _, ok := store.Get(seen); !ok {
		store.Put(seen, nil, nil)
		return ""
	}
	return j.makePrelude(ctx, store, key, options)
}

// preludeStore returns where the precompiled header for some options is kept, by which key, and
// the options that it depends on. Where none can be kept the key is "".
func (j *job) preludeStore(options []string) (*cache.Store, string, []string) {
	store := cache.Open()
	options = withoutOverlay(options)
	if store == nil {
		return nil, "", options
	}
	return store, j.preludeKey(options), options
}

// keptPrelude returns the file of the precompiled header that is kept, "" where there can be none.
// It is unknown before it was made.
func (j *job) keptPrelude(store *cache.Store, key string) (file string, known bool) {
	if key == "" {
		return "", true
	}
	r, known := store.Get(key)
	if !known || r["header"] == nil || j.shadowed(strings.Split(string(r["files"]), "\n")) {
		return "", known
	}
	if bad(checkHeader(r["header"])) {
		return "", false
	}
	file = j.preludeFile(key)
	if err := os.WriteFile(file, r["header"], 0o666); err != nil {
		withoutPrelude(err)
		return "", true
	}
	return file, true
}

func (j *job) preludeFile(key string) string { return j.file("prelude-" + key[:16]) }

// makePrelude makes a precompiled header and keeps it. It returns its file, or "" if there can be
// none.
func (j *job) makePrelude(ctx context.Context, store *cache.Store, key string, options []string) string {
	file := j.preludeFile(key)
	list := file + ".d"
	err := j.precompile(ctx, append(options, depFlags(list)...), file)
	var header []byte
	if err == nil {
		header, err = os.ReadFile(file)
	}
	if err == nil {
		err = checkHeader(header)
	}
	if err != nil {
		withoutPrelude(err)
		return ""
	}
	files, err := preludeFiles(list)
	if err != nil || j.ofTheUser(files) { // compiled without, from now on
		store.Put(key, nil, cache.Result{})
		return ""
	}
	checked := without(files, j.include+"/", j.tc.ResourceDir+"/") // those are part of the key
	store.Put(key, checked, cache.Result{"header": header, "files": []byte(strings.Join(files, "\n"))})
	return file
}

// instantiated makes the instances of templates that a precompiled header needs part of it: else
// each source makes them again, which takes a quarter of the time of a small one.
var instantiated = []string{"-Xclang", "-fpch-instantiate-templates"}

// withoutPrelude notes why a source is compiled without a precompiled header, though there could be one.
func withoutPrelude(why error) {
	if !errors.Is(why, context.Canceled) && !errors.Is(why, context.DeadlineExceeded) {
		fallback.Took(fallback.Cache, fmt.Errorf("headers are compiled again with each source: %w", why))
	}
}

// precompile makes a precompiled header.
func (j *job) precompile(ctx context.Context, options []string, file string) error {
	args := append(slices.Concat(options, noModules, instantiated), "-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang", file, j.emptySource())
	_, diag, err := runTool(ctx, nil, j.tc.Clang, args...)
	if err != nil {
		return failed(err, j.tc.Clang, "headers", diag)
	}
	return nil
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
	dir := ""
	if len(j.userDirs()) > 0 { // which may be relative
		var err error
		if dir, err = os.Getwd(); err != nil {
			return ""
		}
	}
	return cache.Key("prelude", j.tc.identity(), pipeline(), shimHash(), dir, environment(), cache.Key(options...))
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

// preludeFiles reads which files a precompiled header was made from.
func preludeFiles(list string) ([]string, error) {
	text, err := os.ReadFile(list)
	if err != nil {
		return nil, err
	}
	return parseDepFile(string(text))
}

// ofTheUser reports whether one of the files is the user's: those may be read with another
// text (see overlay).
func (j *job) ofTheUser(files []string) bool {
	for _, dir := range j.userDirs() {
		if slices.ContainsFunc(files, func(f string) bool { return strings.HasPrefix(absolute(f), filepath.Clean(dir)+"/") }) {
			return true
		}
	}
	return false
}

// longestName is the most components that the name of a header has in an #include.
const longestName = 4

// shadowed reports whether a directory of the user now has a file that would be read in place of
// one of the files of the precompiled header: one whose name a directive may give for it.
func (j *job) shadowed(files []string) bool {
	for _, dir := range j.userDirs() {
		list, err := os.ReadDir(dir)
		if err != nil {
			continue // there is nothing to read
		}
		has := map[string]bool{}
		for _, e := range list {
			has[e.Name()] = true
		}
		for _, f := range files {
			parts := strings.Split(f, "/")
			for n := 1; n <= min(longestName, len(parts)); n++ {
				name := parts[len(parts)-n:]
				if !has[name[0]] {
					continue
				}
				if info, err := os.Stat(filepath.Join(dir, filepath.Join(name...))); err == nil && !info.IsDir() {
					return true
				}
			}
		}
	}
	return false
}

// withoutOverlay leaves out what replaces the texts of the user's files.
func withoutOverlay(options []string) []string {
	options = slices.Clone(options)
	if at := slices.Index(options, "-ivfsoverlay"); at >= 0 {
		options = slices.Delete(options, at, at+2)
	}
	return options
}
