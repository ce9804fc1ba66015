package examine

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/ssa"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// agreement compares, while programs run, every address with what the static
// analysis says of it for the launch's shape and arguments.
type agreement struct {
	mu      sync.Mutex
	modules map[string]*ptx.Module
	funcs   map[string]*ssa.Func
	wrong   []string
	// sites and exact count the sites that ran, and those whose distances between
	// lanes are all known.
	sites, exact int
	events       int
}

// siteKey names a site in the PTX.
type siteKey struct {
	fn   string
	line int
}

// Launch is for trace.Observer.
func (g *agreement) Launch(l *trace.Launch) []*trace.LaunchObserver {
	m := g.modules[l.Module]
	if m == nil || m.Func(l.Kernel) == nil {
		return nil
	}
	key := l.Module + " " + l.Kernel
	f := g.funcs[key]
	if f == nil {
		var err error
		if f, err = ssa.Build(m, m.Func(l.Kernel), ssa.Options{Verify: true}); err != nil {
			g.wrong = append(g.wrong, fmt.Sprintf("%s: %v", l.Kernel, err))
			return nil
		}
		g.funcs[key] = f
	}
	a := analysis.New(f, analysis.Env{
		Block: [3]uint32{l.Block.X, l.Block.Y, l.Block.Z}, Grid: [3]uint32{l.Grid.X, l.Grid.Y, l.Grid.Z}, PtrAlign: 1,
		Param: func(name string, off, size int) (uint64, bool) { return launchParam(f, l.Params, name, off, size) },
	})
	o := &agreeLaunch{g: g, l: l, a: a, at: map[siteKey][]*analysis.Access{}, lanes: map[lanesKey]*analysis.Lanes{}, active: map[lanesKey]uint32{}, seen: map[siteKey]bool{}}
	for _, x := range a.Accesses() {
		in := x.Value.Instr
		fn := f.Name
		if x.Value.Ctx != nil {
			fn = x.Value.Ctx.Callee
		}
		k := siteKey{fn, in.Pos.Line}
		o.at[k] = append(o.at[k], x)
	}
	return []*trace.LaunchObserver{{Block: o.newBlock}}
}

// launchParam reads a parameter from the buffer.
func launchParam(f *ssa.Func, buf []byte, name string, off, size int) (uint64, bool) {
	at := 0
	for _, p := range f.PTX.Params {
		al := p.Alignment()
		at = (at + al - 1) / al * al
		if p.Name == name && at+off+size <= len(buf) && size <= 8 {
			var b [8]byte
			copy(b[:], buf[at+off:at+off+size])
			return binary.LittleEndian.Uint64(b[:]), true
		}
		at += int(p.Size())
	}
	return 0, false
}

type lanesKey struct {
	x    *analysis.Access
	warp int
}

// agreeLaunch looks at one launch.
type agreeLaunch struct {
	g      *agreement
	l      *trace.Launch
	a      *analysis.Analysis
	at     map[siteKey][]*analysis.Access
	lanes  map[lanesKey]*analysis.Lanes
	active map[lanesKey]uint32
	seen   map[siteKey]bool
}

func (o *agreeLaunch) newBlock() *trace.BlockObserver {
	b := &agreeBlock{o: o}
	return &trace.BlockObserver{Begin: b.Begin, Shared: b.Access, Global: b.Access, Const: b.Access}
}

type agreeBlock struct {
	o *agreeLaunch
	b *trace.Block
}

func (b *agreeBlock) Begin(x *trace.Block) { b.b = x }
func (b *agreeBlock) Access(x *trace.Access) {
	o := b.o
	o.g.mu.Lock()
	defer o.g.mu.Unlock()
	k := siteKey{x.Site.Func, x.Site.PTXLine}
	list := o.at[k]
	if len(list) == 0 || x.Site.Texture || x.Async == trace.AsyncComplete || len(o.g.wrong) > 20 {
		return
	}
	o.g.events++
	var why []string
	exact := false
	for _, acc := range list {
		w, ex := o.compare(acc, x, b.b)
		exact = exact || ex
		if w == "" {
			why = nil
			break
		}
		why = append(why, w)
	}
	if !o.seen[k] {
		o.seen[k] = true
		o.g.sites++
		if exact {
			o.g.exact++
		}
	}
	if len(why) > 0 {
		o.g.wrong = append(o.g.wrong, fmt.Sprintf("%s warp %d of block %v, %s line %d (%s): %s", x.Site.Loc.Pos, x.Warp, b.b.Coord, o.l.Kernel, x.Site.PTXLine, x.Site.PTX, strings.Join(why, " | ")))
	}
}

// compare returns how an access contradicts the static facts, "" if it does not.
func (o *agreeLaunch) compare(acc *analysis.Access, x *trace.Access, b *trace.Block) (wrong string, exact bool) {
	if acc.Mem.Space == ptx.Local || acc.Value.Mem2 != nil && acc.Mem.Space == ptx.Shared != (x.Space == trace.SpaceShared) {
		return "", false
	}
	block := o.a.Env().Block
	k := lanesKey{acc, x.Warp}
	l := o.lanes[k]
	if l == nil {
		l = o.a.Lanes(acc.Addr.Expr, block, x.Warp, ^uint32(0))
		o.lanes[k] = l
		_, o.active[k] = o.a.Active(o.a.Path(acc.Block), block, x.Warp)
	}
	if x.Mask&^o.active[k] != 0 {
		return fmt.Sprintf("lanes %x run, said %x at most, if %v", x.Mask, o.active[k], o.a.Path(acc.Block).Conds), l.Exact
	}
	first := -1
	for lane := range 32 {
		if x.Mask>>lane&1 == 0 || l.Known>>lane&1 == 0 {
			continue
		}
		if first < 0 {
			first = lane
			if l.Known&1 != 0 && x.Space == trace.SpaceGlobal && acc.Addr.Object == nil {
				if base := x.Addr[lane] - uint64(l.Off[lane]); base&(l.Align-1) != l.Residue {
					return fmt.Sprintf("%s: base %x is not %d mod %d", acc.Addr.Expr, base, l.Residue, l.Align), l.Exact
				}
			}
		}
		if x.Addr[lane]-x.Addr[first] != uint64(l.Off[lane]-l.Off[first]) {
			return fmt.Sprintf("%s: lanes %d and %d are %d apart, said %d", acc.Addr.Expr, first, lane, int64(x.Addr[lane]-x.Addr[first]), l.Off[lane]-l.Off[first]), l.Exact
		}
	}
	for lane := range 32 {
		if x.Mask>>lane&1 == 0 {
			continue
		}
		if w := o.within(acc, x.Addr[lane]); w != "" {
			return w, l.Exact
		}
	}
	return "", l.Exact
}

// within checks the range of an address.
func (o *agreeLaunch) within(acc *analysis.Access, addr uint64) string {
	e := acc.Addr.Expr
	if ob := acc.Addr.Object; ob != nil {
		found := false
		for _, v := range o.l.Shared {
			if v.Name == ob.Name && ob.Space == ptx.Shared {
				addr, found = addr-v.Addr, true
			}
		}
		if e = acc.Addr.Offset; !found {
			return ""
		}
	}
	if lo, hi := e.Range(); addr < lo || addr > hi {
		return fmt.Sprintf("%s: %x is outside of [%x, %x]", e, addr, lo, hi)
	}
	return ""
}

// agree runs one program.
func agree(t *testing.T, file string) *agreement {
	t.Helper()
	g := &agreement{modules: map[string]*ptx.Module{}, funcs: map[string]*ssa.Func{}}
	s, err := session.NewSession(session.Config{Config: build.Config{Inputs: []string{file}}, RunConfig: session.RunConfig{Stdout: io.Discard, Stderr: io.Discard, Timeout: time.Minute}, CheckConfig: session.CheckConfig{Tools: "launch"}})
	if err != nil {
		t.Fatal(err)
	}
	s.Observers = append(s.Observers, &trace.Observer{Launch: g.Launch})
	s.Edit = func(m *ptx.Module) { g.modules[m.Name] = m }
	exe, remove, err := s.Executable(context.Background())
	if err != nil {
		t.Skip(err)
	}
	defer remove()
	if _, err := s.Run(context.Background(), exe); err != nil {
		t.Fatal(err)
	}
	return g
}

// TestAnalysisAgrees runs programs and compares each address with what the
// static analysis says of it. WARPGRIND_AGREE names more programs, by patterns.
func TestAnalysisAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles programs")
	}
	patterns := strings.Fields(os.Getenv("WARPGRIND_AGREE"))
	if len(patterns) == 0 {
		patterns = []string{"examples/basic/[brst]*.cu", "examples/boyer/fig2.cu"}
	}
	for _, p := range patterns {
		files, err := filepath.Glob(p)
		if err != nil || len(files) == 0 {
			t.Fatal("no files", p, err)
		}
		for _, f := range files {
			t.Run(filepath.Base(f), func(t *testing.T) {
				g := agree(t, f)
				for _, w := range g.wrong {
					t.Error(w)
				}
				t.Logf("%d accesses at %d sites, %d of them exact", g.events, g.sites, g.exact)
			})
		}
	}
}
