package engine_test

import (
	"math"
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/ptx/isa"
)

// variantCase gives a body that uses a variant, which leaves a result in %r0,
// and what it must be. An empty body leaves the variant to other tests.
type variantCase func(v string, has func(string) bool) (body string, want func(i uint32) uint32)

func fixed(x uint32) func(uint32) uint32 { return func(uint32) uint32 { return x } }

// passes is for what computes nothing: the program continues after it.
func passes(operands string) variantCase {
	return func(v string, _ func(string) bool) (string, func(uint32) uint32) {
		return strings.TrimSpace(v+" "+operands) + "; mov.u32 %r0, %t;", func(i uint32) uint32 { return i }
	}
}

const less20 = "setp.lt.u32 %p0, %t, 20; "

var variantCases = map[string]variantCase{
	"membar": passes(""), "fence": passes(""), "fence.proxy": proxyFenceCase, "fence.mbarrier_init": passes(""), "prefetch": passes("[%o]"), "prefetchu": passes("[%o]"),
	"atom.byte": byteAtomic,
	"discard": func(v string, _ func(string) bool) (string, func(uint32) uint32) {
		return "and.b64 %d0, %o, -128; " + v + " [%d0], 128; mov.u32 %r0, %t;", func(i uint32) uint32 { return i }
	},
	"applypriority": passes("[%o], 128"), "griddepcontrol": passes(""), "nanosleep": passes("3"), "pmevent": passes("1"), "brkpt": passes(""),
	"setmaxnreg": passes("64"), "bar.warp.sync": passes("-1"), "bar": blockBarrier, "barrier": blockBarrier,
	"vote": voteCase(""), "vote.sync": voteCase(", -1"), "shfl": shflCase(""), "shfl.sync": shflCase(", -1"), "redux": reduxCase,
	"createpolicy": func(v string, has func(string) bool) (string, func(uint32) uint32) {
		args := " %d0, 1.0;"
		if has("range") {
			args = " %d0, [%o], 128, 128;"
		} else if has("cvt") {
			args = " %d0, %d1;"
		}
		return v + args + " mov.u32 %r0, 4;", fixed(4)
	},
	"match": func(v string, has func(string) bool) (string, func(uint32) uint32) {
		wide := map[bool]string{true: "%d0", false: "%r1"}[has("b64")]
		if has("all") {
			return "mov.u32 %r1, 3; cvt.u64.u32 %d0, %r1; " + v + " %r0|%p0, " + wide + ", -1; @!%p0 mov.u32 %r0, 1;", fixed(math.MaxUint32)
		}
		return "and.b32 %r1, %t, 3; cvt.u64.u32 %d0, %r1; " + v + " %r0, " + wide + ", -1;", func(i uint32) uint32 { return 0x11111111 << (i & 3) }
	},
	"activemask": func(v string, _ func(string) bool) (string, func(uint32) uint32) {
		return v + " %r0;", fixed(math.MaxUint32)
	},
	"isspacep": func(v string, has func(string) bool) (string, func(uint32) uint32) {
		body := `.local .b32 l; mov.u64 %d0, sh; cvta.shared.u64 %d0, %d0; mov.u64 %d1, l; cvta.local.u64 %d1, %d1; mov.u64 %d2, k_out; cvta.param.u64 %d2, %d2;
			V %p0, %d0; V %p1, %d1; V %p2, %d2; V %p3, %o; selp.u32 %r0, 1, 0, %p0; @%p1 add.u32 %r0, %r0, 2; @%p2 add.u32 %r0, %r0, 4; @%p3 add.u32 %r0, %r0, 8;`
		want := map[bool]uint32{}
		want[has("shared") || has("shared::cta") || has("shared::cluster")] = 1
		want[has("local")], want[has("param") || has("param::entry")], want[has("global")] = 2, 4, 4+8
		delete(want, false)
		return strings.ReplaceAll(body, "V", v), fixed(want[true])
	},
	"cvta": func(v string, has func(string) bool) (string, func(uint32) uint32) {
		back := strings.Replace(v, "cvta.", "cvta.to.", 1)
		if has("to") {
			back = strings.Replace(v, "cvta.to.", "cvta.", 1)
		}
		if has("u32") {
			return v + " %r1, %t; " + back + " %r0, %r1;", func(i uint32) uint32 { return i }
		}
		return "cvt.u64.u32 %d0, %t; " + v + " %d1, %d0; " + back + " %d1, %d1; cvt.u32.u64 %r0, %d1;", func(i uint32) uint32 { return i }
	},
	"barrier.cluster": func(v string, has func(string) bool) (string, func(uint32) uint32) {
		body := v + "; barrier.cluster.wait;"
		if has("wait") {
			body = "barrier.cluster.arrive; " + v + ";"
		}
		return body + " mov.u32 %r0, %t;", func(i uint32) uint32 { return i }
	},
	"mapa": func(v string, has func(string) bool) (string, func(uint32) uint32) {
		own := func(i uint32) uint32 { return 1<<24 + i }
		if has("u32") {
			return v + " %r0, %t, 0;", own
		}
		return "cvt.u64.u32 %d0, %t; " + v + " %d1, %d0, 0; cvt.u32.u64 %r0, %d1;", own
	},
	"getctarank": func(v string, has func(string) bool) (string, func(uint32) uint32) {
		return v + " %r0, " + map[bool]string{true: "%t", false: "%o"}[has("u32")] + ";", fixed(0)
	},
}

func blockBarrier(v string, has func(string) bool) (string, func(uint32) uint32) {
	switch {
	case has("popc"):
		return less20 + v + " %r0, 0, %p0;", fixed(20)
	case has("red"):
		return less20 + v + " %p1, 0, 32, %p0; selp.u32 %r0, 1, 0, %p1;", fixed(map[bool]uint32{true: 1}[has("or")])
	case has("arrive"):
		return v + " 1, 64; mov.u32 %r0, 6;", fixed(6)
	}
	return "st.shared.u32 [sh], 9; " + v + " 0; ld.shared.u32 %r0, [sh];", fixed(9)
}

func voteCase(mask string) variantCase {
	return func(v string, has func(string) bool) (string, func(uint32) uint32) {
		if has("ballot") {
			return less20 + v + " %r0, %p0" + mask + ";", fixed(1<<20 - 1)
		}
		return less20 + v + " %p1, %p0" + mask + "; selp.u32 %r0, 1, 0, %p1;", fixed(map[bool]uint32{true: 1}[has("any")])
	}
}

func shflCase(mask string) variantCase {
	return func(v string, has func(string) bool) (string, func(uint32) uint32) {
		bound, want := "0x1f", fixed(101)
		switch {
		case has("up"):
			bound, want = "0", func(i uint32) uint32 { return max(i, 1) - 1 + 100*min(i, 1) }
		case has("down"):
			want = func(i uint32) uint32 { return min(i+1, 31) + pick(i < 31, 100, 0) }
		case has("bfly"):
			want = func(i uint32) uint32 { return (i ^ 1) + 100 }
		}
		return v + " %r0|%p0, %t, 1, " + bound + mask + "; @%p0 add.u32 %r0, %r0, 100;", want
	}
}

// proxyFenceCase fences; the acquiring form names the 128 bytes of a tensor map.
func proxyFenceCase(v string, has func(string) bool) (string, func(uint32) uint32) {
	if has("tensormap::generic") && has("acquire") {
		return passes("[%base], 128")(v, has)
	}
	return passes("")(v, has)
}

func reduxCase(v string, has func(string) bool) (string, func(uint32) uint32) {
	want := map[bool]uint32{}
	want[has("add")], want[has("max") || has("or")] = 496, 31
	delete(want, false)
	if has("f32") {
		return "cvt.rn.f32.u32 %f0, %t; " + v + " %f1, %f0, -1; cvt.rzi.u32.f32 %r0, %f1;", fixed(want[true])
	}
	return v + " %r0, %t, -1;", fixed(want[true])
}

// TestOtherVariants runs each variant of the instructions that are neither
// arithmetic nor accesses.
func TestOtherVariants(t *testing.T) {
	for row, c := range variantCases {
		d := isa.Lookup(row)
		for i := range d.Forms {
			if !d.Forms[i].Executed {
				continue
			}
			for v := range d.Variants(&d.Forms[i]) {
				words := "." + strings.TrimPrefix(v, row) + "."
				body, want := c(v, func(w string) bool { return strings.Contains(words, "."+w+".") })
				t.Run(v, func(t *testing.T) {
					var l launch
					if strings.Contains(v, ".async") {
						l.cluster = 1
					}
					expect(t, outs(t, l, ".shared .b32 sh[4]; .shared .b32 sb[64]; .shared .align 16 .b8 da[1024]; .shared .align 8 .b64 bars[32];", body+"\nst.global.u32 [%o], %r0;"), want)
				})
			}
		}
	}
}

// byteAtomic updates the second byte of a word of the thread with 0x95, or where it is
// even swaps it for that, and gives the word with what was there in its upper half.
func byteAtomic(v string, has func(string) bool) (string, func(uint32) uint32) {
	operands, at := "%h1", "%o"
	if has("cas") {
		operands = "%h2, %h1"
	}
	body := "mul.lo.u32 %r1, %t, 0x0101; add.u32 %r1, %r1, 0x8080; mov.u16 %h1, 0x95; and.b32 %r2, %t, -2; add.u32 %r2, %r2, 0x80; cvt.u16.u32 %h2, %r2; "
	if has("shared") || has("shared::cta") || has("shared::cluster") {
		body += "mul.wide.u32 %d1, %t, 4; mov.u64 %d0, sb; add.u64 %d0, %d0, %d1; cvta.shared.u64 %d2, %d0; "
		return body + "st.shared.u32 [%d0], %r1; " + v + " %h3, [%d0+1], " + operands + byteEnd("%d2"), byteWant(has)
	}
	return body + "st.global.u32 [%o], %r1; " + v + " %h3, [" + at + "+1], " + operands + byteEnd(at), byteWant(has)
}

func byteEnd(at string) string {
	return "; cvt.u32.u16 %r3, %h3; ld.b32 %r0, [" + at + "]; shl.b32 %r3, %r3, 16; or.b32 %r0, %r0, %r3;"
}

func byteWant(has func(string) bool) func(uint32) uint32 {
	return func(i uint32) uint32 {
		old := uint8(0x80 + i)
		return 0x80 + i | uint32(byteResult(has, old))<<8 | uint32(old)<<16
	}
}

func byteResult(has func(string) bool, old uint8) uint8 {
	const b = uint8(0x95)
	switch {
	case has("add"):
		return old + b
	case has("and"):
		return old & b
	case has("or"):
		return old | b
	case has("xor"):
		return old ^ b
	case has("exch"):
		return b
	case has("min") && has("u8"):
		return min(old, b)
	case has("max") && has("u8"):
		return max(old, b)
	case has("min"):
		return uint8(min(int8(old), int8(-0x6b)))
	case has("max"):
		return uint8(max(int8(old), int8(-0x6b)))
	case old%2 == 0: // cas
		return b
	}
	return old
}
