// Package watch tells every access to single places of memory.
package watch

import (
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/warpgrind/warpgrind/internal/buffers"
	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Place is a place to watch: a byte address, or element Index of a variable or
// buffer by name.
type Place struct {
	Text  string
	Addr  uint64 // 0 for a name
	Name  string
	Index uint64
}

var named = regexp.MustCompile(`^(\w[\w:$.]*)(?:\[(\d+)\])?$`)

// Parse reads "NAME[i]", "NAME" for its first element, or an address.
func Parse(s string) (Place, error) {
	if v, err := strconv.ParseUint(s, 0, 64); err == nil {
		if v == 0 {
			return Place{}, fmt.Errorf("--watch %s: the null pointer is not a location", s)
		}
		return Place{Text: s, Addr: v}, nil
	}
	m := named.FindStringSubmatch(s)
	if m == nil {
		return Place{}, fmt.Errorf("--watch %q: want NAME[i] or an address", s)
	}
	p := Place{Text: s, Name: m[1]}
	if m[2] != "" {
		var err error
		if p.Index, err = strconv.ParseUint(m[2], 10, 48); err != nil {
			return Place{}, fmt.Errorf("--watch %q: %w", s, err)
		}
	}
	return p, nil
}

// Listener writes a line for each access of each thread to the places.
type Listener struct {
	W      io.Writer
	Arena  *mem.Arena
	Places []Place
	mu     sync.Mutex
	met    []bool
}

// Observer observes the launches of a run.
func (l *Listener) Observer() *trace.Observer {
	return &trace.Observer{Launch: func(t *trace.Launch) []*trace.LaunchObserver {
		o := &observer{l: l, launch: t}
		for i, p := range l.Places {
			o.resolve(i, p)
		}
		return []*trace.LaunchObserver{{Block: o.newBlock, MarksWritten: true}}
	}}
}

// Unmet are the places that no launch had.
func (l *Listener) Unmet() []Place {
	var out []Place
	for i, p := range l.Places {
		if l.met == nil || !l.met[i] {
			out = append(out, p)
		}
	}
	return out
}

// target is a place in one launch: element index of what begins at base, or
// with exact the byte at base.
type target struct {
	place       *Place
	space       trace.Space
	base, index uint64
	exact       bool
}

type observer struct {
	l       *Listener
	launch  *trace.Launch
	targets []target
}

func (o *observer) add(i int, t target) {
	t.place = &o.l.Places[i]
	o.targets = append(o.targets, t)
	if o.l.met == nil {
		o.l.met = make([]bool, len(o.l.Places))
	}
	o.l.met[i] = true
}

// resolve finds what place i means in the launch.
func (o *observer) resolve(i int, p Place) {
	if p.Name == "" {
		space, addr := trace.SpaceGlobal, p.Addr
		if off := addr - mem.SharedWindow; off < mem.SharedWindowSize {
			space, addr = trace.SpaceShared, off
		}
		o.add(i, target{space: space, base: addr, exact: true})
		return
	}
	for _, v := range o.launch.Shared {
		if check.VariableName(v.Name) == p.Name || v.Name == p.Name {
			o.add(i, target{space: trace.SpaceShared, base: v.Addr, index: p.Index})
		}
	}
	for _, al := range o.l.Arena.Live() {
		if al.Name == p.Name || buffers.Name(al) == p.Name {
			o.add(i, target{space: trace.SpaceGlobal, base: al.Base, index: p.Index})
		}
	}
}

// newBlock makes the observer of a slot.
func (o *observer) newBlock() *trace.BlockObserver {
	b := &block{o: o}
	out := &trace.BlockObserver{Begin: b.Begin}
	for _, t := range o.targets {
		if t.space == trace.SpaceShared {
			out.Shared = b.Access
		} else {
			out.Global, out.Const = b.Access, b.Access
		}
	}
	return out
}

type block struct {
	o *observer
	b *trace.Block
}

// Begin is for trace.BlockObserver.
func (b *block) Begin(x *trace.Block) { b.b = x }

// Access is for trace.BlockObserver.
func (b *block) Access(a *trace.Access) {
	for i := range b.o.targets {
		t := &b.o.targets[i]
		if shared := a.Space == trace.SpaceShared; shared != (t.space == trace.SpaceShared) || a.Space == trace.SpaceLocal {
			continue
		}
		for lane := range 32 {
			if a.Mask>>lane&1 != 0 {
				b.check(t, a, lane)
			}
		}
	}
}

// check writes a line if a lane's access covers the place.
func (b *block) check(t *target, a *trace.Access, lane int) {
	elem := uint64(max(a.Site.Elem, 1))
	at := t.base
	if !t.exact {
		at += t.index * elem
	}
	from := a.Addr[lane]
	if at-from >= uint64(a.Site.Size) {
		return
	}
	n := (at - from) / elem
	b.write(t, a, lane, from+n*elem, int(n))
}

// write reports lane's access to element n of those that the site accesses.
func (b *block) write(t *target, a *trace.Access, lane int, addr uint64, n int) {
	s := a.Site
	text := format(s)
	old := text(b.memory(a, addr, s.Elem))
	var what string
	switch {
	case a.Async == trace.AsyncIssue && s.Kind.Writes():
		what = "begins an asynchronous write, holds " + old
	case a.Async != trace.Sync && s.Kind.Writes():
		what = "asynchronous write takes effect, held " + old
	case s.Kind == trace.Read:
		what = "reads " + old
	case a.Data == nil:
		what = s.Kind.String() + ", held " + old
	case s.Kind == trace.Atomic:
		what = fmt.Sprintf("atomic with %s, held %s", text(a.Data.Value(lane, n)), old)
	default:
		what = fmt.Sprintf("writes %s, held %s", text(a.Data.Value(lane, n)), old)
	}
	thread := check.Thread(b.b.Launch, b.b.Index, a.Warp, lane)
	at := "unknown line"
	if s.Loc.IsValid() {
		at = fmt.Sprintf("%s:%d", s.Loc.File, s.Loc.Line)
	}
	line := fmt.Sprintf("watch %s: %s: %v %s (%s, launch %d)\n", t.place.Text, at, thread, what,
		finding.Demangle(b.b.Launch.Kernel), b.b.Launch.ID)
	b.o.l.mu.Lock()
	defer b.o.l.mu.Unlock()
	io.WriteString(b.o.l.W, line)
}

// memory is the element at addr before the access.
func (b *block) memory(a *trace.Access, addr uint64, n int) uint64 {
	var data []byte
	switch {
	case a.Space == trace.SpaceShared && addr+uint64(n) <= uint64(len(b.b.Shared)):
		data = b.b.Shared[addr : addr+uint64(n)]
	case a.Space != trace.SpaceShared && b.o.l.Arena.Contains(addr, uint64(n)):
		data = b.o.l.Arena.Bytes(addr, uint64(n))
	}
	var v uint64
	for i := min(len(data), 8) - 1; i >= 0; i-- {
		v = v<<8 | uint64(data[i])
	}
	return v
}

// format chooses how the values of a site are written, by its PTX type.
func format(s *trace.Site) func(uint64) string {
	words := strings.FieldsFunc(s.PTX, func(r rune) bool { return r == '.' || r == ' ' || r == '\t' })
	for _, w := range words {
		switch w {
		case "f32":
			return func(v uint64) string {
				return strconv.FormatFloat(float64(math.Float32frombits(uint32(v))), 'g', -1, 32)
			}
		case "f64":
			return func(v uint64) string { return strconv.FormatFloat(math.Float64frombits(v), 'g', -1, 64) }
		}
	}
	shift := max(0, 64-8*s.Elem)
	return func(v uint64) string {
		n := int64(v<<shift) >> shift
		if -10 < n && n < 10 {
			return strconv.FormatInt(n, 10)
		}
		return fmt.Sprintf("%d (0x%x)", n, v<<shift>>shift)
	}
}
