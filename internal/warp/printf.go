package warp

import (
	"fmt"
	"math"
	"strings"
)

// maxOutput bounds what one block prints; more is dropped, as CUDA's print
// buffer of limited size does.
const maxOutput = 1 << 20

// vprintf is vprintf(format, arguments): arguments lie one after the other,
// each at its natural alignment (CUDA C++ Programming Guide, "Formatted
// Output"). It returns the number of arguments.
func (w *Warp) vprintf(h *HostCall, l int) (uint64, bool) {
	at := w.arg(h, 0, l)
	format, ok := w.cstring(at, l)
	if !ok {
		return w.badPointer(h, l, "format string", at)
	}
	p := printer{w: w, lane: l, args: w.arg(h, 1, l)}
	n, ok := p.print(format)
	if !ok {
		return w.badPointer(h, l, "argument", p.args)
	}
	if len(w.Env.Out) < maxOutput {
		w.Env.Out = append(w.Env.Out, p.out...)
	}
	return n, true
}

type printer struct {
	w    *Warp
	lane int
	args uint64
	out  []byte
}

// next reads an argument of n bytes.
func (p *printer) next(n int) (uint64, bool) {
	p.args = (p.args + uint64(n) - 1) &^ uint64(n-1)
	v, ok := p.w.peek(p.args, p.lane, n)
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
		d, n := parseDirective(format[i:])
		i += n
		if d.verb == '%' || d.verb == 0 {
			p.out = append(p.out, format[i-n:i]...)
			if d.verb == '%' {
				p.out = append(p.out[:len(p.out)-n], '%')
			}
			continue
		}
		if !p.directive(d) {
			return count, false
		}
		count++
	}
	return count, true
}

// directive is one conversion: flags, width and precision as written.
type directive struct {
	spec  string // "%-08" with * for values to read
	long  bool   // 64 bits
	half  int    // number of h
	verb  byte
	stars int
}

func parseDirective(s string) (directive, int) {
	i := 1
	for i < len(s) && strings.IndexByte("-+ #0123456789.*", s[i]) >= 0 {
		i++
	}
	d := directive{spec: s[:i], stars: strings.Count(s[:i], "*")}
	for i < len(s) && strings.IndexByte("lhzjtLq", s[i]) >= 0 {
		switch s[i] {
		case 'h':
			d.half++
		case 'L':
		default:
			d.long = true
		}
		i++
	}
	if i == len(s) {
		return directive{}, i
	}
	d.verb = s[i]
	if strings.IndexByte("diouxXcsaAeEfFgGp%", d.verb) < 0 {
		d.verb = 0
	}
	return d, i + 1
}

func (p *printer) directive(d directive) bool {
	var args []any
	for range d.stars {
		v, ok := p.next(4)
		if !ok {
			return false
		}
		args = append(args, int(int32(v)))
	}
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
		p.integer(d, args, signExtend(v, n, d.half))
	case 'o', 'u', 'x', 'X':
		verb := d.verb
		if verb == 'u' {
			verb = 'd'
		}
		p.out = fmt.Appendf(p.out, d.spec+string(verb), append(args, zeroExtend(v, d.half))...)
	case 'c':
		p.out = fmt.Appendf(p.out, noZeroFlag(d.spec)+"s", append(args, string([]byte{byte(v)}))...)
	case 's':
		s, ok := p.w.cstring(v, p.lane)
		if v == 0 {
			s, ok = "(null)", true
		}
		if !ok {
			return false
		}
		p.out = fmt.Appendf(p.out, d.spec+"s", append(args, s)...)
	case 'p':
		p.out = fmt.Appendf(p.out, d.spec+"s", append(args, fmt.Sprintf("%#x", v))...)
	default:
		p.float(d, args, math.Float64frombits(v))
	}
	return true
}

func (p *printer) integer(d directive, args []any, v int64) {
	p.out = fmt.Appendf(p.out, d.spec+"d", append(args, v)...)
}

// float prints as C does where Go differs: inf, nan, %g's form, %a.
func (p *printer) float(d directive, args []any, f float64) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		s := "inf"
		if math.IsNaN(f) {
			s = "nan"
		}
		if math.Signbit(f) {
			s = "-" + s
		} else if strings.Contains(d.spec, "+") {
			s = "+" + s
		}
		if d.verb >= 'A' && d.verb <= 'Z' {
			s = strings.ToUpper(s)
		}
		spec, _, _ := strings.Cut(noZeroFlag(d.spec), ".")
		p.out = fmt.Appendf(p.out, spec+"s", append(args, s)...)
		return
	}
	verb := d.verb
	switch verb {
	case 'a', 'A':
		verb += 'x' - 'a'
	case 'g', 'G':
		if !strings.Contains(d.spec, ".") {
			d.spec += ".6" // Go's %g prints the shortest form instead
		}
	}
	p.out = fmt.Appendf(p.out, d.spec+string(verb), append(args, f)...)
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

// noZeroFlag takes the flags 0 and + out of a directive: text is padded with
// spaces and has no sign.
func noZeroFlag(spec string) string {
	rest := strings.TrimLeft(spec, "%-+ #0")
	flags := spec[:len(spec)-len(rest)]
	return strings.NewReplacer("0", "", "+", "").Replace(flags) + rest
}
