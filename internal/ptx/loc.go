package ptx

import "github.com/warpgrind/warpgrind/internal/source"

// Limits on inlined-at chains: of one location, and over the module.
const (
	maxChain      = 64
	maxChainTotal = 1 << 20
)

// locResolver turns .loc directives into source locations. It works after
// parsing, as .file and .debug_str may come last.
type locResolver struct {
	mod   *Module
	strs  *sectionData
	total int
	// places maps a place of the function at hand to the location of the
	// latest .loc that named it, from which an inlined_at continues.
	places map[LocAt]source.Location
	chains map[chainKey][]source.Pos
	fn     string
	cur    source.Location
}

// chainKey names a chain by its first call site and the rest's first element
// and length, which tell shared rests apart.
type chainKey struct {
	at   LocAt
	rest *source.Pos
}

// resolveLocs fills Instr.Loc and Raw.Loc throughout the module.
func resolveLocs(m *Module) {
	r := &locResolver{mod: m, strs: m.sectionData(".debug_str")}
	var before *Loc
	for _, it := range m.Items {
		switch it := it.(type) {
		case *Loc:
			before = it
		case *Func:
			if it.Body != nil {
				r.function(it, before)
				before = nil
			}
		}
	}
}

// function resolves a body; before is a .loc directly ahead of it, or nil.
func (r *locResolver) function(f *Func, before *Loc) {
	r.places = map[LocAt]source.Location{}
	r.chains = map[chainKey][]source.Pos{}
	r.fn, r.cur = f.Name, source.Location{Func: f.Name}
	if before != nil {
		r.set(before)
	}
	r.block(f.Body)
}

func (r *locResolver) block(b *Block) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *Loc:
			r.set(s)
		case *Instr:
			s.Loc = r.cur
		case *Raw:
			s.Loc = r.cur
		case *Block:
			r.block(s)
		}
	}
}

// set makes a .loc the one in force.
func (r *locResolver) set(l *Loc) {
	at := LocAt{l.File, l.Line, l.Col}
	r.cur = source.Location{Pos: r.pos(at), Func: r.fn}
	if l.FuncName != "" {
		r.cur.Func = r.strs.at(l.FuncName, l.FuncOffset)
	}
	if l.At != nil {
		r.cur.InlinedAt = r.chain(*l.At)
	}
	r.places[at] = r.cur
}

// chain returns the call sites outward from at: at itself, then those of the
// latest .loc that names at.
func (r *locResolver) chain(at LocAt) []source.Pos {
	rest := r.places[at].InlinedAt
	if len(rest) >= maxChain || r.total >= maxChainTotal {
		rest = nil
	}
	key := chainKey{at: at}
	if len(rest) > 0 {
		key.rest = &rest[0]
	}
	c := r.chains[key]
	if c == nil {
		c = make([]source.Pos, 0, 1+len(rest))
		c = append(append(c, r.pos(at)), rest...)
		r.chains[key] = c
		r.total += len(c)
	}
	return c
}

func (r *locResolver) pos(at LocAt) source.Pos {
	return source.Pos{File: r.mod.Files[at.File], Line: at.Line, Col: at.Col}
}
