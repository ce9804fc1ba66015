package clang

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/warpgrind/warpgrind/internal/clang/cutext"
	"github.com/warpgrind/warpgrind/internal/nvcc"
	"github.com/warpgrind/warpgrind/internal/userfile"
)

// Reader reads a CUDA source as the compiler does, and compiles nothing.
type Reader struct {
	j *job
	// Lenient takes the tree of a source that clang rejects as it is: the compiler adapts more of it than keeps all places. What
	// clang does not understand is missing in it.
	Lenient bool
	// prepared is the file of CUDA's headers as clang has read them, "" for none.
	prepared func() string
}

// Reader returns a reader of opts' only source. Files that are needed
// meanwhile go to opts.WorkDir. Errors are as Build's.
func (tc *Toolchain) Reader(opts Options) (*Reader, error) {
	b, err := tc.newBuild(opts)
	if err != nil {
		return nil, err
	}
	if len(opts.Sources) != 1 || nvcc.LangOf(opts.Sources[0]) != nvcc.CUDA {
		return nil, &UsageError{"want one CUDA source"}
	}
	include, err := Headers()
	if err != nil {
		return nil, err
	}
	u := Unit{Source: opts.Sources[0], Lang: nvcc.CUDA, Flags: b.flags, SM: b.sm}
	r := &Reader{j: &job{tc: tc, Unit: u, include: include, dir: b.dir}}
	r.prepared = sync.OnceValue(r.prepare)
	return r, nil
}

// Files returns the source and the headers of the project that it reads, on
// the device and on the host side, by the names that the compiler has for
// them; headers of the system and of the compiler are not among them.
func (r *Reader) Files(ctx context.Context) ([]string, error) {
	var files []string
	for _, side := range []string{deviceSide, hostSide} {
		out, err := r.clang(ctx, nil, side, "-MM", "-MT", "unit", "-MF", "-", "-E", "-o", os.DevNull)
		if err != nil {
			return nil, err
		}
		deps, err := parseDepFile(string(out))
		if err != nil {
			return nil, err
		}
		files = append(files, deps...)
	}
	files = unique(append([]string{r.j.Source}, without(files, r.j.dir+"/")...))
	for _, f := range files {
		// Clang does not quote all names in its list.
		if _, err := os.Stat(f); err != nil || strings.ContainsAny(f, "\n\t\\") {
			return nil, &UsageError{fmt.Sprintf("%q, or a file that it includes, has a line end, a tab or a backslash in its name: not supported here", r.j.Source)}
		}
	}
	return files, nil
}

// The two sides of a CUDA source.
const (
	deviceSide = "--cuda-device-only"
	hostSide   = "--cuda-host-only"
)

// Preprocess returns the source after preprocessing, with line markers. Where
// replaced has a text for a file, by its absolute path, that is read instead.
func (r *Reader) Preprocess(ctx context.Context, replaced map[string][]byte, device bool) ([]byte, error) {
	side := hostSide
	if device {
		side = deviceSide
	}
	return r.clang(ctx, replaced, side, "-E", "-o", "-")
}

// Tree has clang write the syntax tree of the source's device side, as its
// -ast-dump=json does, to a reader that use gets. replaced is as in Preprocess.
func (r *Reader) Tree(ctx context.Context, replaced map[string][]byte, use func(io.Reader) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args, err := r.args(replaced, deviceSide, "-fsyntax-only", "-Xclang", "-ast-dump=json")
	if err != nil {
		return err
	}
	if file := r.prepared(); file != "" {
		args = usePrelude(args, file)
	}
	if r.Lenient {
		args = append(args, "-ferror-limit=0")
	}
	cmd := exec.CommandContext(ctx, r.j.tc.Clang, args...)
	cmd.Env, cmd.SysProcAttr = toolEnvironment(), &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 2 * time.Second
	var diag bytes.Buffer
	cmd.Stderr = &diag
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return failed(err, r.j.tc.Clang, r.j.Source, nil)
	}
	useErr := use(out)
	io.Copy(io.Discard, out)
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && (useErr != nil || !r.Lenient || !errors.As(err, &exit) || !exit.Exited()) {
		return r.refused(ctx, shortage(err, r.j.tc.Clang, args, diag.Bytes()), diag.String())
	}
	return useErr
}

// prepare has clang read CUDA's headers, which come before everything else, into
// a precompiled header. Of what is in there clang writes no tree, which would be
// a quarter of a gigabyte: where none can be kept, one is made for this source alone.
func (r *Reader) prepare() string {
	ctx := context.Background()
	store, key, options := r.j.preludeStore(append(r.j.cudaArgs(), deviceSide))
	file, known := r.j.keptPrelude(store, key)
	if !known {
		file = r.j.makePrelude(ctx, store, key, options)
	}
	if file != "" {
		return file
	}
	file = r.j.file("cuda.pch")
	if includesFile(r.j.Flags.Both) || r.j.precompile(ctx, options, file) != nil {
		return ""
	}
	return file
}

// clang runs clang on the source and returns its standard output.
func (r *Reader) clang(ctx context.Context, replaced map[string][]byte, flags ...string) ([]byte, error) {
	args, err := r.args(replaced, flags...)
	if err != nil {
		return nil, err
	}
	out, diag, err := runTool(ctx, nil, r.j.tc.Clang, args...)
	if err == nil {
		return out, nil
	}
	if with, have := r.j.withLibraries(); have && isLibraryHeader(missing(string(diag))) {
		r.j.Unit = with
		return r.clang(ctx, replaced, flags...)
	}
	return nil, r.refused(ctx, err, string(diag))
}

func (r *Reader) refused(ctx context.Context, err error, diag string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	err = refused(r.j.Source, "device", err, diag)
	var rejected *CompileError
	if errors.As(err, &rejected) {
		return rejected.explained(r.j.Flags.libraries)
	}
	return err
}

func (r *Reader) args(replaced map[string][]byte, flags ...string) ([]string, error) {
	overlay, err := r.overlay(replaced)
	if err != nil {
		return nil, err
	}
	args := append(r.j.cudaArgs(), overlay...)
	return append(append(args, flags...), r.j.Source), nil
}

// overlay returns the flags by which clang reads other texts for some files.
// The source's own is adapted as it is for compiling, which keeps its length.
func (r *Reader) overlay(replaced map[string][]byte) ([]string, error) {
	main, err := filepath.Abs(r.j.Source)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for file, text := range replaced {
		texts[file] = text
	}
	if texts[main] == nil {
		if texts[main], err = userfile.Read(main); err != nil {
			return nil, err
		}
	}
	spelled := cutext.SpellInPlace(texts[main])
	if len(replaced) == 0 && bytes.Equal(spelled, texts[main]) {
		return nil, nil
	}
	texts[main] = spelled
	dir, err := os.MkdirTemp(r.j.dir, "texts-") // both sides may be read at once
	if err != nil {
		return nil, err
	}
	var roots []any
	for file, text := range texts {
		name := filepath.Join(dir, fmt.Sprintf("text%d%s", len(roots), filepath.Ext(file)))
		if err := os.WriteFile(name, text, 0o666); err != nil {
			return nil, err
		}
		roots = append(roots, map[string]any{"name": file, "type": "file", "external-contents": name})
	}
	vfs, err := json.Marshal(map[string]any{"version": 0, "use-external-names": false, "roots": roots})
	if err != nil {
		return nil, err
	}
	yaml := filepath.Join(dir, "texts.yaml")
	return []string{"-ivfsoverlay", yaml}, os.WriteFile(yaml, vfs, 0o666)
}

// Standard returns the year of the language standard, 3 to 26 for C++03 to
// C++26, or 0 for the compiler's default.
func (r *Reader) Standard() int {
	year := 0
	for _, f := range r.j.Flags.Both {
		if std, ok := strings.CutPrefix(f, "-std="); ok {
			std = std[strings.IndexByte(std, '+')+1:]
			year = standards[strings.TrimLeft(std, "+")]
		}
	}
	return year
}

// standards are the spellings of language standards.
var standards = map[string]int{"98": 3, "03": 3, "0x": 11, "11": 11, "1y": 14, "14": 14, "1z": 17, "17": 17,
	"2a": 20, "20": 20, "2b": 23, "23": 23, "2c": 26, "26": 26}

// Includes returns the folders of -I, as written.
func (r *Reader) Includes() []string {
	var dirs []string
	for i, f := range r.j.Flags.Both {
		for _, option := range []string{"-I", "-iquote"} {
			if dir, ok := strings.CutPrefix(f, option); ok && dir != "" {
				dirs = append(dirs, strings.TrimSpace(dir))
			} else if ok && i+1 < len(r.j.Flags.Both) {
				dirs = append(dirs, r.j.Flags.Both[i+1])
			}
		}
	}
	return dirs
}
