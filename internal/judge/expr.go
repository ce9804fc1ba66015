package judge

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Expr is an integer, or an expression of integers and the job's shapes: + - * / % ( ), with C's
// meaning, and min, max and ceil (ceil(a, b) rounds a / b up).
type Expr struct {
	text string
	n    int64
}

// UnmarshalJSON reads a number or a string.
func (e *Expr) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		return json.Unmarshal(b, &e.text)
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is neither an integer nor an expression", b)
	}
	e.n = n
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (e Expr) MarshalJSON() ([]byte, error) {
	if e.text != "" {
		return json.Marshal(e.text)
	}
	return json.Marshal(e.n)
}

// Eval computes an expression.
func (e *Expr) Eval(shapes map[string]int64) (int64, error) {
	if e.text == "" {
		return e.n, nil
	}
	p := &parser{rest: e.text, shapes: shapes}
	v, err := p.sum()
	if err == nil && strings.TrimSpace(p.rest) != "" {
		err = fmt.Errorf("unexpected %q", p.rest)
	}
	if err != nil {
		return 0, fmt.Errorf("expression %q: %w", e.text, err)
	}
	return v, nil
}

// parser computes while it reads.
type parser struct {
	rest   string
	shapes map[string]int64
	depth  int
}

var errOverflow = errors.New("the result has more than 64 bits")

// peek is the next character that is not space, 0 at the end.
func (p *parser) peek() byte {
	p.rest = strings.TrimLeft(p.rest, " \t")
	if p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) take(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *parser) sum() (int64, error) {
	v, err := p.product()
	for err == nil {
		op := p.peek()
		if op != '+' && op != '-' {
			return v, nil
		}
		p.rest = p.rest[1:]
		var w int64
		if w, err = p.product(); err == nil {
			v, err = apply(op, v, w)
		}
	}
	return 0, err
}

func (p *parser) product() (int64, error) {
	v, err := p.factor()
	for err == nil {
		op := p.peek()
		if op != '*' && op != '/' && op != '%' {
			return v, nil
		}
		p.rest = p.rest[1:]
		var w int64
		if w, err = p.factor(); err == nil {
			v, err = apply(op, v, w)
		}
	}
	return 0, err
}

func apply(op byte, v, w int64) (int64, error) {
	switch op {
	case '+', '-':
		if op == '-' {
			if w == math.MinInt64 {
				return 0, errOverflow
			}
			w = -w
		}
		if s := v + w; (s > v) == (w > 0) {
			return s, nil
		}
		return 0, errOverflow
	case '*':
		if v == 0 || w == 0 {
			return 0, nil
		}
		if m := v * w; m/w == v && !(v == -1 && w == math.MinInt64) && !(w == -1 && v == math.MinInt64) {
			return m, nil
		}
		return 0, errOverflow
	}
	if w == 0 {
		return 0, errors.New("division by zero")
	}
	if v == math.MinInt64 && w == -1 {
		return 0, errOverflow
	}
	if op == '/' {
		return v / w, nil
	}
	return v % w, nil
}

func (p *parser) factor() (v int64, err error) {
	if p.depth++; p.depth > 100 {
		return 0, errors.New("nested too deeply")
	}
	defer func() { p.depth-- }()
	c := p.peek()
	switch {
	case p.take('-'):
		if v, err = p.factor(); err == nil {
			return apply('-', 0, v)
		}
		return 0, err
	case p.take('('):
		if v, err = p.sum(); err == nil && !p.take(')') {
			err = errors.New("a ) is missing")
		}
		return v, err
	case c >= '0' && c <= '9':
		end := strings.IndexFunc(p.rest, func(r rune) bool { return r < '0' || r > '9' })
		if end < 0 {
			end = len(p.rest)
		}
		text := p.rest[:end]
		p.rest = p.rest[end:]
		return strconv.ParseInt(text, 10, 64)
	}
	end := 0
	for end < len(p.rest) && isName(p.rest[:end+1]) {
		end++
	}
	if end == 0 {
		return 0, errors.New("a number or a name is missing")
	}
	name := p.rest[:end]
	p.rest = p.rest[end:]
	if p.peek() == '(' {
		return p.function(name)
	}
	v, ok := p.shapes[name]
	if !ok {
		return 0, fmt.Errorf("no shape is called %s", name)
	}
	return v, nil
}

// function computes min(a, b), max(a, b) and ceil(a, b).
func (p *parser) function(name string) (int64, error) {
	p.take('(')
	a, err := p.sum()
	if err == nil && !p.take(',') {
		err = fmt.Errorf("%s takes two arguments", name)
	}
	var b int64
	if err == nil {
		b, err = p.sum()
	}
	if err == nil && !p.take(')') {
		err = errors.New("a ) is missing")
	}
	if err != nil {
		return 0, err
	}
	switch name {
	case "min":
		return min(a, b), nil
	case "max":
		return max(a, b), nil
	case "ceil":
		q, err := apply('/', a, b)
		if err == nil && q*b != a && (a < 0) == (b < 0) {
			q++
		}
		return q, err
	}
	return 0, fmt.Errorf("no function is called %s", name)
}
