package jit

// Vec is a vector register (zmm0 to zmm31), K a mask register.
type (
	Vec int8
	K   uint8
)

// layout is where an instruction's operands go.
type layout uint8

const (
	rvm layout = iota // reg, vvvv, rm
	rm                // reg, rm
	vmi               // vvvv, rm, immediate; the reg field extends the opcode
	mr                // rm, reg: the register is the source
)

// Inst is an instruction of the EVEX encoding.
type Inst struct {
	name  string
	pp, m byte // 1: 66, 2: F3, 3: F2; 1: 0F, 2: 0F38, 3: 0F3A
	w     bool
	op    byte
	ext   byte // opcode extension
	form  layout
	imm   bool
	// full is the bytes of the memory operand at 512 bits, el the bytes of an
	// element for broadcasts, 0 for none.
	full, el byte
	// mask tells that the result is a mask register.
	mask bool
}

func def(name string, pp, m byte, w bool, op byte, form layout, el byte) Inst {
	return Inst{name: name, pp: pp, m: m, w: w, op: op, form: form, full: 64, el: el}
}

func (i Inst) sized(full, el byte) Inst { i.full, i.el = full, el; return i }
func (i Inst) withImm() Inst            { i.imm = true; return i }
func (i Inst) toMask() Inst             { i.mask = true; return i }
func (i Inst) extended(e byte) Inst     { i.ext, i.form, i.imm = e, vmi, true; return i }

// insts lists them for the test.
var insts []*Inst

func reg(i Inst) *Inst {
	insts = append(insts, &i)
	return &i
}

// d3 and q3 are integer instructions on 32- and 64-bit elements.
func d3(name string, m, op byte) *Inst { return reg(def(name, 1, m, false, op, rvm, 4)) }
func q3(name string, m, op byte) *Inst { return reg(def(name, 1, m, true, op, rvm, 8)) }
func d2(name string, m, op byte) *Inst { return reg(def(name, 1, m, false, op, rm, 4)) }
func q2(name string, m, op byte) *Inst { return reg(def(name, 1, m, true, op, rm, 8)) }

// Vector instructions, by their names in the manual.
var (
	VPADDD, VPADDQ   = d3("vpaddd", 1, 0xfe), q3("vpaddq", 1, 0xd4)
	VPSUBD, VPSUBQ   = d3("vpsubd", 1, 0xfa), q3("vpsubq", 1, 0xfb)
	VPMULLD, VPMULLQ = d3("vpmulld", 2, 0x40), q3("vpmullq", 2, 0x40)
	VPMULUDQ         = q3("vpmuludq", 1, 0xf4)
	VPMULDQ          = q3("vpmuldq", 2, 0x28)
	VPMINSD, VPMINSQ = d3("vpminsd", 2, 0x39), q3("vpminsq", 2, 0x39)
	VPMINUD, VPMINUQ = d3("vpminud", 2, 0x3b), q3("vpminuq", 2, 0x3b)
	VPMAXSD, VPMAXSQ = d3("vpmaxsd", 2, 0x3d), q3("vpmaxsq", 2, 0x3d)
	VPMAXUD, VPMAXUQ = d3("vpmaxud", 2, 0x3f), q3("vpmaxuq", 2, 0x3f)
	VPABSD, VPABSQ   = d2("vpabsd", 2, 0x1e), q2("vpabsq", 2, 0x1f)
	VPANDD, VPANDQ   = d3("vpandd", 1, 0xdb), q3("vpandq", 1, 0xdb)
	VPANDND          = d3("vpandnd", 1, 0xdf)
	VPORD, VPORQ     = d3("vpord", 1, 0xeb), q3("vporq", 1, 0xeb)
	VPXORD, VPXORQ   = d3("vpxord", 1, 0xef), q3("vpxorq", 1, 0xef)
	VPSLLVD, VPSLLVQ = d3("vpsllvd", 2, 0x47), q3("vpsllvq", 2, 0x47)
	VPSRLVD, VPSRLVQ = d3("vpsrlvd", 2, 0x45), q3("vpsrlvq", 2, 0x45)
	VPSRAVD, VPSRAVQ = d3("vpsravd", 2, 0x46), q3("vpsravq", 2, 0x46)
	VPSLLD           = reg(def("vpslld", 1, 1, false, 0x72, vmi, 4).extended(6))
	VPSRLD           = reg(def("vpsrld", 1, 1, false, 0x72, vmi, 4).extended(2))
	VPSRAD           = reg(def("vpsrad", 1, 1, false, 0x72, vmi, 4).extended(4))
	VPSLLQ           = reg(def("vpsllq", 1, 1, true, 0x73, vmi, 8).extended(6))
	VPSRLQ           = reg(def("vpsrlq", 1, 1, true, 0x73, vmi, 8).extended(2))
	VPSRAQ           = reg(def("vpsraq", 1, 1, true, 0x72, vmi, 8).extended(4))
	VPLZCNTD         = d2("vplzcntd", 2, 0x44)
	VPLZCNTQ         = q2("vplzcntq", 2, 0x44)
	VALIGND          = reg(def("valignd", 1, 3, false, 0x03, rvm, 4).withImm())
	VPBLENDMD        = d3("vpblendmd", 2, 0x64)
	VPBLENDMQ        = q3("vpblendmq", 2, 0x64)

	VMOVDQU32    = reg(def("vmovdqu32", 2, 1, false, 0x6f, rm, 0))
	VMOVDQU64    = reg(def("vmovdqu64", 2, 1, true, 0x6f, rm, 0))
	VMOVDQU32s   = reg(def("vmovdqu32", 2, 1, false, 0x7f, mr, 0))
	VMOVDQU64s   = reg(def("vmovdqu64", 2, 1, true, 0x7f, mr, 0))
	VPBROADCASTD = reg(def("vpbroadcastd", 1, 2, false, 0x58, rm, 0).sized(4, 0))
	VPBROADCASTQ = reg(def("vpbroadcastq", 1, 2, true, 0x59, rm, 0).sized(8, 0))
	// The same from general registers.
	VPERMI2D      = d3("vpermi2d", 2, 0x76)
	VPBROADCASTDr = reg(def("vpbroadcastd", 1, 2, false, 0x7c, rm, 0))
	VPBROADCASTQr = reg(def("vpbroadcastq", 1, 2, true, 0x7c, rm, 0))
	VPMOVZXDQ     = reg(def("vpmovzxdq", 1, 2, false, 0x35, rm, 0).sized(32, 0))
	VPMOVSXDQ     = reg(def("vpmovsxdq", 1, 2, false, 0x25, rm, 0).sized(32, 0))
	VPMOVZXBD     = reg(def("vpmovzxbd", 1, 2, false, 0x31, rm, 0).sized(16, 0))
	VPMOVSXBD     = reg(def("vpmovsxbd", 1, 2, false, 0x21, rm, 0).sized(16, 0))
	VPMOVZXWD     = reg(def("vpmovzxwd", 1, 2, false, 0x33, rm, 0).sized(32, 0))
	VPMOVSXWD     = reg(def("vpmovsxwd", 1, 2, false, 0x23, rm, 0).sized(32, 0))
	VPMOVQD       = reg(def("vpmovqd", 2, 2, false, 0x35, mr, 0).sized(32, 0))
	VPMOVDB       = reg(def("vpmovdb", 2, 2, false, 0x31, mr, 0).sized(16, 0))
	VPMOVDW       = reg(def("vpmovdw", 2, 2, false, 0x33, mr, 0).sized(32, 0))
	VINSERTI64X4  = reg(def("vinserti64x4", 1, 3, true, 0x3a, rvm, 0).withImm().sized(32, 0))
	VEXTRACTI64X4 = reg(def("vextracti64x4", 1, 3, true, 0x3b, mr, 0).withImm().sized(32, 0))

	VADDPS, VADDPD = reg(def("vaddps", 0, 1, false, 0x58, rvm, 4)), q3("vaddpd", 1, 0x58)
	VSUBPS, VSUBPD = reg(def("vsubps", 0, 1, false, 0x5c, rvm, 4)), q3("vsubpd", 1, 0x5c)
	VMULPS, VMULPD = reg(def("vmulps", 0, 1, false, 0x59, rvm, 4)), q3("vmulpd", 1, 0x59)
	VDIVPS, VDIVPD = reg(def("vdivps", 0, 1, false, 0x5e, rvm, 4)), q3("vdivpd", 1, 0x5e)
	VMINPS, VMINPD = reg(def("vminps", 0, 1, false, 0x5d, rvm, 4)), q3("vminpd", 1, 0x5d)
	VMAXPS, VMAXPD = reg(def("vmaxps", 0, 1, false, 0x5f, rvm, 4)), q3("vmaxpd", 1, 0x5f)
	VSQRTPS        = reg(def("vsqrtps", 0, 1, false, 0x51, rm, 4))
	VSQRTPD        = q2("vsqrtpd", 1, 0x51)
	VFMADD213PS    = d3("vfmadd213ps", 2, 0xa8)
	VFMADD213PD    = q3("vfmadd213pd", 2, 0xa8)
	VFMADD231PS    = d3("vfmadd231ps", 2, 0xb8)
	VFIXUPIMMPS    = reg(def("vfixupimmps", 1, 3, false, 0x54, rvm, 4).withImm())
	VRNDSCALEPS    = reg(def("vrndscaleps", 1, 3, false, 0x08, rm, 4).withImm())
	VRNDSCALEPD    = reg(def("vrndscalepd", 1, 3, true, 0x09, rm, 8).withImm())

	VCVTDQ2PS   = reg(def("vcvtdq2ps", 0, 1, false, 0x5b, rm, 4))
	VCVTUDQ2PS  = reg(def("vcvtudq2ps", 3, 1, false, 0x7a, rm, 4))
	VCVTDQ2PD   = reg(def("vcvtdq2pd", 2, 1, false, 0xe6, rm, 4).sized(32, 4))
	VCVTUDQ2PD  = reg(def("vcvtudq2pd", 2, 1, false, 0x7a, rm, 4).sized(32, 4))
	VCVTQQ2PD   = reg(def("vcvtqq2pd", 2, 1, true, 0xe6, rm, 8))
	VCVTUQQ2PD  = reg(def("vcvtuqq2pd", 2, 1, true, 0x7a, rm, 8))
	VCVTQQ2PS   = reg(def("vcvtqq2ps", 0, 1, true, 0x5b, rm, 8))
	VCVTUQQ2PS  = reg(def("vcvtuqq2ps", 3, 1, true, 0x7a, rm, 8))
	VCVTPS2PD   = reg(def("vcvtps2pd", 0, 1, false, 0x5a, rm, 4).sized(32, 4))
	VCVTPD2PS   = reg(def("vcvtpd2ps", 1, 1, true, 0x5a, rm, 8))
	VCVTTPS2DQ  = reg(def("vcvttps2dq", 2, 1, false, 0x5b, rm, 4))
	VCVTPS2DQ   = reg(def("vcvtps2dq", 1, 1, false, 0x5b, rm, 4))
	VCVTTPS2UDQ = reg(def("vcvttps2udq", 0, 1, false, 0x78, rm, 4))
	VCVTTPD2DQ  = reg(def("vcvttpd2dq", 1, 1, true, 0xe6, rm, 8))
	VCVTTPD2UDQ = reg(def("vcvttpd2udq", 0, 1, true, 0x78, rm, 8))

	VPCMPD    = reg(def("vpcmpd", 1, 3, false, 0x1f, rvm, 4).withImm().toMask())
	VPCMPQ    = reg(def("vpcmpq", 1, 3, true, 0x1f, rvm, 8).withImm().toMask())
	VPCMPUD   = reg(def("vpcmpud", 1, 3, false, 0x1e, rvm, 4).withImm().toMask())
	VPCMPUQ   = reg(def("vpcmpuq", 1, 3, true, 0x1e, rvm, 8).withImm().toMask())
	VCMPPS    = reg(def("vcmpps", 0, 1, false, 0xc2, rvm, 4).withImm().toMask())
	VCMPPD    = reg(def("vcmppd", 1, 1, true, 0xc2, rvm, 8).withImm().toMask())
	VPTESTMD  = reg(def("vptestmd", 1, 2, false, 0x27, rvm, 4).toMask())
	VPTESTMQ  = reg(def("vptestmq", 1, 2, true, 0x27, rvm, 8).toMask())
	VPTESTNMQ = reg(def("vptestnmq", 2, 2, true, 0x27, rvm, 8).toMask())
	VPTESTNMD = reg(def("vptestnmd", 2, 2, false, 0x27, rvm, 4).toMask())

	VPGATHERDD  = reg(def("vpgatherdd", 1, 2, false, 0x90, rm, 0).sized(4, 0))
	VPSCATTERDD = reg(def("vpscatterdd", 1, 2, false, 0xa0, mr, 0).sized(4, 0))
	VPGATHERQD  = reg(def("vpgatherqd", 1, 2, false, 0x91, rm, 0).sized(4, 0))
	VPGATHERQQ  = reg(def("vpgatherqq", 1, 2, true, 0x91, rm, 0).sized(8, 0))
	VPGATHERDQ  = reg(def("vpgatherdq", 1, 2, true, 0x90, rm, 0).sized(8, 0))
	VPSCATTERDQ = reg(def("vpscatterdq", 1, 2, true, 0xa0, mr, 0).sized(8, 0))
	VPSCATTERQD = reg(def("vpscatterqd", 1, 2, false, 0xa1, mr, 0).sized(4, 0))
	VPSCATTERQQ = reg(def("vpscatterqq", 1, 2, true, 0xa1, mr, 0).sized(8, 0))
)

// Args are an instruction's operands. RM is the register operand unless Mem is
// set.
type Args struct {
	Reg, V, RM int8
	Mem        *Mem
	Imm        byte
	K          K
	Zero       bool // zero the lanes that K leaves out
}

// Emit appends an instruction of 512 bits.
func (a *Asm) Emit(in *Inst, x Args) {
	r := byte(x.Reg)
	v := byte(x.V)
	if in.form == vmi {
		r = in.ext
	} else if in.form != rvm {
		v = 0
	}
	p0, vhi, bcast := in.m|0x10|0x80, v>>4&1, false
	if r&8 != 0 {
		p0 ^= 0x80
	}
	if r&16 != 0 {
		p0 ^= 0x10
	}
	if m := x.Mem; m != nil {
		p0 |= 0x60
		if m.Pool == 0 && m.Base&8 != 0 {
			p0 ^= 0x20
		}
		if m.Index >= 0 {
			if m.Index&8 != 0 {
				p0 ^= 0x40
			}
			vhi |= byte(m.Index) >> 4 & 1
		}
		bcast = m.Bcast
	} else {
		p0 |= 0x60
		if x.RM&8 != 0 {
			p0 ^= 0x20
		}
		if x.RM&16 != 0 {
			p0 ^= 0x40
		}
	}
	a.byte(0x62, p0, pick[byte](in.w, 0x80, 0)|(^v&15)<<3|4|in.pp,
		pick[byte](x.Zero, 0x80, 0)|0x40|pick[byte](bcast, 0x10, 0)|(vhi^1)<<3|byte(x.K), in.op)
	tail := pick(in.imm, 1, 0)
	if x.Mem != nil {
		n := int32(in.full)
		if bcast {
			n = int32(in.el)
		}
		a.modrm(r, *x.Mem, n, tail)
	} else {
		a.byte(0xc0 | r&7<<3 | byte(x.RM)&7)
	}
	if in.imm {
		a.byte(x.Imm)
	}
}

// vex emits a VEX prefix and the opcode; v is the second operand. The prefix of
// two bytes can say less.
func (a *Asm) vex(pp, m byte, w bool, l byte, reg, v, rm, op byte) {
	if m == 1 && !w && rm&8 == 0 {
		a.byte(0xc5, (^reg>>3&1)<<7|(^v&15)<<3|l<<2|pp, op)
		return
	}
	p := m | 0xe0
	if reg&8 != 0 {
		p ^= 0x80
	}
	if rm&8 != 0 {
		p ^= 0x20
	}
	a.byte(0xc4, p, pick[byte](w, 0x80, 0)|(^v&15)<<3|l<<2|pp, op)
}

// vexRR emits a VEX instruction on registers.
func (a *Asm) vexRR(pp, m byte, w bool, l byte, op, reg, v, rm byte) {
	a.vex(pp, m, w, l, reg, v, rm, op)
	a.byte(0xc0 | reg&7<<3 | rm&7)
}

// KMove copies n lanes' bits (8, 16 or 32) from memory, KFrom and KTo from and
// to a general register.
func (a *Asm) KMove(d K, m Mem, n int) {
	pp, w := kSize(n)
	a.vex(pp, 1, w, 0, byte(d), 0, byte(m.Base), 0x90)
	a.modrm(byte(d), m, 1, 0)
}

// KFrom is d = the low 32 bits of s.
func (a *Asm) KFrom(d K, s Reg) { a.vexRR(3, 1, false, 0, 0x92, byte(d), 0, byte(s)) }

// KTo is d = the low n bits of s.
func (a *Asm) KTo(d Reg, s K, n int) {
	pp := byte(3)
	switch n {
	case 16:
		pp = 0
	case 8:
		pp = 1
	}
	a.vexRR(pp, 1, false, 0, 0x93, byte(d), 0, byte(s))
}

func kSize(n int) (pp byte, w bool) {
	switch n {
	case 8:
		return 1, false
	case 16:
		return 0, false
	}
	return 1, true
}

// KCopy is d = s, all bits.
func (a *Asm) KCopy(d, s K) { a.vexRR(0, 1, true, 0, 0x90, byte(d), 0, byte(s)) }

// KShiftR is d = s >> n on 32 bits.
func (a *Asm) KShiftR(d, s K, n byte) {
	a.vexRR(1, 3, false, 0, 0x31, byte(d), 0, byte(s))
	a.byte(n)
}

// KOr and KXnor are d = x op y of n bits (8, 16 or 32).
func (a *Asm) KOr(d, x, y K, n int)   { a.kop(0x45, d, x, y, n) }
func (a *Asm) KXnor(d, x, y K, n int) { a.kop(0x46, d, x, y, n) }

func (a *Asm) kop(op byte, d, x, y K, n int) {
	pp, w := kSize(n)
	a.vexRR(pp, 1, w, 1, op, byte(d), byte(x), byte(y))
}

// KOrTest sets ZF if x|y is 0 and CF if it is all ones, of n bits.
func (a *Asm) KOrTest(x, y K, n int) {
	pp, w := kSize(n)
	a.vexRR(pp, 1, w, 0, 0x98, byte(x), 0, byte(y))
}

// MoveFromVec is d = the lowest element of a vector (VMOVQ, VMOVD).
func (a *Asm) MoveFromVec(d Reg, s Vec, wide bool) {
	p0 := byte(0xf1) // m = 1
	if s&8 != 0 {
		p0 ^= 0x80
	}
	if s&16 != 0 {
		p0 ^= 0x10
	}
	if d&8 != 0 {
		p0 ^= 0x20
	}
	a.byte(0x62, p0, pick[byte](wide, 0x80, 0)|0x7d, 0x08, 0x7e, 0xc0|byte(s)&7<<3|byte(d)&7)
}

// ZeroUpper is VZEROUPPER.
func (a *Asm) ZeroUpper() { a.byte(0xc5, 0xf8, 0x77) }

// Repeats reports whether a memory operand can be one element of width bytes
// that is repeated in all lanes.
func (i *Inst) Repeats(width int) bool { return int(i.el) == width }
