package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// shared sets up a machine whose users share only tmp: there is no home.
func shared(t *testing.T) (tmp, fallback string) {
	t.Helper()
	tmp = filepath.Join(t.TempDir(), "tmp")
	if err := os.Mkdir(tmp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(tmp, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	t.Setenv(DirEnv, "")
	t.Setenv("HOME", "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("XDG_DATA_HOME", "")
	t.Setenv("TMPDIR", tmp)
	return tmp, filepath.Join(tmp, fmt.Sprintf("warpgrind-%d", os.Getuid()))
}

func mkdir(t *testing.T, dir string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, mode); err != nil {
		t.Fatal(err)
	}
}

// give makes another user the owner.
func give(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	if err := os.Lchown(path, unmapped, unmapped); err != nil {
		t.Fatal(err)
	}
}

func wantUnsafe(t *testing.T, path string) {
	t.Helper()
	for _, f := range []func() (string, error){Dir, DataDir} {
		dir, err := f()
		var unsafe *UnsafeError
		if !errors.As(err, &unsafe) || unsafe.Path != path {
			t.Errorf("%s is used: %q, %v", path, dir, err)
		}
	}
}

// TestCacheOfAnotherUser prepares the fallback as another user would, who waits for it to be
// filled with code that is run later.
func TestCacheOfAnotherUser(t *testing.T) {
	t.Run("directory", func(t *testing.T) {
		_, fallback := shared(t)
		mkdir(t, fallback, 0o755)
		give(t, fallback)
		wantUnsafe(t, fallback)
	})
	t.Run("link", func(t *testing.T) {
		tmp, fallback := shared(t)
		mkdir(t, filepath.Join(tmp, "mine"), 0o700)
		if err := os.Symlink("mine", fallback); err != nil {
			t.Fatal(err)
		}
		give(t, fallback)
		wantUnsafe(t, fallback)
	})
	t.Run("above", func(t *testing.T) {
		tmp, fallback := shared(t)
		t.Setenv("HOME", tmp)
		cache := filepath.Join(tmp, ".cache")
		mkdir(t, filepath.Join(cache, "warpgrind"), 0o700)
		mkdir(t, filepath.Join(tmp, ".local", "share", "warpgrind"), 0o700)
		give(t, cache)
		give(t, filepath.Join(tmp, ".local"))
		for _, f := range []func() (string, error){Dir, DataDir} {
			if dir, err := f(); dir != fallback || err != nil {
				t.Errorf("got %q, %v, want %s", dir, err, fallback)
			}
		}
	})
	t.Run("home", func(t *testing.T) { // as with sudo -E
		tmp, fallback := shared(t)
		home := filepath.Join(tmp, "home")
		t.Setenv("HOME", home)
		mkdir(t, filepath.Join(home, ".cache", "warpgrind"), 0o755)
		give(t, filepath.Join(home, ".cache", "warpgrind"))
		if dir, err := Dir(); dir != fallback || err != nil {
			t.Errorf("got %q, %v, want %s", dir, err, fallback)
		}
	})
}

// TestCacheThatAllMayWrite holds that permissions are taken away where that is enough, and a
// directory refused where others may have written to it, or may replace it.
func TestCacheThatAllMayWrite(t *testing.T) {
	t.Run("fallback", func(t *testing.T) {
		_, fallback := shared(t)
		mkdir(t, fallback, 0o777)
		wantUnsafe(t, fallback)
		mkdir(t, fallback, 0o777|os.ModeSticky)
		wantUnsafe(t, fallback)
	})
	t.Run("above", func(t *testing.T) {
		tmp, _ := shared(t)
		mkdir(t, tmp, 0o777) // and not sticky
		wantUnsafe(t, tmp)
	})
	t.Run("named", func(t *testing.T) {
		tmp, _ := shared(t)
		dir := filepath.Join(tmp, "named")
		t.Setenv(DirEnv, dir)
		mkdir(t, dir, 0o777)
		wantUnsafe(t, dir)
		mkdir(t, dir, 0o775) // a team's
		if got, err := Dir(); got != dir || err != nil {
			t.Errorf("got %q, %v", got, err)
		}
	})
	t.Run("group", func(t *testing.T) {
		tmp, _ := shared(t)
		t.Setenv("HOME", tmp)
		for want, sub := range map[os.FileMode]string{0o700: ".cache/warpgrind", 0o755: ".local/share/warpgrind"} {
			dir := filepath.Join(tmp, sub)
			mkdir(t, dir, 0o775)
			f := Dir
			if want == 0o755 {
				f = DataDir
			}
			got, err := f()
			if err != nil || got != dir {
				t.Fatalf("got %q, %v, want %s", got, err, dir)
			}
			if st, err := os.Stat(dir); err != nil || st.Mode().Perm() != want {
				t.Errorf("%s: %v, %v, want %v", dir, st.Mode(), err, want)
			}
		}
	})
}

// TestShut: a tree that was made without a umask is writable for the user alone, in a directory that the user names also for the
// group. Links lead where they led.
func TestShut(t *testing.T) {
	for name, want := range map[string]os.FileMode{"": 0o755, "named": 0o775} {
		dir := t.TempDir()
		t.Setenv(DirEnv, name)
		outside := filepath.Join(dir, "outside")
		for _, d := range []string{outside, filepath.Join(dir, "tree"), filepath.Join(dir, "tree", "lib")} {
			mkdir(t, d, 0o777)
		}
		file := filepath.Join(dir, "tree", "lib", "library.so")
		if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chmod(file, 0o777), os.Symlink(outside, filepath.Join(dir, "tree", "link"))); err != nil {
			t.Fatal(err)
		}
		if err := Shut(filepath.Join(dir, "tree")); err != nil {
			t.Fatal(err)
		}
		for path, mode := range map[string]os.FileMode{file: want, filepath.Dir(file): want, filepath.Join(dir, "tree"): want, outside: 0o777} {
			if st, err := os.Stat(path); err != nil || st.Mode().Perm() != mode {
				t.Errorf("%s=%q: %s has %v, %v", DirEnv, name, path, st.Mode(), err)
			}
		}
	}
}
