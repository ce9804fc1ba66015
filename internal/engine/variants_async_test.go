package engine_test

import (
	"fmt"
	"strings"
)

// Variants of asynchronous stores and reductions, and of operations on mbarriers. Each thread has an
// mbarrier of its own in bars and 32 bytes in da.

func init() {
	for row, c := range map[string]variantCase{
		"st.async": storeAsync, "red.async": reduceAsync, "st.bulk": fillBulk, "cp.async": copyAsync, "cp.async.mbarrier.arrive": copyArrive,
		"mbarrier.init": initBarrier, "mbarrier.inval": invalidateBarrier, "mbarrier.expect_tx": transaction, "mbarrier.complete_tx": transaction,
		"mbarrier.arrive": arriveAt, "mbarrier.arrive_drop": arriveAt, "mbarrier.test_wait": waitAt, "mbarrier.try_wait": waitAt,
	} {
		variantCases[row] = c
	}
}

// ownBarrier makes %r20 and %d15 the thread's mbarrier, %r21 and %d16 its bytes, in shared memory and generic.
func ownBarrier(count int) string {
	return fmt.Sprintf(`mov.u32 %%r20, bars; mad.lo.u32 %%r20, %%t, 8, %%r20; mov.u32 %%r21, da; mad.lo.u32 %%r21, %%t, 32, %%r21;
		cvt.u64.u32 %%d15, %%r20; cvta.shared.u64 %%d15, %%d15; cvt.u64.u32 %%d16, %%r21; cvta.shared.u64 %%d16, %%d16;
		mbarrier.init.shared.b64 [%%r20], %d; `, count)
}

const awaitOwn = "W: mbarrier.try_wait.parity.shared.b64 %p2, [%r20], 0; @!%p2 bra W; "

// barrierOperand and bytesOperand are the addresses as a variant wants them.
func barrierOperand(has func(string) bool) string { return either(inShared(has), "[%r20]", "[%d15]") }
func bytesOperand(has func(string) bool) string   { return either(inShared(has), "[%r21]", "[%d16]") }

func inShared(has func(string) bool) bool {
	return has("shared") || has("shared::cta") || has("shared::cluster")
}

// wide reports elements of 8 bytes.
func wide(has func(string) bool) bool {
	return has("b64") || has("u64") || has("s64") || has("f64")
}

// element makes a register of the class that a type wants of two words, or of one.
func element(has func(string) bool, k int, lo, hi string) (setup, register string) {
	switch {
	case has("f64"):
		return fmt.Sprintf("mov.b64 %%g%d, {%s, %s}; ", k, lo, hi), fmt.Sprintf("%%g%d", k)
	case wide(has):
		return fmt.Sprintf("mov.b64 %%d%d, {%s, %s}; ", k, lo, hi), fmt.Sprintf("%%d%d", k)
	case has("f32"):
		return fmt.Sprintf("mov.b32 %%f%d, %s; ", k, lo), fmt.Sprintf("%%f%d", k)
	case has("b8"), has("u8"), has("s8"), has("b16"), has("u16"), has("s16"):
		return fmt.Sprintf("cvt.u16.u32 %%h%d, %s; ", k, lo), fmt.Sprintf("%%h%d", k)
	}
	return fmt.Sprintf("mov.b32 %%r%d, %s; ", 10+k, lo), fmt.Sprintf("%%r%d", 10+k)
}

// storeAsync stores 1 to 4 elements and gives the sum of their words, each times an odd number.
func storeAsync(v string, has func(string) bool) (string, func(uint32) uint32) {
	if has("release") {
		return globalAsync(v, has)
	}
	n := either(has("v4"), 4, either(has("v2"), 2, 1))
	words := n * either(wide(has), 2, 1)
	body := ownBarrier(1) + fmt.Sprintf("mbarrier.arrive.expect_tx.shared.b64 _, [%%r20], %d; ", 4*words)
	var list []string
	for k := range n {
		setup, r := element(has, k, "%r8", "%r9")
		body += fmt.Sprintf("add.u32 %%r8, %%t, %d; add.u32 %%r9, %%t, %d; ", 10*k+1, 1000*k+7) + setup
		list = append(list, r)
	}
	operand := list[0]
	if n > 1 {
		operand = "{" + strings.Join(list, ", ") + "}"
	}
	body += fmt.Sprintf("%s %s, %s, %s; ", v, bytesOperand(has), operand, barrierOperand(has)) + awaitOwn + "mov.u32 %r0, 0; "
	for j := range words {
		body += fmt.Sprintf("ld.shared.u32 %%r1, [%%r21+%d]; mad.lo.u32 %%r0, %%r1, %d, %%r0; ", 4*j, 2*j+1)
	}
	return body, func(i uint32) (sum uint32) {
		for j := range uint32(words) {
			word := i + 10*j + 1
			if k := j / 2; words > n {
				word = either(j%2 == 0, i+10*k+1, i+1000*k+7)
			}
			sum += word * (2*j + 1)
		}
		return sum
	}
}

// globalAsync stores or adds to the word of a thread in global memory, or with an even thread to those of two.
func globalAsync(v string, has func(string) bool) (string, func(uint32) uint32) {
	adds := has("add")
	setup, r := element(has, 1, "%r8", "%r9")
	body := "mov.u32 %r8, 100; mov.u32 %r9, 7; add.u32 %r1, %t, 0x4321; st.global.u32 [%o], %r1; " +
		either(adds, "", "add.u32 %r8, %t, 0x64; add.u32 %r9, %t, 0x1f5; ") + setup + "bar.warp.sync -1; "
	if !wide(has) {
		body += v + " [%o], " + r + "; ld.global.u32 %r0, [%o];"
		mask := ^uint32(0)
		if has("b8") || has("u8") || has("s8") {
			mask = 0xff
		} else if r[1] == 'h' {
			mask = 0xffff
		}
		return body, func(i uint32) uint32 {
			if adds {
				return i + 0x4321 + 100
			}
			return (i+0x4321)&^mask | (i+0x64)&mask
		}
	}
	body += "and.b32 %r2, %t, 1; setp.eq.u32 %p1, %r2, 0; @%p1 " + v + " [%o], " + r + "; bar.warp.sync -1; ld.global.u32 %r0, [%o];"
	return body, func(i uint32) uint32 {
		switch odd := i%2 == 1; {
		case adds:
			return i + 0x4321 + either[uint32](odd, 7, 100)
		case odd:
			return i - 1 + 0x1f5
		}
		return i + 0x64
	}
}

// reduceAsync reduces into a word or two of the thread.
func reduceAsync(v string, has func(string) bool) (string, func(uint32) uint32) {
	if has("release") {
		return globalAsync(v, has)
	}
	setup, r := element(has, 0, "%r8", "%r9")
	body := ownBarrier(1) + fmt.Sprintf("mbarrier.arrive.expect_tx.shared.b64 _, [%%r20], %d; ", either(wide(has), 8, 4)) +
		"add.u32 %r1, %t, 0x80000000; st.shared.u32 [%r21], %r1; mov.u32 %r1, 5; st.shared.u32 [%r21+4], %r1; mad.lo.u32 %r8, %t, 0x09000001, 3; mov.u32 %r9, 9; " + setup +
		fmt.Sprintf("%s %s, %s, %s; ", v, bytesOperand(has), r, barrierOperand(has)) + awaitOwn +
		"ld.shared.u32 %r0, [%r21]; ld.shared.u32 %r1, [%r21+4]; mad.lo.u32 %r0, %r1, 31, %r0;"
	return body, func(i uint32) uint32 {
		x, b := i+0x80000000, i*0x09000001+3
		if wide(has) {
			sum := uint64(x) + 5<<32 + uint64(b) + 9<<32
			return uint32(sum) + uint32(sum>>32)*31
		}
		return asyncReduced(has, x, b) + 5*31
	}
}

// asyncReduced is the result of a reduction of 32 bits.
func asyncReduced(has func(string) bool, x, b uint32) uint32 {
	switch {
	case has("inc"):
		return either(x >= b, 0, x+1)
	case has("dec"):
		return either(x == 0 || x > b, b, x-1)
	case has("add"):
		return x + b
	case has("and"):
		return x & b
	case has("or"):
		return x | b
	case has("xor"):
		return x ^ b
	case has("min") && has("s32"):
		return uint32(min(int32(x), int32(b)))
	case has("max") && has("s32"):
		return uint32(max(int32(x), int32(b)))
	case has("min"):
		return min(x, b)
	}
	return max(x, b)
}

// fillBulk clears 8 bytes of the thread's 32.
func fillBulk(v string, has func(string) bool) (string, func(uint32) uint32) {
	body := ownBarrier(1) + "mov.u32 %r1, 3; "
	for j := range 4 {
		body += fmt.Sprintf("st.shared.u32 [%%r21+%d], %%r1; ", 4*j)
	}
	body += "mov.u64 %d1, 8; " + v + " " + bytesOperand(has) + ", %d1, 0; mov.u32 %r0, 0; "
	for j := range 4 {
		body += fmt.Sprintf("ld.shared.u32 %%r1, [%%r21+%d]; mad.lo.u32 %%r0, %%r0, 10, %%r1; ", 4*j)
	}
	return body, fixed(33)
}

// copyAsync copies 16 bytes with each of 8 threads.
func copyAsync(v string, has func(string) bool) (string, func(uint32) uint32) {
	return "add.u32 %r1, %t, 5; st.global.u32 [%o], %r1; bar.warp.sync -1; mov.u32 %r2, da; mad.lo.u32 %r3, %t, 16, %r2; mul.wide.u32 %d0, %t, 16; add.u64 %d0, %base, %d0;" +
			"setp.lt.u32 %p1, %t, 8; @%p1 " + v + " [%r3], [%d0], 16" + either(has("L2::cache_hint"), ", %d1", "") + "; cp.async.wait_all; bar.sync 0; mad.lo.u32 %r3, %t, 4, %r2; ld.shared.u32 %r0, [%r3];",
		func(i uint32) uint32 { return i + 5 }
}

// copyArrive lets the thread's copy arrive at its mbarrier: for the arrival that is expected, or in addition to it.
func copyArrive(v string, has func(string) bool) (string, func(uint32) uint32) {
	return "add.u32 %r1, %t, 5; st.global.u32 [%o], %r1; " + ownBarrier(1) + "cp.async.ca.shared.global [%r21], [%o], 4; " + v + " " + barrierOperand(has) + "; " +
		either(has("noinc"), "", "mbarrier.arrive.shared.b64 _, [%r20]; ") + awaitOwn + "ld.shared.u32 %r0, [%r21];", func(i uint32) uint32 { return i + 5 }
}

// phases makes %r0 the answers of tests before and after something is done, 10 and 1.
func phases(before, do, after string) string {
	const test = "mbarrier.test_wait.parity.shared.b64 %p1, [%r20], 0; "
	return before + test + "selp.u32 %r0, 10, 0, %p1; " + do + test + "@%p1 add.u32 %r0, %r0, 1; " + after
}

const arriveOwn = "mbarrier.arrive.shared.b64 _, [%r20]; "

func initBarrier(v string, has func(string) bool) (string, func(uint32) uint32) {
	return phases(ownBarrier(7)+"mbarrier.inval.shared.b64 [%r20]; "+v+" "+barrierOperand(has)+", 2; "+arriveOwn, arriveOwn, ""), fixed(1)
}

func invalidateBarrier(v string, has func(string) bool) (string, func(uint32) uint32) {
	return phases(ownBarrier(7)+v+" "+barrierOperand(has)+"; mbarrier.init.shared.b64 [%r20], 1; ", arriveOwn, ""), fixed(1)
}

// transaction expects bytes and then completes them.
func transaction(v string, has func(string) bool) (string, func(uint32) uint32) {
	operands := " " + barrierOperand(has) + ", 16; "
	expect, complete := "mbarrier.expect_tx.shared.b64 [%r20], 16; ", v+operands
	if strings.HasPrefix(v, "mbarrier.expect_tx") {
		expect, complete = v+operands, "mbarrier.complete_tx.shared.b64 [%r20], 16; "
	}
	return phases(ownBarrier(1)+expect+arriveOwn, complete, ""), fixed(1)
}

// arriveAt arrives once of two times; one that drops takes part in the next phase no more.
func arriveAt(v string, has func(string) bool) (string, func(uint32) uint32) {
	op := v + either(has("shared::cluster"), " _, ", " %d1, ") + barrierOperand(has)
	do := arriveOwn
	switch {
	case has("expect_tx"):
		op += ", 16"
		do += "mbarrier.complete_tx.shared.b64 [%r20], 16; "
	case has("noComplete"):
		op += ", 1"
	}
	body := phases(ownBarrier(2)+op+"; ", do, "")
	if !strings.HasPrefix(v, "mbarrier.arrive_drop") {
		return body, fixed(1)
	}
	return body + arriveOwn + "mbarrier.test_wait.parity.shared.b64 %p1, [%r20], 1; @%p1 add.u32 %r0, %r0, 100;", fixed(101)
}

// waitAt tests the phase after its two arrivals, and unless that would wait before the second one.
func waitAt(v string, has func(string) bool) (string, func(uint32) uint32) {
	test := v + " %p1, " + barrierOperand(has) + either(has("parity"), ", 0; ", ", %d1; ")
	body := ownBarrier(2) + "mbarrier.arrive.shared.b64 %d1, [%r20]; mov.u32 %r0, 0; "
	if strings.HasPrefix(v, "mbarrier.test_wait") {
		body += test + "@%p1 add.u32 %r0, %r0, 10; "
	}
	return body + arriveOwn + test + "@%p1 add.u32 %r0, %r0, 1;", fixed(1)
}
