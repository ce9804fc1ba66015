package judge

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
)

// Type is the type of an argument's elements.
type Type string

// The types.
const (
	F16  Type = "f16"
	BF16 Type = "bf16"
	F32  Type = "f32"
	F64  Type = "f64"
	I8   Type = "i8"
	I16  Type = "i16"
	I32  Type = "i32"
	I64  Type = "i64"
	U8   Type = "u8"
	U16  Type = "u16"
	U32  Type = "u32"
	U64  Type = "u64"
)

// typeInfo describes a type: its bytes, the bits of a floating-point type's significand (0 for
// integers), and what a C++ reference has for it.
type typeInfo struct {
	size, significand int
	signed            bool
	cpp               string
	cppSize           int
}

var types = map[Type]typeInfo{
	F16: {2, 11, true, "float", 4}, BF16: {2, 8, true, "float", 4}, F32: {4, 24, true, "float", 4}, F64: {8, 53, true, "double", 8},
	I8: {1, 0, true, "int8_t", 1}, I16: {2, 0, true, "int16_t", 2}, I32: {4, 0, true, "int32_t", 4}, I64: {8, 0, true, "int64_t", 8},
	U8: {1, 0, false, "uint8_t", 1}, U16: {2, 0, false, "uint16_t", 2}, U32: {4, 0, false, "uint32_t", 4}, U64: {8, 0, false, "uint64_t", 8},
}

// UnmarshalJSON reads the name of a type.
func (t *Type) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if _, ok := types[Type(s)]; !ok {
		return fmt.Errorf("unknown type %q", s)
	}
	*t = Type(s)
	return nil
}

// UnmarshalJSON reads the name of a role.
func (r *Role) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	switch *r = Role(s); *r {
	case Input, Output, InOut, Scratch, Scalar:
		return nil
	}
	return fmt.Errorf("unknown role %q: want input, output, inout, scratch or scalar", s)
}

func (t Type) size() int { return types[t].size }

// isFloat reports whether t is a floating-point type.
func (t Type) isFloat() bool { return types[t].significand > 0 }

// Value is a scalar's: a number, or an expression.
type Value struct {
	Expr
	float float64
	isInt bool
}

// UnmarshalJSON reads a number or a string.
func (v *Value) UnmarshalJSON(b []byte) error {
	if err := v.Expr.UnmarshalJSON(b); err == nil {
		v.isInt = true
		return nil
	}
	return json.Unmarshal(b, &v.float)
}

// MarshalJSON writes what UnmarshalJSON reads.
func (v Value) MarshalJSON() ([]byte, error) {
	if v.isInt {
		return v.Expr.MarshalJSON()
	}
	return json.Marshal(v.float)
}

// encode is the scalar as a kernel takes it.
func (v *Value) encode(t Type, shapes map[string]int64) ([]byte, error) {
	f := v.float
	if v.isInt {
		n, err := v.Eval(shapes)
		if err != nil {
			return nil, err
		}
		if !t.isFloat() {
			return t.putInt(nil, n)
		}
		f = float64(n)
	}
	if !t.isFloat() {
		return nil, fmt.Errorf("%v is not a value of type %s", f, t)
	}
	return t.put(nil, f), nil
}

// Data is what an array holds: numbers that are given, a file of the job's folder, or a generator.
type Data struct {
	// Values are numbers, or the strings "nan", "inf" and "-inf".
	Values []Number `json:"values,omitempty"`
	// File has the elements as they lie in memory, little endian.
	File string `json:"file,omitempty"`
	// Random is "uniform" (from Low to High), "normal" (mean Low, standard deviation High - Low),
	// "integers" (from Low to High, both included) or "permutation" (of 0 to n-1).
	Random string   `json:"random,omitempty"`
	Low    *float64 `json:"low,omitempty"`
	High   *float64 `json:"high,omitempty"`
	// Seed is added to the job's.
	Seed uint64 `json:"seed,omitempty"`
	// Fill is one number for all elements; Range is set for 0, 1, 2 and so on.
	Fill  *Number `json:"fill,omitempty"`
	Range bool    `json:"range,omitempty"`
	// Sorted puts random numbers in rising order.
	Sorted bool `json:"sorted,omitempty"`

	content []byte
}

// Number is an element as it is written: integers keep all their digits.
type Number struct{ text string }

// UnmarshalJSON reads a number, or one that JSON does not have as a string.
func (n *Number) UnmarshalJSON(b []byte) error {
	n.text = string(b)
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &n.text); err != nil {
			return err
		}
	}
	_, err := strconv.ParseFloat(n.text, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return fmt.Errorf("%s is not a number", b)
	}
	return nil
}

// MarshalJSON writes what UnmarshalJSON reads.
func (n Number) MarshalJSON() ([]byte, error) {
	if json.Valid([]byte(n.text)) {
		return []byte(n.text), nil
	}
	return json.Marshal(n.text)
}

// append adds the number to b as an element of a type.
func (n Number) append(b []byte, t Type) ([]byte, error) {
	if t.isFloat() {
		f, _ := strconv.ParseFloat(n.text, 64)
		return t.put(b, f), nil
	}
	if u, err := strconv.ParseUint(n.text, 10, 64); err == nil && t == U64 {
		return binary.LittleEndian.AppendUint64(b, u), nil
	}
	v, err := strconv.ParseInt(n.text, 10, 64)
	if err != nil {
		return b, fmt.Errorf("%s is not a value of type %s", n.text, t)
	}
	return t.putInt(b, v)
}

// check checks what does not depend on the number of elements, and reads the file.
func (d *Data) check(folder string) (err error) {
	if d == nil {
		return nil
	}
	n := 0
	for _, given := range []bool{d.Values != nil, d.File != "", d.Random != "", d.Fill != nil, d.Range} {
		if given {
			n++
		}
	}
	low, high := d.bounds()
	switch {
	case n != 1:
		return errors.New("data: give exactly one of values, file, random, fill and range")
	case d.Random == "" && (d.Low != nil || d.High != nil || d.Sorted || d.Seed != 0):
		return errors.New("data: low, high, seed and sorted are for random numbers")
	case math.IsNaN(high-low) || math.IsInf(high-low, 0) || low > high:
		return errors.New("data: low is above high")
	}
	switch d.Random {
	case "", "uniform", "normal", "integers", "permutation":
	default:
		return fmt.Errorf("data: unknown generator %q: want uniform, normal, integers or permutation", d.Random)
	}
	if d.File != "" {
		d.content, err = readFile(folder, d.File)
	}
	return err
}

func (d *Data) bounds() (low, high float64) {
	low, high = -1, 1
	switch d.Random {
	case "integers":
		low, high = 0, 9
	case "normal":
		low = 0
	}
	if d.Low != nil {
		low = *d.Low
	}
	if d.High != nil {
		high = *d.High
	}
	return low, high
}

// varies reports whether each call gets other numbers.
func (d *Data) varies() bool { return d == nil || d.Random != "" }

// bytes makes n elements of a type for a call. Equal seeds, names and calls give equal numbers.
func (d *Data) bytes(t Type, n int, name string, seed uint64, call int) ([]byte, error) {
	if d == nil {
		d = &Data{Random: "uniform"}
		if !t.isFloat() {
			d.Random = "integers"
		}
	}
	switch {
	case d.File != "":
		if len(d.content) != n*t.size() {
			return nil, fmt.Errorf("file %s has %d bytes, and %d elements of type %s have %d", d.File, len(d.content), n, t, n*t.size())
		}
		return d.content, nil
	case d.Values != nil:
		if len(d.Values) != n {
			return nil, fmt.Errorf("%d values for %d elements", len(d.Values), n)
		}
	}
	out := make([]byte, 0, n*t.size())
	if d.Random != "" {
		return d.random(out, t, n, source(seed+d.Seed, name, call))
	}
	var err error
	for i := 0; i < n && err == nil; i++ {
		switch {
		case d.Values != nil:
			out, err = d.Values[i].append(out, t)
		case d.Fill != nil:
			out, err = d.Fill.append(out, t)
		default:
			out, err = t.putNumber(out, float64(i))
		}
	}
	return out, err
}

// source is the generator for one argument of one call.
func source(seed uint64, name string, call int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d", name, call)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

func (d *Data) random(out []byte, t Type, n int, r *rand.Rand) (_ []byte, err error) {
	low, high := d.bounds()
	var list []float64
	switch d.Random {
	case "permutation":
		for _, v := range r.Perm(n) {
			list = append(list, float64(v))
		}
	case "integers":
		if high-low >= 1<<53 {
			return nil, errors.New("data: integers of more than 53 bits")
		}
		for range n {
			list = append(list, math.Ceil(low)+float64(r.Uint64N(uint64(math.Floor(high)-math.Ceil(low))+1)))
		}
	case "normal":
		for range n {
			list = append(list, low+(high-low)*r.NormFloat64())
		}
	default:
		for range n {
			list = append(list, low+(high-low)*r.Float64())
		}
	}
	if d.Sorted {
		sortFloats(list)
	}
	for _, v := range list {
		if out, err = t.putNumber(out, v); err != nil {
			return nil, err
		}
	}
	return out, nil
}
