package jit

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// assembler finds LLVM's machine-code tool.
func assembler(t *testing.T) string {
	for _, name := range []string{"llvm-mc-19", "llvm-mc"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Skip("no llvm-mc")
	return ""
}

// sample is an instruction as text in Intel's syntax and as we encode it.
type sample struct {
	text string
	code []byte
}

var encoded = regexp.MustCompile(`encoding: \[([^]]*)\]`)

// check compares the encodings with the assembler's.
func check(t *testing.T, list []sample) {
	t.Helper()
	var in strings.Builder
	for _, s := range list {
		in.WriteString(s.text + "\n")
	}
	cmd := exec.Command(assembler(t), "-triple=x86_64", "-x86-asm-syntax=intel", "-mcpu=sapphirerapids", "-show-encoding")
	cmd.Stdin = strings.NewReader(".intel_syntax noprefix\n" + in.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("llvm-mc: %v\n%s", err, out)
	}
	found := encoded.FindAllStringSubmatch(string(out), -1)
	if len(found) != len(list) {
		t.Fatalf("%d encodings of %d instructions:\n%s", len(found), len(list), out)
	}
	for i, s := range list {
		var want []byte
		for _, h := range strings.Split(found[i][1], ",") {
			v, err := strconv.ParseUint(h, 0, 8)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, byte(v))
		}
		if !bytes.Equal(s.code, want) {
			t.Errorf("%s: % x, want % x", s.text, s.code, want)
		}
	}
}

func vecName(bytes int, n int8) string {
	return map[int]string{64: "zmm", 32: "ymm"}[max(bytes, 32)] + strconv.Itoa(int(n))
}

// sizes are the bytes of the register operands: reg, vvvv, rm.
func sizes(in *Inst) (r, v, m int) {
	r, v, m = 64, 64, 64
	switch {
	case in.form == rm && in.full < 64 && !strings.Contains(in.name, "gather"):
		m = int(in.full)
	case in.form == mr && in.full < 64 && !strings.Contains(in.name, "scatter"):
		m = int(in.full)
	case in.name == "vinserti64x4":
		m = 32
	}
	if strings.HasPrefix(in.name, "vcvt") && (strings.HasSuffix(in.name, "pd2ps") || strings.HasSuffix(in.name, "qq2ps") ||
		strings.Contains(in.name, "pd2dq") || strings.Contains(in.name, "pd2udq")) {
		r = 32
	}
	return r, v, m
}

var memNames = []struct {
	text string
	m    Mem
}{
	{"[rdi]", At(RDI, 0)}, {"[rdi + 64]", At(RDI, 64)}, {"[rdi + 129]", At(RDI, 129)}, {"[r12 + 4096]", At(R12, 4096)},
	{"[r13]", At(R13, 0)}, {"[rsi - 128]", At(RSI, -128)}, {"[r9 + 100000]", At(R9, 100000)},
}

func TestVectorEncodings(t *testing.T) {
	var list []sample
	add := func(in *Inst, x Args, text string) {
		var a Asm
		a.Emit(in, x)
		if in.imm {
			text += ", " + strconv.Itoa(int(x.Imm))
		}
		list = append(list, sample{in.name + " " + text, a.Buf})
	}
	for n, in := range insts {
		if strings.Contains(in.name, "gather") || strings.Contains(in.name, "scatter") {
			continue // below
		}
		rs, vs, ms := sizes(in)
		for i := range 4 {
			x := Args{Reg: int8((n*7 + i*9) % 32), V: int8((n*5 + i*11) % 32), RM: int8((n*3 + i*13) % 32), Imm: byte(n + i), K: K(i % 4)}
			dst := vecName(rs, x.Reg)
			if in.mask {
				x.Reg %= 8
				dst = fmt.Sprintf("k%d", x.Reg)
			}
			first := []string{dst, vecName(vs, x.V)}
			switch in.form {
			case rm:
				first = first[:1]
			case vmi:
				first = first[1:]
			case mr:
				first = nil
			}
			k := ""
			if x.K > 0 {
				k = fmt.Sprintf(" {k%d}", x.K)
			}
			operands := func(rm string) string {
				list := append(append([]string{}, first...), rm)
				if in.form == mr {
					list = append(list, vecName(rs, x.Reg))
				}
				list[0] += k
				return strings.Join(list, ", ")
			}
			m := memNames[(n+i)%len(memNames)]
			rmText := vecName(ms, x.RM)
			if strings.HasPrefix(in.name, "vpbroadcast") {
				rmText = fmt.Sprintf("xmm%d", x.RM)
				if in.full == 64 {
					x.RM %= 4
					rmText = map[bool][]string{true: {"rax", "rcx", "rdx", "rbx"}, false: {"eax", "ecx", "edx", "ebx"}}[in.w][x.RM]
				}
			} else if ms == 16 {
				rmText = fmt.Sprintf("xmm%d", x.RM)
			}
			if in.name != "vmovdqu32" && in.name != "vmovdqu64" || in.form == rm {
				add(in, x, operands(rmText))
			}
			if strings.HasPrefix(in.name, "vpbroadcast") && in.full == 64 {
				continue
			}
			y := x
			y.Mem = &m.m
			add(in, y, operands(ptr(int(in.full))+m.text))
			if in.el > 0 {
				b := m.m
				b.Bcast = true
				y.Mem = &b
				add(in, y, operands(fmt.Sprintf("%s%s{1to%d}", ptr(int(in.el)), m.text, int(in.full)/int(in.el))))
			}
		}
	}
	check(t, list)
}

func ptr(n int) string {
	return map[int]string{1: "byte", 2: "word", 4: "dword", 8: "qword", 16: "xmmword", 32: "ymmword", 64: "zmmword"}[n] + " ptr "
}

func TestGatherEncodings(t *testing.T) {
	var list []sample
	for i, in := range []*Inst{VPGATHERQD, VPGATHERQQ, VPSCATTERQD, VPSCATTERQQ, VPGATHERDD, VPSCATTERDD, VPGATHERDQ, VPSCATTERDQ} {
		for k := range 4 {
			idx, d := int8((3+i*5+k*7)%32), int8((2+i+k*8)%32)
			base := []Reg{RAX, R13, RCX, R12}[k]
			name := []string{"rax", "r13", "rcx", "r12"}[k]
			m := Mem{Base: base, Index: idx, Scale: 1, Disp: int32(k * 12)}
			var a Asm
			a.Emit(in, Args{Reg: d, Mem: &m, K: K(1 + k)})
			size := 64
			if in == VPGATHERQD || in == VPSCATTERQD {
				size = 32
			}
			index := vecName(64, idx)
			if in == VPGATHERDQ || in == VPSCATTERDQ {
				index = vecName(32, idx)
			}
			mem := fmt.Sprintf("%s[%s + %s + %d] {k%d}", ptr(size), name, index, m.Disp, 1+k)
			text := fmt.Sprintf("%s %s, %s", in.name, mem, vecName(size, d))
			if strings.Contains(in.name, "gather") {
				text = fmt.Sprintf("%s %s {k%d}, %s", in.name, vecName(size, d), 1+k, strings.TrimSuffix(mem, fmt.Sprintf(" {k%d}", 1+k)))
			}
			list = append(list, sample{text, a.Buf})
		}
	}
	check(t, list)
}

func TestGeneralEncodings(t *testing.T) {
	names64 := []string{"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13"}
	names32 := []string{"eax", "ecx", "edx", "ebx", "esp", "ebp", "esi", "edi", "r8d", "r9d", "r10d", "r11d", "r12d", "r13d"}
	names16 := []string{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "r8w", "r9w", "r10w", "r11w", "r12w", "r13w"}
	names8 := []string{"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil", "r8b", "r9b", "r10b", "r11b", "r12b", "r13b"}
	var list []sample
	add := func(text string, f func(a *Asm)) {
		var a Asm
		f(&a)
		list = append(list, sample{text, a.Buf})
	}
	for i, d := range []Reg{RAX, RBX, RSI, R8, R11, R13} {
		s := []Reg{R9, RCX, RAX, RDI, R12, RDX}[i]
		d64, d32, s64, s32 := names64[d], names32[d], names64[s], names32[s]
		m := memNames[i]
		add("mov "+d64+", qword ptr "+m.text, func(a *Asm) { a.Load(d, m.m) })
		add("mov "+d32+", dword ptr "+m.text, func(a *Asm) { a.Load32(d, m.m) })
		add("movsxd "+d64+", dword ptr "+m.text, func(a *Asm) { a.LoadX(d, m.m, 4, true) })
		add("movzx "+d32+", word ptr "+m.text, func(a *Asm) { a.LoadX(d, m.m, 2, false) })
		add("movsx "+d64+", byte ptr "+m.text, func(a *Asm) { a.LoadX(d, m.m, 1, true) })
		add("mov qword ptr "+m.text+", "+s64, func(a *Asm) { a.Store(m.m, s) })
		add("mov dword ptr "+m.text+", "+s32, func(a *Asm) { a.Store32(m.m, s) })
		add("mov "+d32+", 123456", func(a *Asm) { a.MoveImm(d, 123456) })
		add("movabs "+d64+", 1311768467463790320", func(a *Asm) { a.MoveImm(d, 0x123456789abcdef0) })
		for op, name := range []string{"add", "or", "adc", "sbb", "and", "sub", "xor", "cmp"} {
			add(name+" "+d64+", 5", func(a *Asm) { a.OpImm(Arith(op), true, d, 5) })
			if d != RAX {
				add(name+" "+d32+", 500", func(a *Asm) { a.OpImm(Arith(op), false, d, 500) })
			}
			add(name+" "+d64+", qword ptr "+m.text, func(a *Asm) { a.OpMem(Arith(op), true, d, m.m) })
			add(name+" qword ptr "+m.text+", "+d64, func(a *Asm) { a.OpTo(Arith(op), true, m.m, d) })
			add(name+" qword ptr "+m.text+", 32", func(a *Asm) { a.OpImmTo(Arith(op), true, m.m, 32) })
			add(name+" dword ptr "+m.text+", 500", func(a *Asm) { a.OpImmTo(Arith(op), false, m.m, 500) })
		}
		add("imul "+d64+", "+s64, func(a *Asm) { a.Mul(true, d, s) })
		add("neg "+d32, func(a *Asm) { a.Neg(false, d) })
		add("not "+d64, func(a *Asm) { a.Not(true, d) })
		add("lea "+d64+", "+m.text, func(a *Asm) { a.Lea(d, m.m) })
		add("prefetcht0 "+m.text, func(a *Asm) { Prefetch(a, m.m) })
		add("shl "+d64+", 7", func(a *Asm) { a.ShiftImm(SHL, true, d, 7) })
		add("sar "+d32+", 9", func(a *Asm) { a.ShiftImm(SAR, false, d, 9) })
		add("cmovae "+d64+", "+s64, func(a *Asm) { a.CMov(AE, true, d, s) })
		add("test "+d64+", "+s64, func(a *Asm) { a.Test(true, d, s) })
		add("bsr "+d32+", "+s32, func(a *Asm) { a.HighestBit(d, s) })
		add("mov word ptr "+m.text+", "+names16[s], func(a *Asm) { a.StoreX(m.m, s, 2) })
		add("mov byte ptr "+m.text+", "+names8[s], func(a *Asm) { a.StoreX(m.m, s, 1) })
		add("bts "+d64+", "+s64, func(a *Asm) { BitSet.Emit(a, d, s) })
		add("btr "+d64+", "+s64, func(a *Asm) { BitClear.Emit(a, d, s) })
		add("tzcnt "+d32+", "+s32, func(a *Asm) { a.TrailingZeros(d, s) })
		add("lock cmpxchg qword ptr "+m.text+", "+s64, func(a *Asm) { a.CompareExchange(true, m.m, s) })
		add("lock cmpxchg dword ptr "+m.text+", "+s32, func(a *Asm) { a.CompareExchange(false, m.m, s) })
		indexed := m.m
		indexed.Index, indexed.Scale = int8(RCX), 8
		add("mov "+d64+", qword ptr "+strings.Replace(m.text, "]", " + 8*rcx]", 1), func(a *Asm) { a.Load(d, indexed) })
		add("jmp "+d64, func(a *Asm) { a.JumpTo(d) })
		add("kmovd k3, "+s32, func(a *Asm) { a.KFrom(3, s) })
		add("kmovd "+d32+", k5", func(a *Asm) { a.KTo(d, 5, 32) })
		add("kmovb "+d32+", k5", func(a *Asm) { a.KTo(d, 5, 8) })
		add("kmovw k2, word ptr "+m.text, func(a *Asm) { a.KMove(2, m.m, 16) })
		add("kmovb k2, byte ptr "+m.text, func(a *Asm) { a.KMove(2, m.m, 8) })
		add(fmt.Sprintf("vmovq %s, xmm%d", d64, 3+i*5), func(a *Asm) { a.MoveFromVec(d, Vec(3+i*5), true) })
	}
	add("cmp dword ptr [rsi + 56], 77777", func(a *Asm) { a.CmpMemImm(At(RSI, 56), 77777) })
	add("kshiftrd k3, k1, 8", func(a *Asm) { a.KShiftR(3, 1, 8) })
	add("korw k5, k6, k7", func(a *Asm) { a.KOr(5, 6, 7, 16) })
	add("kxnorw k5, k5, k5", func(a *Asm) { a.KXnor(5, 5, 5, 16) })
	add("kortestb k5, k6", func(a *Asm) { a.KOrTest(5, 6, 8) })
	add("kortestw k5, k6", func(a *Asm) { a.KOrTest(5, 6, 16) })
	add("kmovq k5, k1", func(a *Asm) { a.KCopy(5, 1) })
	add("vzeroupper", func(a *Asm) { a.ZeroUpper() })
	// vmovq has a shorter VEX encoding, which the assembler takes where it can.
	var kept []sample
	for _, s := range list {
		if !strings.HasPrefix(s.text, "vmovq") || strings.HasSuffix(s.text, "18") || strings.HasSuffix(s.text, "23") || strings.HasSuffix(s.text, "28") {
			kept = append(kept, s)
		}
	}
	check(t, kept)
}

// TestCall runs a loop that sums numbers, with a constant from the pool.
func TestCall(t *testing.T) {
	if !Available() {
		t.Skip("no AVX-512")
	}
	var a Asm
	for range 3 {
		a.byte(0x90) // the code need not begin at 0
	}
	loop := a.NewLabel()
	a.Load(RCX, At(RSI, 0))
	a.MoveImm(RAX, 0)
	a.Bind(loop)
	a.Op(ADD, true, RAX, RCX)
	a.OpImm(SUB, true, RCX, 1)
	a.JumpIf(NE, loop)
	a.OpMem(ADD, false, RAX, a.Const(4, 1000))
	a.Ret()
	code, err := Map(a.Finish())
	if err != nil {
		t.Fatal(err)
	}
	n := uint64(100)
	if got := code.Call(3, unsafe.Pointer(&n)); got != 6050 {
		t.Errorf("got %d, want 6050", got)
	}
}
