package clang

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/pragma"
)

// sources is this package: a cached result is good as long as the code that
// made it, and the directives that it writes (package pragma), are the same.
//
//go:embed *.go cutext/*.go irtext/*.go passes/*.go
var sources embed.FS

// pipeline names the version of this package.
var pipeline = sync.OnceValue(func() string {
	sum := sha256.Sum256([]byte(pragma.Source))
	return hashOf(sources, func(path string) bool { return !strings.HasSuffix(path, "_test.go") }) + hex.EncodeToString(sum[:8])
})

// hashOf names the content of embedded files. It reads them piece by piece: a copy of them
// all would cost more than their hash.
func hashOf(files embed.FS, wanted func(path string) bool) string {
	h, piece := sha256.New(), make([]byte, 1<<15)
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !wanted(path) {
			return err
		}
		f, err := files.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintf(h, "\n%s\n", path)
		_, err = io.CopyBuffer(h, f, piece)
		return err
	})
	if err != nil {
		panic(err) // embedded
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// fileID names a program: which it is, and in which version.
func fileID(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	st, err := os.Stat(real)
	if err != nil {
		return path
	}
	return fmt.Sprintf("%s %s %d %d", path, real, st.Size(), st.ModTime().UnixNano())
}

// identity names the toolchain.
func (tc *Toolchain) identity() string {
	return cache.Key(tc.Version, tc.ResourceDir, fileID(tc.Clang), fileID(tc.Opt), fileID(tc.LLC))
}

// probeIdentity names what probing a toolchain depends on: OpenMP's runtime may
// be installed beside it later.
func (tc *Toolchain) probeIdentity() string {
	return cache.Key(tc.identity(), fileID(filepath.Join(tc.ResourceDir, "..", "..", openMPLibrary)))
}

// probed is a toolchain as it is kept between runs, so that its programs need
// not be asked again.
type probed struct {
	Toolchain
	OpenMP   bool
	Identity string
}

// probeKey is the cache's key for what probe finds out about a clang.
func probeKey(path string) string {
	return cache.Key("probe", pipeline(), fileID(path), os.Getenv("PATH"))
}

// probeCached is probe, but for programs that were probed before.
func probeCached(path string) (*Toolchain, error) {
	store, key := cache.Open(), probeKey(path)
	if r, ok := store.Get(key); ok {
		var p probed
		if json.Unmarshal(r["toolchain"], &p) == nil && p.Identity == p.Toolchain.probeIdentity() {
			p.Toolchain.openMP = p.OpenMP
			return &p.Toolchain, nil
		}
	}
	tc, err := probe(path)
	if err != nil {
		return nil, err
	}
	tc.openMP = tc.hasOpenMP()
	data, err := json.Marshal(probed{*tc, tc.openMP, tc.probeIdentity()})
	if err == nil {
		store.Put(key, nil, cache.Result{"toolchain": data})
	}
	return tc, nil
}
