package devrt

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// vprintf is vprintf(format, arguments): arguments lie one after the other,
// each at its natural alignment (CUDA C++ Programming Guide, "Formatted
// Output"). It returns the number of arguments.
func (t *thread) vprintf() (uint64, bool) {
	at := t.arg(0)
	format, ok := t.cstring(at)
	if !ok {
		return t.badPointer("format string", at)
	}
	p := printer{thread: t, args: t.arg(1)}
	n, ok := p.print(format)
	if !ok {
		return t.badPointer("argument", p.args)
	}
	t.block.Out = append(t.block.Out, p.out...)
	if most := t.block.Printf; uint64(len(t.block.Out)) > 2*most { // now and then, since it moves the rest
		var lost uint64
		t.block.Out, lost = Newest(t.block.Out, most)
		t.block.Lost += lost
	}
	return n, true
}

// Newest drops the oldest of a text so that at most n bytes stay, in whole lines
// where there are any. It returns how many bytes it dropped (CUDA C++ Programming
// Guide, "Formatted Output": the buffer is circular, and older output is
// overwritten).
func Newest(text []byte, n uint64) (kept []byte, lost uint64) {
	if uint64(len(text)) <= n {
		return text, 0
	}
	at := len(text) - int(n)
	if text[at-1] != '\n' {
		if end := bytes.IndexByte(text[at:], '\n'); end >= 0 && at+end+1 < len(text) {
			at += end + 1
		}
	}
	return append(text[:0], text[at:]...), uint64(at)
}

// printer writes the text of one call.
type printer struct {
	*thread
	args uint64
	out  []byte
	// failed tells that an argument could not be read.
	failed bool
}

// next reads an argument of n bytes.
func (p *printer) next(n int) (uint64, bool) {
	p.args = (p.args + uint64(n) - 1) &^ uint64(n-1)
	v, ok := p.warp.Peek(p.args, p.lane, n)
	if ok {
		p.warp.Passed(p.call.Site, p.lane, p.args, n)
	}
	p.args += uint64(n)
	return v, ok
}

func (p *printer) print(format string) (count uint64, ok bool) {
	for i := 0; i < len(format); {
		if format[i] != '%' {
			p.out = append(p.out, format[i])
			i++
			continue
		}
		d, n := p.parse(format[i:])
		text := format[i : i+n]
		i += n
		switch {
		case p.failed:
			return count, false
		case d.verb == '%':
			p.out = append(p.out, '%')
		case d.verb == 0:
			p.out = append(p.out, text...)
		default:
			if !p.directive(d) {
				return count, false
			}
			count++
		}
	}
	return count, true
}

// directive is one conversion (ISO C, "The fprintf function").
type directive struct {
	minus, plus, space, alt, zero bool
	width                         int
	prec                          int // -1 for none
	long                          bool
	half                          int // number of h
	verb                          byte
}

// parse reads the directive at the start of s, and the values of its
// asterisks. The verb is 0 if there is no such conversion.
func (p *printer) parse(s string) (d directive, n int) {
	i := 1
	for ; i < len(s) && d.flag(s[i]); i++ {
	}
	d.prec = -1
	d.width, i = p.number(s, i)
	if d.width < 0 {
		d.minus, d.width = true, -d.width
	}
	if i < len(s) && s[i] == '.' {
		d.prec, i = p.number(s, i+1)
		d.prec = max(d.prec, -1)
	}
	for ; i < len(s) && strings.IndexByte("lhzjtLq", s[i]) >= 0; i++ {
		switch s[i] {
		case 'h':
			d.half++
		case 'L':
		default:
			d.long = true
		}
	}
	if i == len(s) {
		return d, i
	}
	if strings.IndexByte("diouxXcsaAeEfFgGp%", s[i]) >= 0 {
		d.verb = s[i]
	}
	return d, i + 1
}

func (d *directive) flag(c byte) bool {
	switch c {
	case '-':
		d.minus = true
	case '+':
		d.plus = true
	case ' ':
		d.space = true
	case '#':
		d.alt = true
	case '0':
		d.zero = true
	default:
		return false
	}
	return true
}

// maxField bounds widths and precisions.
const maxField = 1 << 12

// number reads a width or precision, from the arguments if it is *.
func (p *printer) number(s string, i int) (v, next int) {
	if i < len(s) && s[i] == '*' {
		a, ok := p.next(4)
		p.failed = p.failed || !ok
		return max(min(int(int32(a)), maxField), -maxField), i + 1
	}
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		v = min(10*v+int(s[i]-'0'), maxField)
	}
	return v, i
}

func (p *printer) directive(d directive) bool {
	n := 4
	if d.long || strings.IndexByte("saAeEfFgGp", d.verb) >= 0 {
		n = 8
	}
	v, ok := p.next(n)
	if !ok {
		return false
	}
	switch d.verb {
	case 'd', 'i':
		x := signExtend(v, n, d.half)
		u := uint64(x)
		if x < 0 {
			u = -u
		}
		p.integer(d, d.sign(x < 0), u, 10)
	case 'u', 'o', 'x', 'X':
		p.integer(d, "", zeroExtend(v, d.half), map[byte]int{'u': 10, 'o': 8, 'x': 16, 'X': 16}[d.verb])
	case 'c':
		p.pad(d, "", string([]byte{byte(v)}), false)
	case 's':
		return p.text(d, v)
	case 'p':
		s := "(nil)" // as the C library on the host has it
		if v != 0 {
			s = "0x" + strconv.FormatUint(v, 16)
		}
		p.pad(d, "", s, false)
	default:
		p.float(d, math.Float64frombits(v))
	}
	return true
}

func (p *printer) text(d directive, addr uint64) bool {
	s, ok := "(null)", true
	if addr != 0 {
		s, ok = p.cstring(addr)
	}
	if d.prec >= 0 && d.prec < len(s) {
		s = s[:d.prec]
	}
	p.pad(d, "", s, false)
	return ok
}

// sign is what stands before a number.
func (d *directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	case d.space:
		return " "
	}
	return ""
}

// pad writes prefix and s in a field of the width, filled with zeros between
// them or with spaces.
func (p *printer) pad(d directive, prefix, s string, zeros bool) {
	fill := max(0, d.width-len(prefix)-len(s))
	switch {
	case d.minus:
		s += strings.Repeat(" ", fill)
	case zeros:
		s = strings.Repeat("0", fill) + s
	default:
		prefix = strings.Repeat(" ", fill) + prefix
	}
	p.out = append(append(p.out, prefix...), s...)
}

func (p *printer) integer(d directive, prefix string, v uint64, base int) {
	s := strconv.FormatUint(v, base)
	if v == 0 && d.prec == 0 {
		s = ""
	}
	if n := d.prec - len(s); n > 0 {
		s = strings.Repeat("0", n) + s
	}
	switch {
	case !d.alt:
	case base == 8 && !strings.HasPrefix(s, "0"):
		s = "0" + s
	case base == 16 && v != 0:
		prefix = "0x"
	}
	if d.verb == 'X' {
		prefix, s = strings.ToUpper(prefix), strings.ToUpper(s)
	}
	p.pad(d, prefix, s, d.zero && d.prec < 0)
}

func (p *printer) float(d directive, f float64) {
	prefix, zeros := d.sign(math.Signbit(f)), d.zero
	var s string
	switch lower := d.verb | 0x20; {
	case math.IsInf(f, 0):
		s, zeros = "inf", false
	case math.IsNaN(f):
		s, zeros = "nan", false
	case lower == 'a':
		prefix += "0x"
		s = hexFloat(math.Abs(f), d.prec)
	case lower == 'g':
		s = general(math.Abs(f), d.prec, d.alt)
	default:
		if d.prec < 0 {
			d.prec = 6
		}
		s = strconv.FormatFloat(math.Abs(f), lower, d.prec, 64)
		if d.alt && d.prec == 0 {
			s = withPoint(s)
		}
	}
	if d.verb < 'a' {
		prefix, s = strings.ToUpper(prefix), strings.ToUpper(s)
	}
	p.pad(d, prefix, s, zeros)
}

// withPoint puts a decimal point after the digits.
func withPoint(s string) string {
	if m, e, ok := strings.Cut(s, "e"); ok {
		return m + ".e" + e
	}
	return s + "."
}

// general is %g: the shorter of %e and %f, without trailing zeros unless alt.
func general(f float64, prec int, alt bool) string {
	if prec < 0 {
		prec = 6
	}
	prec = max(prec, 1)
	s := strconv.FormatFloat(f, 'e', prec-1, 64)
	m, e, _ := strings.Cut(s, "e")
	exp, _ := strconv.Atoi(e)
	tail := "e" + e
	if exp >= -4 && exp < prec {
		m, tail = strconv.FormatFloat(f, 'f', prec-1-exp, 64), ""
	}
	switch {
	case alt && !strings.Contains(m, "."):
		m += "."
	case !alt && strings.Contains(m, "."):
		m = strings.TrimRight(strings.TrimRight(m, "0"), ".")
	}
	return m + tail
}

// hexFloat is %a without sign and 0x. Subnormal numbers have the exponent
// -1022, as in the C library on the host.
func hexFloat(f float64, prec int) string {
	if m := math.Float64bits(f); f != 0 && m>>52 == 0 && prec < 0 {
		digits := strconv.FormatUint(m, 16)
		digits = strings.Repeat("0", 13-len(digits)) + digits
		return "0." + strings.TrimRight(digits, "0") + "p-1022"
	}
	s := strings.TrimPrefix(strconv.FormatFloat(f, 'x', prec, 64), "0x")
	m, e, _ := strings.Cut(s, "p")
	return m + "p" + e[:1] + strings.TrimPrefix(e[1:], "0")
}

func signExtend(v uint64, n, half int) int64 {
	switch {
	case half >= 2:
		return int64(int8(v))
	case half == 1:
		return int64(int16(v))
	case n == 4:
		return int64(int32(v))
	}
	return int64(v)
}

func zeroExtend(v uint64, half int) uint64 {
	switch {
	case half >= 2:
		return v & 0xff
	case half == 1:
		return v & 0xffff
	}
	return v
}
