// Package instrument rewrites CUDA sources so that they find defects
// themselves, on a GPU or under warpgrind: the systems of Boyer, GRace and
// GPUDrano as source code.
//
// Clang's syntax tree says where the accesses of device code are, to the byte.
// Each is wrapped in a hook, barriers and kernels likewise; all else stays as
// it is, in its line. The hooks and the papers' algorithms are in device/.
package instrument

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
)

// Reader reads the source as the compiler does. Texts in replaced, by absolute
// path, are read instead of files.
type Reader interface {
	// Files are the source and the project's headers.
	Files(ctx context.Context) ([]string, error)
	// Includes are the folders of -I.
	Includes() []string
	// Standard is the year of the language standard, 0 for the default.
	Standard() int
	Preprocess(ctx context.Context, replaced map[string][]byte, device bool) ([]byte, error)
	Tree(ctx context.Context, replaced map[string][]byte, use func(io.Reader) error) error
}

// Options say what to do.
type Options struct {
	// Output is the file to write, which the copies of headers lie beside.
	Output string
	Scheme string
	// Threads bounds the threads of a block, 0 means 1024. Shared is the shared
	// memory of a block in bytes, 0 what the launch says. Banks is 16 or 32.
	Threads, Shared, Banks int
	// Table is where tables are that are small: "shared", "device", or "" for
	// shared if there is room.
	Table string
	// PoolMB is the device memory for tables.
	PoolMB int
	// WAW is set if write-after-write hazards are reported too.
	WAW bool
	// Static holds the facts about sites without running, nil for nothing.
	Static *Static
	// Version is written into reports.
	Version string
}

// File is a file to write.
type File struct {
	Path string
	Text []byte
	// Of is the file that it is a copy of; "" for our own.
	Of string
}

// Result is an instrumented program.
type Result struct {
	// Files are the source, the headers' copies and our own files.
	Files []File
	Sites []Site
	// Messages are lines about what is not watched, and what was decided.
	Messages []string
}

// Run instruments a program. Errors in the source are the reader's.
func Run(ctx context.Context, r Reader, o Options) (*Result, error) {
	scheme, err := schemeNamed(o.Scheme)
	if err != nil {
		return nil, err
	}
	if err := o.complete(); err != nil {
		return nil, err
	}
	names, err := r.Files(ctx)
	if err != nil {
		return nil, err
	}
	p, err := openProject(names)
	if err != nil {
		return nil, err
	}
	j := &job{Options: o, scheme: scheme, project: p, reader: r}
	if err := j.look(ctx); err != nil {
		return nil, err
	}
	return j.write(), nil
}

func (o *Options) complete() error {
	for _, d := range []struct {
		n       *int
		usually int
	}{{&o.Threads, 1024}, {&o.Banks, 32}, {&o.PoolMB, 64}} {
		if *d.n == 0 {
			*d.n = d.usually
		}
	}
	switch {
	case o.Banks != 16 && o.Banks != 32:
		return fmt.Errorf("banks %d: want 16 or 32", o.Banks)
	case o.Threads < 1 || o.Threads > 1024:
		return fmt.Errorf("block size %d: want 1 to 1024", o.Threads)
	case o.Shared < 0:
		return fmt.Errorf("shared memory of %d bytes", o.Shared)
	case o.PoolMB < 1 || o.PoolMB > 2047:
		return fmt.Errorf("pool of %d MB: want 1 to 2047", o.PoolMB)
	case !slices.Contains([]string{"", "shared", "device"}, o.Table):
		return fmt.Errorf("table in %q: want shared or device", o.Table)
	}
	return nil
}

// job is a program being instrumented.
type job struct {
	Options
	scheme   Scheme
	project  *project
	reader   Reader
	found    *found
	accesses []*access
	kernels  []*kernel
	messages []string
	// most is the shared memory of a block at most, as far as it is known; asks
	// states that the program asks for more than every GPU gives.
	most int
	asks bool
}

// look finds out what to instrument. Macros that hide accesses are expanded.
func (j *job) look(ctx context.Context) error {
	decls, err := j.tree(ctx)
	if err != nil {
		return err
	}
	watch := shared
	if j.scheme.global {
		watch = global
	}
	constant := j.reader.Standard() == 0 || j.reader.Standard() >= 14
	j.found = find(j.project, decls, watch, constant)
	if len(j.found.macros) > 0 {
		refused, err := j.project.expand(ctx, j.reader, j.found.macros)
		if err != nil {
			return err
		}
		j.messages = append(j.messages, refused...)
		if decls, err = j.tree(ctx); err != nil {
			return err
		}
		j.found = find(j.project, decls, watch, constant)
	}
	for m := range j.found.unwatched {
		j.messages = append(j.messages, m)
	}
	j.decide()
	j.kernels = j.found.sortedKernels()
	j.most = sharedMemory(decls)
	j.asks = j.project.mentions("MaxDynamicSharedMemorySize") || j.project.mentions("MAX_DYNAMIC_SHARED_SIZE_BYTES")
	slices.Sort(j.messages)
	return nil
}

func (j *job) tree(ctx context.Context) (decls []*syntax.Node, err error) {
	err = j.reader.Tree(ctx, j.project.texts(), func(r io.Reader) (err error) {
		decls, err = syntax.Read(r, func(name string) bool { return j.project.file(name) != nil })
		return err
	})
	return decls, err
}

// decide numbers the sites and omits those that are known to be safe.
func (j *job) decide() {
	for s, a := range j.found.accesses {
		if a.wrap.host() || a.kind == Barrier {
			continue
		}
		line, col := a.file.place(a.begin)
		v := j.Static.verdict(a.file.abs, line, col, a.kind)
		if v.Safe {
			delete(j.found.accesses, s)
			continue
		}
		a.flags = v.flags(a.kind)
		if len(a.loops) == 0 || a.loops[0].file != a.file || a.wrap == asRange {
			a.flags &^= oneIteration
		}
	}
	barriers, unseen := j.barriers()
	j.meet(barriers, unseen)
	j.once(barriers, unseen)
	j.spare()
	j.accesses = j.found.sorted(j.project)
}

// synchronizing are words of sources that may have barriers which are not seen.
var synchronizing = []string{"barrier", "bar.", "cub::", "cooperative_groups", "cuda::", "cg::"}

// barriers returns the functions with barriers, and whether there may be others that
// are not seen.
func (j *job) barriers() (in map[string]bool, unseen bool) {
	unseen = slices.ContainsFunc(synchronizing, j.project.mentions)
	in = map[string]bool{}
	for _, a := range j.found.accesses {
		if a.kind&Barrier != 0 {
			in[a.function] = true
			unseen = unseen || a.implicit // called without being named
		}
	}
	return in, unseen
}

// meet finds the kernels at whose ends all threads can meet.
func (j *job) meet(barriers map[string]bool, unseen bool) {
	for _, k := range j.found.kernels {
		k.meets = !k.assembly
		if !k.returns || !k.meets {
			continue
		}
		for name := range j.found.reaches(k.name) {
			unseen := unseen || name == "" // through a pointer
			k.meets = k.meets && !unseen && !barriers[name]
		}
	}
}

// once finds the accesses of kernels that are watched in one iteration of a loop that no
// barrier interrupts: whether they were is then a matter of the loop alone.
func (j *job) once(barriers map[string]bool, unseen bool) {
	for _, k := range j.found.kernels {
		called := j.found.reaches(k.name)
		quiet := !unseen && !called[""]
		for name := range called {
			quiet = quiet && (name == k.name || !barriers[name])
		}
		for _, a := range j.found.accesses {
			if quiet && a.flags&oneIteration != 0 && k.holds(a) && !j.interrupted(a.loops[0]) {
				a.flags |= unbroken
			}
		}
	}
}

// interrupted reports whether a barrier is in a loop's text.
func (j *job) interrupted(loop span) bool {
	for _, a := range j.found.accesses {
		if a.kind&Barrier != 0 && a.file == loop.file && a.begin >= loop.begin && a.end <= loop.end {
			return true
		}
	}
	return false
}

// holds reports whether an access is in a kernel's body.
func (k *kernel) holds(a *access) bool {
	return a.file == k.body.file && a.begin > k.body.begin && a.end < k.body.end
}

// spare leaves kernels alone in which nothing is watched: those without an
// access, where all that is watched is in kernels.
func (j *job) spare() {
	watched := map[*kernel]bool{}
	for _, a := range j.found.accesses {
		inKernel := a.wrap.host()
		for _, k := range j.found.kernels {
			if k.holds(a) {
				inKernel = true
				watched[k] = watched[k] || a.kind != Barrier
			}
		}
		if !inKernel {
			return
		}
	}
	for at, k := range j.found.kernels {
		if watched[k] {
			continue
		}
		delete(j.found.kernels, at)
		for s, a := range j.found.accesses {
			if k.holds(a) {
				delete(j.found.accesses, s)
			}
		}
	}
}

// write makes the files.
func (j *job) write() *Result {
	res := &Result{}
	for _, a := range j.accesses {
		if !a.wrap.host() {
			res.Sites = append(res.Sites, a.site())
		}
	}
	prefix := j.prefix()
	folder := filepath.Base(j.Output) + ".d"
	for _, f := range j.project.files {
		text := f.text
		way := folder
		if f.copied != "" {
			way, _ = filepath.Rel(filepath.Dir(f.copied), ".")
		}
		all := append(edits(f, j.accesses, j.kernels, j.found.starts), j.project.includeEdits(f, j.reader.Includes(), way)...)
		for i := range all {
			all[i].text = rename(all[i].text, prefix)
		}
		text = apply(text, all)
		if f.copied == "" {
			res.Files = append(res.Files, File{j.Output, j.source(f, text, folder), f.name})
		} else {
			lined := fmt.Appendf(nil, "#line 1 %s\n%s", quote(f.name), text)
			res.Files = append(res.Files, File{filepath.Join(j.Output+".d", f.copied), lined, f.name})
		}
	}
	table := j.sharedTable()
	own := func(name, text string) {
		res.Files = append(res.Files, File{Path: filepath.Join(j.Output+".d", name), Text: []byte(text)})
	}
	own("warpgrind.cuh", rename(header(j.scheme, j.settings(table, len(res.Sites))), prefix))
	own("warpgrind_sites.inc", j.siteTable(res.Sites, prefix))
	res.Messages = j.messages
	return res
}

// source is the instrumented source with what comes before and after it.
func (j *job) source(f *file, text []byte, folder string) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "// %s, instrumented for %s by warpgrind instrument.\n", filepath.Base(f.name), j.Scheme)
	fmt.Fprintf(&out, "#include %s\n#line 1 %s\n", quote(folder+"/warpgrind.cuh"), quote(f.name))
	out.Write(text)
	if n := len(text); n > 0 && text[n-1] != '\n' {
		out.WriteByte('\n')
	}
	fmt.Fprintf(&out, "#include %s\n", quote(folder+"/warpgrind_sites.inc"))
	return []byte(out.String())
}
