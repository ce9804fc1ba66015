package texture

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/alu"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// surface loads, stores or reduces for lanes m of one surface (PTX ISA,
// "Surface Instructions").
func (u *Unit) surface(op *program.Tex, tex *mem.Texture, m uint32) bool {
	size := uint64(op.Mem.Elem * op.Mem.Count)
	if op.Formatted {
		size = tex.Format.Bytes()
	}
	inside, ok := u.surfaceAddresses(op, tex, m, size)
	if !ok || inside == 0 {
		return ok
	}
	u.warp.Count(op.Mem.Site, trace.SpaceGlobal)
	addr, s := &u.addr, &u.span
	s.Measure(addr, inside)
	switch op.Op {
	case program.SurfLoad:
		u.did.Reads++
		u.warp.Touch(&op.Mem, inside, addr, nil)
		u.regs.LoadLanes(&op.Mem, nil, inside, addr, s)
	case program.SurfStore:
		u.did.Progress++
		u.warp.Touch(&op.Mem, inside, addr, nil)
		u.regs.StoreLanes(&op.Mem, nil, inside, addr, s)
	case program.SurfReduce:
		u.did.Reads++
		m := op.Mem
		if op.SignedFn != nil && tex.Format.Kind == mem.TexelSigned {
			m.Fn = op.SignedFn
		}
		return u.warp.AtomicIn(&m, trace.SpaceGlobal, inside, addr, s)
	default:
		u.did.Progress++
		u.storeFormatted(op, tex, inside, addr)
	}
	return true
}

// surfaceAddresses computes into u.addr where lanes m access a surface, and
// returns those of them that access memory; ok is false after a fault.
func (u *Unit) surfaceAddresses(op *program.Tex, tex *mem.Texture, m uint32, size uint64) (inside uint32, ok bool) {
	var bad, odd uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		a, in := u.surfaceAddress(op, tex, l, size)
		switch {
		case !op.Formatted && uint64(u.regs.V32(op.Coords[0])[l])%size != 0:
			odd |= 1 << l
		case in:
			u.addr[l] = a
			inside |= 1 << l
		case op.Mode == program.SurfTrap:
			bad |= 1 << l
		default:
			u.zeroSurface(op, l)
		}
	}
	switch {
	case odd != 0:
		return 0, u.misalignedSurface(op, odd, size)
	case bad != 0:
		return 0, u.beyondSurface(op, tex, bad, size)
	}
	return inside, true
}

// surfaceAddress is the address that lane l accesses; ok is false beyond the
// surface where the mode is not to clamp.
func (u *Unit) surfaceAddress(op *program.Tex, tex *mem.Texture, l int, size uint64) (addr uint64, ok bool) {
	lv := &tex.Levels[0]
	texel := int64(tex.Format.Bytes())
	ok = true
	// within keeps a coordinate in range or notes that it is not.
	within := func(slot int32, most, step int64) uint64 {
		if slot == program.NoSlot {
			return 0
		}
		v := int64(int32(u.regs.V32(slot)[l]))
		if v >= 0 && v <= most {
			return uint64(v)
		}
		ok = ok && op.Mode == program.SurfClamp
		return uint64(max(min(max(v, 0), most/step*step), 0))
	}
	row := int64(lv.Width) * texel
	var x uint64
	if op.Formatted {
		x = within(op.Coords[0], int64(lv.Width)-1, 1) * uint64(texel)
	} else {
		x = within(op.Coords[0], row-int64(size), int64(max(size, 1)))
		ok = ok && row >= int64(size)
	}
	addr = lv.Base + x + within(op.Coords[1], int64(max(lv.Height, 1))-1, 1)*lv.Pitch
	if op.Layered {
		return addr + within(op.Layer, int64(max(tex.Layers, 1))-1, 1)*lv.Slice, ok
	}
	return addr + within(op.Coords[2], int64(max(lv.Depth, 1))-1, 1)*lv.Slice, ok
}

// zeroSurface is an access beyond a surface with .zero: a load gives 0, a
// store does nothing.
func (u *Unit) zeroSurface(op *program.Tex, l int) {
	if op.Op != program.SurfLoad {
		return
	}
	for _, slot := range op.Mem.Regs {
		u.regs.SetLane(slot, op.Mem.Width, l, 0)
	}
}

// beyondSurface records that lanes m access what is beyond a surface in the
// mode .trap.
func (u *Unit) beyondSurface(op *program.Tex, tex *mem.Texture, m uint32, size uint64) bool {
	site := op.Sites[0]
	f := u.warp.Fault(trace.FaultOutOfBounds, trace.CauseOutside, site, m, "")
	f.Space, f.Access, f.Size = trace.SpaceGlobal, site.Kind, int(size)
	unit := "in bytes"
	if op.Formatted {
		unit = "in texels"
	}
	f.Message = fmt.Sprintf("surface %s of %d bytes at %s is out of bounds: x is %s", site.Kind, size, u.coordinates(op, f.Lane), unit)
	f.Notes = append(f.Notes, fmt.Sprintf("%s has %s", tex.Name, surfaceExtent(tex)))
	if tex.Alloc != nil && tex.Alloc.Where != "" {
		f.Notes = append(f.Notes, "its CUDA array comes from "+tex.Alloc.Where)
	}
	return false
}

// misalignedSurface records that lanes m access a surface at an x that is no
// multiple of the access's size. Rows themselves are aligned on a device, but
// not here.
func (u *Unit) misalignedSurface(op *program.Tex, m uint32, size uint64) bool {
	site := op.Sites[0]
	f := u.warp.Fault(trace.FaultMisaligned, trace.CauseMisaligned, site, m, "")
	f.Space, f.Access, f.Size = trace.SpaceGlobal, site.Kind, int(size)
	f.Message = fmt.Sprintf("misaligned surface %s of %d bytes at %s: x is in bytes and must be a multiple of %d", site.Kind, size, u.coordinates(op, f.Lane), size)
	return false
}

// coordinates lists those of lane l: "(x 4, y 2, layer 1)".
func (u *Unit) coordinates(op *program.Tex, l int) string {
	text := ""
	add := func(name string, slot int32) {
		if slot != program.NoSlot {
			text += fmt.Sprintf(", %s %d", name, int32(u.regs.V32(slot)[l]))
		}
	}
	for d, name := range []string{"x", "y", "z"} {
		add(name, op.Coords[d])
	}
	if op.Layered {
		add("layer", op.Layer)
	}
	return "(" + text[2:] + ")"
}

func surfaceExtent(t *mem.Texture) string {
	l := &t.Levels[0]
	text := fmt.Sprintf("%d", l.Width)
	if l.Height > 0 {
		text += fmt.Sprintf(" x %d", l.Height)
	}
	if l.Depth > 0 {
		text += fmt.Sprintf(" x %d", l.Depth)
	}
	text += fmt.Sprintf(" elements of %d bytes", t.Format.Bytes())
	if t.Layers > 0 {
		text += fmt.Sprintf(" in each of %d layers", t.Layers)
	}
	return text
}

// storeFormatted does sust.p: each source becomes a channel of the texel.
func (u *Unit) storeFormatted(op *program.Tex, tex *mem.Texture, m uint32, addr *vec.Row64) {
	f := tex.Format
	d := formatted{regs: u.regs, op: op, format: f}
	u.warp.Touch(&program.Mem{Site: texSite(op, tex)}, m, addr, &d)
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		for c := range f.Channels {
			vec.WriteElem(vec.DevicePointer(addr[l]+uint64(c*f.Bits/8)), f.Bits/8, d.Value(l, c))
		}
		u.warp.Wrote(addr[l], l, f.Channels*f.Bits/8)
	}
}

// formatted gives the channels that a sust.p writes.
type formatted struct {
	regs   *vec.Registers
	op     *program.Tex
	format mem.TexelFormat
}

// Value implements trace.Data.
func (d *formatted) Value(lane, c int) uint64 {
	slot := d.op.Mem.Regs[min(c, 3)]
	if slot == program.NoSlot {
		return 0
	}
	return encodeTexel(d.format, uint32(d.regs.LaneValue(slot, alu.W32, lane)))
}
