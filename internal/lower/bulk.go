package lower

import (
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/tensormap"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// newBulk is an operation without operands.
func newBulk() *program.Bulk {
	none := program.Mem{Base: program.NoSlot}
	return &program.Bulk{Shared: none, Peer: none, Barrier: none, Map: none, Size: program.NoSlot, Mask: program.NoSlot, Bytes: program.NoSlot}
}

// bulk lowers cp.async.bulk and cp.reduce.async.bulk, with their tensor forms, which are told
// apart by their spaces: .dst.src.
func (e *emitter) bulk(in *ptx.Instr, _ *cfg.Block) error {
	e.u.prog.Clusters = true
	s, args := newBulk(), slices.Clone(in.Args)
	s.Pair = in.Has("cta_group::2")
	spaces := bulkSpaces(in)
	if len(spaces) != 2 {
		return unsupportedf("%s without its two spaces", in.Opcode())
	}
	if in.Kind() == inst.BulkReduce {
		s.Op, _ = bulkOp(in)
		s.Type = bulkType(in)
	}
	if in.Has("L2::cache_hint") {
		args = args[:len(args)-1]
	}
	if s.HasMap = strings.Contains(in.Opcode(), ".tensor"); s.HasMap {
		return e.bulkTensor(in, s, spaces, args)
	}
	return e.bulkLinear(in, s, spaces, args)
}

// bulkSpaces are the destination's and the source's space.
func bulkSpaces(in *ptx.Instr) (list []string) {
	for _, m := range in.Mods {
		if m == "global" || m == "shared" || m == "shared::cta" || m == "shared::cluster" {
			list = append(list, m)
		}
	}
	return list
}

func bulkOp(in *ptx.Instr) (string, bool) {
	for _, m := range in.Mods {
		switch m {
		case "add", "min", "max", "inc", "dec", "and", "or", "xor":
			return m, true
		}
	}
	return "", false
}

// bulkType is the type of a reduction, "" for a tensor's.
func bulkType(in *ptx.Instr) string {
	for _, m := range in.Mods {
		switch m {
		case "f16", "bf16", "b32", "u32", "s32", "b64", "u64", "s64", "f64":
			return m
		case "f32": // PTX ISA, "cp.reduce.async.bulk": subnormals are flushed, as by red
			return "ftz.f32"
		}
	}
	return ""
}

// bulkLinear lowers [dst], [src], size, and [mbar], the mask of a multicast or of bytes.
func (e *emitter) bulkLinear(in *ptx.Instr, s *program.Bulk, spaces []string, args []ptx.Operand) (err error) {
	if len(args) < 3 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(args))
	}
	if s.Size, err = e.vec(args[2], alu.W32); err != nil {
		return err
	}
	dst, src, rest := args[0], args[1], args[3:]
	switch {
	case spaces[0] == "global":
		s.ToGlobal = true
		if err = e.bulkGlobal(s, dst); err == nil {
			err = e.bulkShared(s, src, trace.Read)
		}
	case spaces[1] == "global":
		if err = e.bulkGlobal(s, src); err == nil {
			err = e.bulkShared(s, dst, trace.Write)
		}
	default:
		s.HasPeer = true
		if s.Peer, err = e.mem(dst, trace.Site{Space: trace.SpaceShared, Kind: peerKind(s)}, 16, 1); err == nil {
			err = e.bulkShared(s, src, trace.Read)
		}
	}
	if err != nil {
		return err
	}
	return e.bulkRest(in, s, rest)
}

func peerKind(s *program.Bulk) trace.Kind {
	if s.Op != "" {
		return trace.Atomic
	}
	return trace.Write
}

// bulkRest lowers what follows the addresses and the size.
func (e *emitter) bulkRest(in *ptx.Instr, s *program.Bulk, rest []ptx.Operand) (err error) {
	if !in.Has("bulk_group") {
		if len(rest) == 0 {
			return unsupportedf("%s without an mbarrier", in.Opcode())
		}
		if err := e.bulkBarrier(s, rest[0]); err != nil {
			return err
		}
		rest = rest[1:]
	}
	if strings.Contains(in.Opcode(), ".im2col") && len(rest) > 0 {
		if v, ok := rest[0].(*ptx.Vector); ok {
			if s.Offsets, err = e.slots(v.Elems); err != nil {
				return err
			}
			rest = rest[1:]
		}
	}
	for _, mask := range []struct {
		word string
		slot *int32
	}{{"multicast::cluster", &s.Mask}, {"cp_mask", &s.Bytes}} {
		if in.Has(mask.word) && len(rest) > 0 {
			if *mask.slot, err = e.vec(rest[0], alu.W32); err != nil {
				return err
			}
			rest = rest[1:]
		}
	}
	e.addStep(s, bulkSite(s))
	return nil
}

func bulkSite(s *program.Bulk) *trace.Site {
	if s.HasPeer {
		return s.Peer.Site
	}
	if s.ToGlobal {
		return s.Global[0].Site
	}
	return s.Shared.Site
}

func (e *emitter) slots(list []ptx.Operand) (slots []int32, err error) {
	for _, o := range list {
		x, err := e.vec(o, alu.W32)
		if err != nil {
			return nil, err
		}
		slots = append(slots, x)
	}
	return slots, nil
}

func (e *emitter) bulkBarrier(s *program.Bulk, o ptx.Operand) (err error) {
	s.HasBarrier = true
	s.Barrier, err = e.mem(o, trace.Site{Space: trace.SpaceShared, Kind: trace.Atomic, Order: trace.OrderRelaxed, Scope: trace.ScopeCluster}, 8, 1)
	return err
}

func (e *emitter) bulkShared(s *program.Bulk, o ptx.Operand, kind trace.Kind) (err error) {
	s.Shared, err = e.mem(o, trace.Site{Space: trace.SpaceShared, Kind: kind}, 4, 4)
	return err
}

// bulkGlobal makes the operands for each size of access: a copy is told in pieces of 16
// bytes, what is left in smaller ones; a reduction in elements.
func (e *emitter) bulkGlobal(s *program.Bulk, o ptx.Operand) error {
	site := trace.Site{Space: trace.SpaceGlobal, Kind: trace.Read}
	sizes := [][2]int{{4, 4}, {4, 1}, {1, 1}}
	if s.ToGlobal {
		site.Kind = trace.Write
	}
	if s.Op != "" {
		site.Kind, site.Order, site.Scope = trace.Atomic, trace.OrderRelaxed, trace.ScopeGPU
		sizes = [][2]int{{8, 1}, {4, 1}, {2, 1}}
	}
	for _, n := range sizes {
		m, err := e.mem(o, site, n[0], n[1])
		if err != nil {
			return err
		}
		s.Global = append(s.Global, m)
	}
	return nil
}

// bulkTensor lowers [dst], [map, {coordinates}] and [map, {coordinates}], [src].
func (e *emitter) bulkTensor(in *ptx.Instr, s *program.Bulk, spaces []string, args []ptx.Operand) (err error) {
	s.ToGlobal = spaces[0] == "global"
	tensor, shared, kind := args[1], args[0], trace.Write
	if s.ToGlobal {
		tensor, shared, kind = args[0], args[1], trace.Read
	}
	ad, ok := tensor.(*ptx.Address)
	if !ok || len(ad.More) != 1 {
		return unsupportedf("%s without coordinates", in.Opcode())
	}
	s.Gather = in.Has("tile::gather4") || in.Has("tile::scatter4")
	switch {
	case in.Has("im2col::w") || in.Has("im2col::w::128"):
		return unsupportedf("instruction %s is not supported", in.Opcode())
	case in.Has("im2col") || in.Has("im2col_no_offs"):
		s.Mode = tensormap.Im2col
	}
	if s.Coord, err = e.slots(elems(ad.More[0])); err != nil {
		return err
	}
	want := tensorRank(in)
	if s.Gather {
		want = 5
	}
	if len(s.Coord) != want {
		return unsupportedf("%s with %d coordinates", in.Opcode(), len(s.Coord))
	}
	at := &ptx.Address{Base: ad.Base, Offset: ad.Offset}
	if s.Map, err = e.mem(at, trace.Site{Space: trace.SpaceGeneric, Kind: trace.Read, TensorMap: true}, 4, 4); err != nil {
		return err
	}
	if err = e.bulkGlobal(s, &ptx.Address{}); err != nil {
		return err
	}
	if err = e.bulkShared(s, shared, kind); err != nil {
		return err
	}
	return e.bulkRest(in, s, args[2:])
}

// tensorRank is the number of dimensions that the instruction names.
func tensorRank(in *ptx.Instr) int {
	for _, m := range in.Mods {
		if d, ok := strings.CutSuffix(m, "d"); ok {
			if n, err := strconv.Atoi(d); err == nil {
				return n
			}
		}
	}
	return 0
}

func (e *emitter) bulkCommit(*ptx.Instr, *cfg.Block) error {
	e.addStep(&program.BulkGroup{Commit: true}, e.site(trace.Site{}))
	return nil
}

func (e *emitter) bulkWait(in *ptx.Instr, _ *cfg.Block) error {
	n, ok := in.Args[0].(*ptx.Imm)
	if !ok {
		return unsupportedf("%s without a constant", in.Opcode())
	}
	e.addStep(&program.BulkGroup{Read: in.Has("read"), Leave: uint32(n.Value)}, e.site(trace.Site{}))
	return nil
}

// storeAsync lowers st.async and red.async: [addr], values, [mbar].
// Without an mbarrier they are strong operations on global memory that no thread waits for.
func (e *emitter) storeAsync(in *ptx.Instr, b *cfg.Block) (err error) {
	switch in.What().Kind {
	case inst.Store:
		return e.store(in, b)
	case inst.Atomic:
		return e.atomic(in, b)
	}
	if len(in.Args) != 3 {
		return unsupportedf("%s with %d operands", in.Opcode(), len(in.Args))
	}
	e.u.prog.Clusters = true
	s := newBulk()
	a := parseAccess(in)
	list := elems(in.Args[1])
	n := int(a.typ.Size())
	s.Width = alu.W32
	if n == 8 {
		s.Width = alu.W64
	}
	if in.Kind() == inst.AtomicAsync {
		s.Op, _ = bulkOp(in)
		s.Type = a.typ.String()
	}
	for _, o := range list {
		x, err := e.vec(o, s.Width)
		if err != nil {
			return err
		}
		s.Values = append(s.Values, x)
	}
	s.HasPeer = true
	if s.Peer, err = e.mem(in.Args[0], trace.Site{Space: trace.SpaceShared, Kind: peerKind(s)}, n, len(list)); err != nil {
		return err
	}
	if err := e.bulkBarrier(s, in.Args[2]); err != nil {
		return err
	}
	e.addStep(s, s.Peer.Site)
	return nil
}

// fill lowers st.bulk [dst], size, 0.
func (e *emitter) fill(in *ptx.Instr, _ *cfg.Block) (err error) {
	if v, ok := in.Args[2].(*ptx.Imm); !ok || v.Value != 0 {
		return unsupportedf("%s of a value other than 0", in.Opcode())
	}
	s := &program.Fill{}
	if s.Size, err = e.vec(in.Args[1], alu.W64); err != nil {
		return err
	}
	space := trace.SpaceGeneric
	if in.Has("shared::cta") {
		space = trace.SpaceShared
	}
	if s.Dst, err = e.mem(in.Args[0], trace.Site{Space: space, Kind: trace.Write}, 8, 1); err != nil {
		return err
	}
	e.addStep(s, s.Dst.Site)
	return nil
}

// mapField lowers tensormap.replace [map], {index,} value.
func (e *emitter) mapField(in *ptx.Instr, _ *cfg.Block) (err error) {
	var field tensormap.Field
	found := false
	for _, m := range in.Mods {
		if f, ok := tensormap.ParseField(m); ok {
			field, found = f, true
		}
	}
	index, value := uint64(0), in.Args[len(in.Args)-1]
	if field.Indexed() && len(in.Args) == 3 {
		i, ok := in.Args[1].(*ptx.Imm)
		if found = found && ok; ok {
			index = i.Value
		}
	}
	at, size, add, ok := field.Place(int(index))
	if !found || !ok || len(in.Args) != 2+b2i(field.Indexed()) {
		return unsupportedf("instruction %s is not supported", in.Opcode())
	}
	s := &program.MapField{Add: add, Width: alu.W32}
	if in.Has("b64") {
		s.Width = alu.W64
	}
	if s.Value, err = e.vec(value, s.Width); err != nil {
		return err
	}
	ad, ok := in.Args[0].(*ptx.Address)
	if !ok {
		return unsupportedf("address of this form is not supported")
	}
	space := trace.SpaceGeneric
	if sp := bulkSpaces(in); len(sp) > 0 {
		if space = trace.SpaceShared; sp[0] == "global" {
			space = trace.SpaceGlobal
		}
	}
	place := &ptx.Address{Base: ad.Base, Offset: ad.Offset + int64(at)}
	if s.Dst, err = e.mem(place, trace.Site{Space: space, Kind: trace.Write}, size, 1); err != nil {
		return err
	}
	e.addStep(s, s.Dst.Site)
	return nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// mapCopy lowers tensormap.cp_fenceproxy [dst], [src], 128, which all lanes execute together.
func (e *emitter) mapCopy(in *ptx.Instr, _ *cfg.Block) (err error) {
	if v, ok := in.Args[2].(*ptx.Imm); !ok || v.Value != tensormap.Size {
		return unsupportedf("%s of a size other than 128 bytes", in.Opcode())
	}
	s := &program.MapCopy{}
	if s.Src, err = e.mem(in.Args[1], trace.Site{Space: trace.SpaceShared, Kind: trace.Read}, 4, 1); err != nil {
		return err
	}
	if s.Dst, err = e.mem(in.Args[0], trace.Site{Space: trace.SpaceGlobal, Kind: trace.Write, Order: trace.OrderWeak}, 4, 1); err != nil {
		return err
	}
	e.together(s.Dst.Site)
	e.addStep(s, s.Dst.Site)
	return nil
}

// mapFence lowers fence.proxy.tensormap::generic: .acquire [map], 128 and .release.
func (e *emitter) mapFence(in *ptx.Instr, _ *cfg.Block) (err error) {
	a := parseAccess(in)
	s := &program.MapFence{Site: e.site(trace.Site{Order: a.order, Scope: a.scope}), Map: program.NoSlot}
	if len(in.Args) == 2 {
		if v, ok := in.Args[1].(*ptx.Imm); !ok || v.Value != tensormap.Size {
			return unsupportedf("%s of a size other than 128 bytes", in.Opcode())
		}
		ad, ok := in.Args[0].(*ptx.Address)
		if !ok {
			return unsupportedf("address of this form is not supported")
		}
		if s.Map, err = e.vec(ad.Base, alu.W64); err != nil {
			return err
		}
		s.Offset = uint64(ad.Offset)
	}
	e.addStep(s, s.Site)
	return nil
}
