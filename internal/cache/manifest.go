package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/warpgrind/warpgrind/internal/userfile"
)

// maxVariants is how many results a manifest lists, the latest first: one for
// each state of the headers.
const maxVariants = 8

// manifest lists the results for one key.
type manifest struct {
	Variants []variant `json:"variants"`
}

// variant is a result with the files that it was made from.
type variant struct {
	Files  []file `json:"files"`
	Result string `json:"result"`
}

// file is a file's identity. If the stamp agrees the content is not read.
type file struct {
	Path  string `json:"path"`
	Stamp stamp  `json:"stamp"`
	Hash  string `json:"hash"`
}

// stamp is what changes whenever a file's content does, barring a change
// within the resolution of the clock: CTime cannot be set by programs.
type stamp struct {
	Size  int64  `json:"size"`
	Inode uint64 `json:"inode"`
	MTime int64  `json:"mtime"` // ns
	CTime int64  `json:"ctime"` // ns
}

// settled is how old a change must be for a stamp to be trusted: another
// change at the same tick of the clock would not show.
const settled = 2 * time.Second

func stampOf(path string) (stamp, error) {
	var st syscall.Stat_t
	if err := syscall.Stat(path, &st); err != nil {
		return stamp{}, err
	}
	return stamp{Size: st.Size, Inode: st.Ino, MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano()}, nil
}

func (s *Store) readManifest(key string) *manifest {
	m := &manifest{}
	data, err := readSummed(s.path(key, ".m"))
	if err != nil || json.Unmarshal(data, m) != nil {
		return &manifest{}
	}
	m.Variants = slices.DeleteFunc(m.Variants, func(v variant) bool { return len(v.Result) != hex.EncodedLen(sha256.Size) })
	return m
}

func (m *manifest) encode() []byte {
	data, err := json.Marshal(m)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return summed(data)
}

// add puts a variant first, in place of an equal one.
func (m *manifest) add(v variant) {
	m.Variants = slices.DeleteFunc(m.Variants, func(o variant) bool { return o.Result == v.Result })
	m.Variants = slices.Insert(m.Variants, 0, v)
	m.Variants = m.Variants[:min(len(m.Variants), maxVariants)]
}

// newVariant takes the identity of the files. It fails if one of them cannot
// be read or asks for the time.
func (s *Store) newVariant(key string, files []string) (variant, bool) {
	var v variant
	parts := []string{key}
	files = slices.Clone(files)
	slices.Sort(files)
	for _, path := range slices.Compact(files) {
		abs, err := filepath.Abs(path)
		if err != nil {
			return v, false
		}
		f, err := s.newFile(abs)
		if err != nil {
			return v, false
		}
		v.Files = append(v.Files, f)
		parts = append(parts, f.Path, f.Hash)
	}
	v.Result = Key(parts...)
	return v, true
}

// large is from which size on the content of a file is not read again while its stamp stays: the
// linker's inputs are megabytes, and the same ones for each program.
const large = 256 << 10

func (s *Store) newFile(path string) (file, error) {
	st, err := stampOf(path)
	if err != nil {
		return file{}, err
	}
	young := time.Since(time.Unix(0, max(st.MTime, st.CTime))) < settled
	if young || st.Size < large {
		return readFile(path, st, young)
	}
	key := Key("content", path, fmt.Sprint(st))
	if r, ok := s.Get(key); ok {
		return file{Path: path, Stamp: st, Hash: string(r["hash"])}, nil
	}
	f, err := readFile(path, st, young)
	if err == nil {
		s.Put(key, nil, Result{"hash": []byte(f.Hash)})
	}
	return f, err
}

// readFile takes the identity of a file from its content.
func readFile(path string, st stamp, young bool) (file, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return file{}, err
	}
	if usesTime(data) {
		return file{}, errors.New("depends on the time")
	}
	if young {
		st = stamp{} // compare the content
	}
	return file{Path: path, Stamp: st, Hash: hashOf(data)}, nil
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// usesTime looks for the macros whose value changes with each compilation
// (C++ standard, "Predefined macro names"; __TIMESTAMP__ is GNU's).
func usesTime(data []byte) bool {
	for rest := data; ; {
		i := bytes.Index(rest, []byte("__"))
		if i < 0 {
			return false
		}
		rest = rest[i+2:]
		for _, name := range []string{"TIME__", "DATE__", "TIMESTAMP__"} {
			if bytes.HasPrefix(rest, []byte(name)) {
				return true
			}
		}
	}
}

// valid reports whether all files are as they were.
func (v variant) valid() bool {
	for _, f := range v.Files {
		if !f.unchanged() {
			return false
		}
	}
	return true
}

func (f file) unchanged() bool {
	st, err := stampOf(f.Path)
	if err != nil {
		return false
	}
	if st == f.Stamp {
		return true
	}
	data, err := userfile.Read(f.Path)
	return err == nil && hashOf(data) == f.Hash
}
