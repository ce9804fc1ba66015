package syntax

import (
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"
)

// reader gives the tokens of a JSON text. Errors are kept; after one, it gives
// only zeros.
type reader struct {
	src io.Reader
	buf []byte
	pos int
	err error
	tok []byte // the last string
}

// peek returns the next byte that is not white space.
func (r *reader) peek() byte {
	for {
		for r.pos < len(r.buf) {
			if c := r.buf[r.pos]; c > ' ' {
				return c
			}
			r.pos++
		}
		if !r.fill() {
			return 0
		}
	}
}

// fill reads more; what has been read is dropped.
func (r *reader) fill() bool {
	if r.err != nil {
		return false
	}
	n, err := r.src.Read(r.buf[:cap(r.buf)])
	r.buf, r.pos = r.buf[:n], 0
	if n == 0 && err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		r.err = err
		return false
	}
	return true
}

// next takes a byte.
func (r *reader) next() byte {
	if r.pos == len(r.buf) && !r.fill() {
		return 0
	}
	c := r.buf[r.pos]
	r.pos++
	return c
}

// want takes a byte that must come.
func (r *reader) want(c byte) {
	if got := r.peek(); got != c {
		r.fail(c, got)
		return
	}
	r.pos++
}

func (r *reader) fail(want, got byte) {
	if r.err == nil {
		r.err = fmt.Errorf("clang's syntax tree: want %q, got %q", want, got)
	}
	r.buf, r.pos = r.buf[:0], 0
}

// string takes a string; the result holds until the next one.
func (r *reader) string() []byte {
	r.want('"')
	r.tok = r.tok[:0]
	for r.err == nil {
		c := r.next()
		switch c {
		case '"':
			return r.tok
		case '\\':
			r.escape()
		default:
			r.tok = append(r.tok, c)
		}
	}
	return nil
}

func (r *reader) escape() {
	c := r.next()
	switch c {
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'u':
		var hex [4]byte
		for i := range hex {
			hex[i] = r.next()
		}
		n, _ := strconv.ParseUint(string(hex[:]), 16, 32)
		r.tok = utf8.AppendRune(r.tok, rune(n))
		return
	}
	r.tok = append(r.tok, c)
}

// word takes a number, true, false or null.
func (r *reader) word() []byte {
	r.peek()
	r.tok = r.tok[:0]
	for r.err == nil {
		if r.pos == len(r.buf) && !r.fill() {
			break
		}
		c := r.buf[r.pos]
		if c <= ' ' || c == ',' || c == '}' || c == ']' {
			break
		}
		r.tok = append(r.tok, c)
		r.pos++
	}
	return r.tok
}

// more reports whether an object or array that ends with the byte continues, and
// takes the comma or the end.
func (r *reader) more(end byte, first bool) bool {
	c := r.peek()
	switch {
	case c == end:
		r.pos++
		return false
	case first:
		return r.err == nil
	}
	r.want(',')
	return r.err == nil
}

// object calls field for each field of an object; field takes the value.
func (r *reader) object(field func(key []byte)) {
	r.want('{')
	for first := true; r.more('}', first); first = false {
		key := r.string()
		// The key must outlive the colon, not the value.
		r.want(':')
		field(key)
	}
}

// array calls item for each item of an array; item takes it.
func (r *reader) array(item func()) {
	r.want('[')
	for first := true; r.more(']', first); first = false {
		item()
	}
}
