package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/ptx/isa"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// geometries are the dimensions of a texture by modifier (PTX ISA, "tex").
var geometries = map[string]struct {
	dims          int
	layered, cube bool
}{
	"1d": {dims: 1}, "2d": {dims: 2}, "3d": {dims: 3}, "a1d": {dims: 1, layered: true}, "a2d": {dims: 2, layered: true},
	"cube": {dims: 2, cube: true}, "acube": {dims: 2, layered: true, cube: true},
}

// gathered are the channels that tld4 can read.
var gathered = map[string]int{"r": 0, "g": 1, "b": 2, "a": 3}

var surfaceModes = map[string]program.SurfMode{"trap": program.SurfTrap, "clamp": program.SurfClamp, "zero": program.SurfZero}

// tex lowers tex and tld4:
// tex{.level|.grad}.geom.v4.dtype.ctype d{|p}, [a, c]{, lod | , dx, dy}{, e}{, f}.
func (e *emitter) tex(in *ptx.Instr, _ *cfg.Block) error {
	t := program.NewTex(program.TexSample)
	if in.Op == "tld4" {
		t.Op = program.TexGather
		t.Component = gathered[in.Mods[0]]
	}
	types := textureTypes(in)
	if len(types) < 2 {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	t.Packed = types[0] == isa.F16x2
	t.Half = t.Packed || types[0] == isa.F16
	t.Whole = types[len(types)-1] == isa.S32
	if err := e.texel(t, in.Args[0]); err != nil {
		return err
	}
	if err := e.coordinates(t, in, in.Args[1]); err != nil {
		return err
	}
	if err := e.texOptions(t, in, in.Args[2:]); err != nil {
		return err
	}
	for i := range t.Sites {
		t.Sites[i] = e.textureSite(trace.Read, 1<<i)
	}
	e.addStep(t, t.Sites[0])
	return nil
}

// textureTypes are the types among the modifiers, in order.
func textureTypes(in *ptx.Instr) []isa.Type {
	var out []isa.Type
	for _, m := range in.Mods {
		if ty := isa.ParseType(m); ty != isa.TypeNone {
			out = append(out, ty)
		}
	}
	return out
}

// textureSite makes the site of an access to texels of size bytes.
func (e *emitter) textureSite(k trace.Kind, size int) *trace.Site {
	return e.site(trace.Site{Space: trace.SpaceGlobal, Kind: k, Size: size, Elem: size, Texture: true})
}

// texel fills in the results of a read: {a, b, c, d} with |p if asked for.
func (e *emitter) texel(t *program.Tex, o ptx.Operand) error {
	if p, ok := o.(*ptx.Pair); ok {
		r, err := e.dest(p.B)
		if err != nil {
			return err
		}
		if r != nil {
			t.Resident = r.slot
		}
		o = p.A
	}
	for i, d := range elems(o) {
		r, err := e.dest(d)
		if err != nil {
			return err
		}
		if r == nil {
			continue
		}
		if i >= len(t.Dst) || r.width != alu.W32 {
			return unsupportedf("texture result of this form is not supported")
		}
		t.Dst[i] = e.vecReg(r)
	}
	return nil
}

// coordinates fills in the geometry and the operand [a, {b,} c].
func (e *emitter) coordinates(t *program.Tex, in *ptx.Instr, o ptx.Operand) error {
	ad, ok := o.(*ptx.Address)
	if !ok || len(ad.More) == 0 {
		return unsupportedf("instruction %s without coordinates", in.Opcode())
	}
	if err := e.textureHandle(t, ad); err != nil {
		return err
	}
	if len(ad.More) > 1 {
		if err := e.separateSampler(t, ad.More[0]); err != nil {
			return err
		}
	}
	known := false
	for _, m := range in.Mods {
		if g, ok := geometries[m]; ok {
			t.Dims, t.Layered, t.Cube, known = g.dims, g.layered, g.cube, true
		}
	}
	if !known {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	list := elems(ad.More[len(ad.More)-1])
	var err error
	if t.Layered && len(list) > 0 {
		if t.Layer, err = e.vec(list[0], alu.W32); err != nil {
			return err
		}
		list = list[1:]
	}
	n := t.Dims
	if t.Cube {
		n = 3
	}
	return e.texVector(in, list, t.Coords[:n])
}

// samplerModes are the enumerators of a .samplerref's fields (PTX ISA,
// "Texture, Sampler and Surface Types").
var samplerModes = map[string]mem.AddressMode{
	"wrap": mem.AddressWrap, "mirror": mem.AddressMirror, "clamp_ogl": mem.AddressClamp,
	"clamp_to_edge": mem.AddressClamp, "clamp_to_border": mem.AddressBorder,
}

// separateSampler takes the settings of a .samplerref variable in place of the
// texture's, as in the independent texture mode. It must be named.
func (e *emitter) separateSampler(t *program.Tex, o ptx.Operand) error {
	s, ok := o.(*ptx.SymbolRef)
	if !ok {
		return unsupportedf("sampler of this form is not supported")
	}
	for _, it := range e.u.mod.Items {
		if v, ok := it.(*ptx.Variable); ok && v.Name == s.Name && v.Type == isa.SamplerRef {
			t.Sampler = samplerOf(v)
			return nil
		}
	}
	return unsupportedf("%s is not a sampler of this module", s.Name)
}

// samplerOf reads a sampler's initializer; what it leaves out is 0 or the
// first enumerator.
func samplerOf(v *ptx.Variable) *program.TexSampler {
	s := &program.TexSampler{}
	if v.Init == nil {
		return s
	}
	for _, f := range v.Init.List {
		name := ""
		if sym, ok := f.Value.(*ptx.SymbolRef); ok {
			name = sym.Name
		}
		switch f.Field {
		case "filter_mode":
			s.Linear = name == "linear"
		case "force_unnormalized_coords":
			imm, ok := f.Value.(*ptx.Imm)
			s.Unnormalized = ok && imm.Value != 0
		case "addr_mode_0", "addr_mode_1", "addr_mode_2":
			s.Address[f.Field[len(f.Field)-1]-'0'] = samplerModes[name]
		}
	}
	return s
}

// textureHandle fills in the texture or surface.
func (e *emitter) textureHandle(t *program.Tex, ad *ptx.Address) (err error) {
	if ad.Base == nil || ad.Offset != 0 {
		return unsupportedf("texture of this form is not supported")
	}
	t.Handle, err = e.vec(ad.Base, alu.W64)
	return err
}

// texVector reads the first operands of a list into slots.
func (e *emitter) texVector(in *ptx.Instr, list []ptx.Operand, slots []int32) (err error) {
	if len(list) < len(slots) {
		return unsupportedf("%s with %d coordinates", in.Opcode(), len(list))
	}
	for i := range slots {
		if slots[i], err = e.vec(list[i], alu.W32); err != nil {
			return err
		}
	}
	return nil
}

// texOptions fills in what follows the coordinates: the level or the
// derivatives, and the offset.
func (e *emitter) texOptions(t *program.Tex, in *ptx.Instr, args []ptx.Operand) (err error) {
	n := t.Dims
	if t.Cube {
		n = 3
	}
	switch {
	case in.Has("level") && len(args) > 0:
		if t.Level, err = e.vec(args[0], alu.W32); err != nil {
			return err
		}
		args = args[1:]
	case in.Has("grad") && len(args) > 1:
		if err := e.texVector(in, elems(args[0]), t.DX[:n]); err != nil {
			return err
		}
		if err := e.texVector(in, elems(args[1]), t.DY[:n]); err != nil {
			return err
		}
		args = args[2:]
	}
	if len(args) == 0 {
		return nil
	}
	if len(args) > 1 || len(elems(args[0])) < t.Dims || t.Cube {
		return unsupportedf("%s with a depth to compare is not supported", in.Opcode())
	}
	return e.texVector(in, elems(args[0]), t.Offset[:t.Dims])
}

// txq lowers the queries txq and suq.
func (e *emitter) txq(in *ptx.Instr, _ *cfg.Block) error {
	t := program.NewTex(program.TexQuery)
	ad, ok := in.Args[1].(*ptx.Address)
	if !ok {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	if err := e.textureHandle(t, ad); err != nil {
		return err
	}
	t.Query = in.Mods[0]
	var err error
	if t.Query == "level" && len(in.Args) > 2 {
		t.Query = in.Mods[1]
		if t.Level, err = e.vec(in.Args[2], alu.W32); err != nil {
			return err
		}
	}
	if err := e.texel(t, in.Args[0]); err != nil {
		return err
	}
	t.Sites[0] = e.textureSite(trace.Read, 0)
	e.addStep(t, t.Sites[0])
	return nil
}

// istypep asks what kind of object a handle stands for.
func (e *emitter) istypep(in *ptx.Instr, _ *cfg.Block) (err error) {
	t := program.NewTex(program.TexIsType)
	t.Query = in.Mods[0]
	if t.Handle, err = e.vec(in.Args[1], alu.W64); err != nil {
		return err
	}
	r, err := e.dest(in.Args[0])
	if err != nil || r == nil {
		return err
	}
	t.Resident = r.slot
	t.Sites[0] = e.textureSite(trace.Read, 0)
	e.addStep(t, t.Sites[0])
	return nil
}

// surface lowers suld, sust and sured.
func (e *emitter) surface(in *ptx.Instr, _ *cfg.Block) error {
	t := program.NewTex(program.SurfStore)
	t.Formatted = in.Mods[0] == "p"
	ops := map[string]program.TexOp{"suld": program.SurfLoad, "sust": program.SurfStore, "sured": program.SurfReduce}
	t.Op = ops[in.Op]
	where := in.Args[0]
	if t.Op == program.SurfLoad {
		where = in.Args[1]
	}
	if t.Formatted && t.Op == program.SurfLoad {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	if t.Formatted && t.Op == program.SurfStore {
		t.Op = program.SurfFormatted
	}
	if err := e.coordinates(t, in, where); err != nil {
		return err
	}
	for _, m := range in.Mods {
		if mode, ok := surfaceModes[m]; ok {
			t.Mode = mode
		}
	}
	if err := e.surfaceData(t, in); err != nil {
		return err
	}
	e.addStep(t, t.Sites[0])
	return nil
}

// surfaceData fills in the registers of a surface instruction.
func (e *emitter) surfaceData(t *program.Tex, in *ptx.Instr) (err error) {
	a := parseAccess(in)
	a.space = trace.SpaceGlobal
	kinds := map[program.TexOp]trace.Kind{program.SurfLoad: trace.Read, program.SurfReduce: trace.Atomic}
	kind, ok := kinds[t.Op]
	if !ok {
		kind = trace.Write
	}
	if t.Op == program.SurfFormatted {
		for i := range t.Sites {
			t.Sites[i] = e.textureSite(kind, 1<<i)
		}
	}
	if t.Mem, err = e.memory(in, a, kind); err != nil {
		return err
	}
	t.Mem.Site.Texture = true
	if t.Sites[0] == nil {
		t.Sites[0] = t.Mem.Site
	}
	switch t.Op {
	case program.SurfLoad:
		return e.surfaceResults(t, in)
	case program.SurfReduce:
		return e.surfaceReduction(t, in, a.typ)
	}
	srcs := elems(in.Args[1])
	if len(srcs) != t.Mem.Count {
		return unsupportedf("%s with %d registers", in.Opcode(), len(srcs))
	}
	for i, s := range srcs {
		if t.Mem.Regs[i], err = e.vec(s, t.Mem.Width); err != nil {
			return err
		}
	}
	return nil
}

func (e *emitter) surfaceResults(t *program.Tex, in *ptx.Instr) error {
	dsts := elems(in.Args[0])
	if len(dsts) != t.Mem.Count {
		return unsupportedf("%s with %d registers", in.Opcode(), len(dsts))
	}
	for i, d := range dsts {
		r, err := e.dest(d)
		if err != nil {
			return err
		}
		if r != nil {
			t.Mem.Regs[i], t.Mem.Width = e.vecReg(r), r.width
		}
	}
	return nil
}

// surfaceReduction finds the operation of a sured. Whether bits are signed
// numbers is a property of the surface.
func (e *emitter) surfaceReduction(t *program.Tex, in *ptx.Instr, typ isa.Type) (err error) {
	op, ok := atomicOp(in)
	if !ok {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	name := typ.String()
	if name[0] == 'b' && op != "and" && op != "or" {
		t.SignedFn = program.AtomicFunc(op, signedType(op, name))
		name = "u" + name[1:]
	}
	if t.Mem.Fn = program.AtomicFunc(op, name); t.Mem.Fn == nil {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	t.Mem.B, err = e.vec(in.Args[1], t.Mem.Width)
	return err
}

// signedType is the type that op has on signed numbers of b32 or b64: there is
// no add.s64, which is the same as add.u64.
func signedType(op, bits string) string {
	if op == "add" && bits == "b64" {
		return "u64"
	}
	return "s" + bits[1:]
}
