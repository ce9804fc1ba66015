package cache

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/fallback"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestGetAndPut(t *testing.T) {
	dir := t.TempDir()
	s := New(filepath.Join(dir, "cache"), 1<<20)
	header := filepath.Join(dir, "a.h")
	key := Key("source", "-O2")
	want := Result{"object": []byte("code"), "ptx": {}}
	writeFile(t, header, "one")
	if _, ok := s.Get(key); ok {
		t.Fatal("an empty cache has a result")
	}
	s.Put(key, []string{header, header}, want)
	if got, ok := s.Get(key); !ok || !bytes.Equal(got["object"], want["object"]) || len(got) != 2 {
		t.Fatalf("got %v, %v", got, ok)
	}
	if _, ok := s.Get(Key("source", "-O3")); ok {
		t.Error("other flags, same result")
	}
	writeFile(t, header, "two")
	if _, ok := s.Get(key); ok {
		t.Error("a changed header is not noticed")
	}
	s.Put(key, []string{header}, Result{"object": []byte("other")})
	for text, object := range map[string]string{"one": "code", "two": "other"} {
		writeFile(t, header, text)
		if got, ok := s.Get(key); !ok || string(got["object"]) != object {
			t.Errorf("header %q: got %q, %v, want %q", text, got["object"], ok, object)
		}
	}
	os.Remove(header)
	if _, ok := s.Get(key); ok {
		t.Error("a removed header is not noticed")
	}
}

// A file that changes without changing its size or its times is read again
// while its times are young.
func TestYoungFiles(t *testing.T) {
	dir := t.TempDir()
	s := New(filepath.Join(dir, "cache"), 1<<20)
	header, key := filepath.Join(dir, "a.h"), Key("k")
	writeFile(t, header, "one")
	s.Put(key, []string{header}, Result{})
	if s.readManifest(key).Variants[0].Files[0].Stamp != (stamp{}) {
		t.Error("the stamp of a file that was just written is trusted")
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(header, old, old); err != nil {
		t.Fatal(err)
	}
	if _, ok := s.Get(key); !ok {
		t.Error("new times count as new content")
	}
}

func TestUsesTime(t *testing.T) {
	tests := map[string]bool{
		"": false, "__": false, "int x = __LINE__;": false, "a __TIME__ b": true, "___DATE__": false,
		"__x__TIMESTAMP__": true, "TIME__": false,
	}
	for text, want := range tests {
		if got := usesTime([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	dir := t.TempDir()
	s := New(filepath.Join(dir, "cache"), 1<<20)
	writeFile(t, filepath.Join(dir, "a.h"), "__DATE__")
	s.Put(Key("k"), []string{filepath.Join(dir, "a.h")}, Result{})
	if _, ok := s.Get(Key("k")); ok {
		t.Error("a result that depends on the date is kept")
	}
}

func TestDamage(t *testing.T) {
	s := New(t.TempDir(), 1<<20)
	key := Key("k")
	for _, pattern := range []string{"*.m", "*.r"} {
		s.Put(key, nil, Result{"a": []byte("data")})
		paths, err := filepath.Glob(filepath.Join(s.dir, "*", pattern))
		if err != nil || len(paths) != 1 {
			t.Fatalf("%s: %v, %v", pattern, paths, err)
		}
		good, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		for n := range good {
			bad := bytes.Clone(good)
			bad[n] ^= 1
			writeFile(t, paths[0], string(bad))
			if _, ok := s.Get(key); ok {
				t.Errorf("%s with byte %d changed is used", pattern, n)
			}
			writeFile(t, paths[0], string(good[:n]))
			if _, ok := s.Get(key); ok {
				t.Errorf("%s cut to %d bytes is used", pattern, n)
			}
		}
	}
}

func TestTrim(t *testing.T) {
	s := New(t.TempDir(), 10_000)
	data := make([]byte, 1000)
	for i := range 20 {
		key := Key(fmt.Sprint(i))
		s.Put(key, nil, Result{"a": data})
		at := time.Now().Add(time.Duration(i-100) * time.Hour)
		for _, p := range []string{s.path(key, ".m"), s.path(s.readManifest(key).Variants[0].Result, ".r")} {
			os.Chtimes(p, at, at)
		}
		if i == 0 {
			continue
		}
		if _, ok := s.Get(Key("0")); !ok { // used all the time
			t.Fatal("the entry in use is gone")
		}
	}
	s.Trim()
	if _, total := s.entries(); total > 10_000 || total < 5000 {
		t.Errorf("%d bytes are left", total)
	}
	for key, want := range map[string]bool{"0": true, "1": false, "19": true} {
		if _, ok := s.Get(Key(key)); ok != want {
			t.Errorf("entry %s: present is %v", key, ok)
		}
	}
}

func TestManyWriters(t *testing.T) {
	s := New(t.TempDir(), 1<<30)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 50 {
				key := Key(fmt.Sprint(j % 5))
				s.Put(key, nil, Result{"a": bytes.Repeat([]byte{byte(j % 5)}, 5000)})
				if r, ok := s.Get(key); ok && (len(r["a"]) != 5000 || r["a"][4999] != byte(j%5)) {
					t.Errorf("writer %d: wrong data for %d", i, j)
				}
			}
		})
	}
	wg.Wait()
}

func TestDir(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	t.Setenv(DirEnv, dir)
	if got, err := Dir(); err != nil || got != dir {
		t.Errorf("Dir is %q, %v", got, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "")
	t.Setenv(DirEnv, file)
	if _, err := Dir(); err == nil || !strings.HasPrefix(err.Error(), DirEnv+": mkdir "+file) {
		t.Errorf("a file: %v", err)
	}
	t.Setenv(DirEnv, "off")
	if Open() != nil {
		t.Error("the cache is not off")
	}
	var off *Store
	off.Put(Key("k"), nil, Result{})
	off.Trim()
	if _, ok := off.Get(Key("k")); ok {
		t.Error("nothing has a result")
	}
	for s, want := range map[string]int64{"": DefaultLimit, "5": 5, "2K": 2048, "3G": 3 << 30, "x": 0, "-1": 0, "G": 0, "99999999999G": 0} {
		if got, err := limitOf(s); got != want || (err != nil) != (want == 0) {
			t.Errorf("limit %q is %d, %v", s, got, err)
		}
	}
}

// TestLargeFiles: the content of a large file is read again when the file changes, though an
// unchanged one's is not.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	s := New(t.TempDir(), 1<<30)
	path := filepath.Join(t.TempDir(), "library")
	text := strings.Repeat("a", large)
	hash := func() string {
		f, err := s.newFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return f.Hash
	}
	writeFile(t, path, text)
	young := hash()
	time.Sleep(settled + 100*time.Millisecond)
	if h := hash(); h != young || hash() != h {
		t.Error("the hash depends on the file's age")
	}
	writeFile(t, path, "b"+text[1:])
	if hash() == young {
		t.Error("another content, the same hash")
	}
}

// TestNoRoom: that the directory refuses results is counted, with the reason once.
func TestNoRoom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before := fallback.Now()
	s := New(filepath.Join(file, "results"), DefaultLimit)
	for _, name := range []string{"a", "b"} {
		s.Put(Key(name), nil, Result{"x": nil})
	}
	list := fallback.Since(before)
	if len(list) != 1 || list[0].Way != fallback.Room || list[0].Count != 2 || len(list[0].Reasons) != 1 {
		t.Errorf("%+v", list)
	}
}
