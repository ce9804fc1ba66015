package protocol

import (
	"encoding/binary"
	"math"
	"reflect"
)

// A MalformedError is bytes that are not a message of the expected type, or a field, named
// as "Load.Module.Meta", that breaks its rule.
type MalformedError struct {
	Type  reflect.Type
	Field string
}

func (e *MalformedError) Error() string {
	if e.Field != "" {
		return "malformed " + e.Type.Name() + e.Field
	}
	return "malformed " + e.Type.Name()
}

// Decode reads the message that to points to from the front of b, whose fields obey their
// rules then, and returns the rest. Byte slices of the message share memory with b.
func Decode(b []byte, to any) ([]byte, error) {
	v := reflect.ValueOf(to).Elem()
	d := decoder{b: b}
	d.value(v, everything)
	if d.bad {
		return nil, &MalformedError{v.Type(), d.field}
	}
	return d.b, nil
}

// decoder takes values from the front of b. When that is at its end, or a value breaks its
// rule, bad is set, field names the one, and all others are zero.
type decoder struct {
	b     []byte
	bad   bool
	field string
}

func (d *decoder) fail() { d.bad, d.b = true, nil }

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.fail()
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

// number takes one that obeys a rule.
func (d *decoder) number(size uintptr, r rule) uint64 {
	var b [8]byte
	copy(b[:], d.take(uint64(size)))
	n := binary.LittleEndian.Uint64(b[:])
	if !r.allows(n) {
		d.fail()
		return 0
	}
	return n
}

func (d *decoder) value(v reflect.Value, r rule) {
	switch t := v.Type(); v.Kind() {
	case reflect.Bool:
		v.SetBool(d.number(1, rule{hi: 1}) != 0)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.number(t.Size(), r))
	case reflect.Int32:
		v.SetInt(int64(int32(d.number(4, r))))
	case reflect.Int64:
		v.SetInt(int64(d.number(8, r)))
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(d.number(4, r)))))
	case reflect.String:
		v.SetString(string(d.take(d.number(4, r))))
	case reflect.Array:
		for i := range v.Len() {
			d.value(v.Index(i), r)
		}
	case reflect.Struct:
		d.fields(v)
	case reflect.Slice:
		d.slice(v, r)
	default:
		panic("protocol: a message has a field of type " + t.String())
	}
}

func (d *decoder) fields(v reflect.Value) {
	for i, r := range rulesOf(v.Type()) {
		if d.bad {
			return
		}
		d.value(v.Field(i), r)
		if d.bad {
			d.field = "." + v.Type().Field(i).Name + d.field
		}
	}
}

// slice grows with what is there, so that a count alone takes no memory.
func (d *decoder) slice(v reflect.Value, r rule) {
	elem := v.Type().Elem()
	if elem.Kind() == reflect.Uint8 {
		v.SetBytes(d.take(d.number(8, r)))
		return
	}
	for n := d.number(4, r); n > 0 && !d.bad; n-- {
		v.Grow(1)
		v.SetLen(v.Len() + 1)
		d.value(v.Index(v.Len()-1), everything)
	}
}

// Encode appends a message to b.
func Encode(b []byte, message any) []byte { return encode(b, reflect.ValueOf(message)) }

func encode(b []byte, v reflect.Value) []byte {
	le := binary.LittleEndian
	switch t := v.Type(); v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return append(b, 1)
		}
		return append(b, 0)
	case reflect.Uint8:
		return append(b, uint8(v.Uint()))
	case reflect.Uint32:
		return le.AppendUint32(b, uint32(v.Uint()))
	case reflect.Uint64:
		return le.AppendUint64(b, v.Uint())
	case reflect.Int32:
		return le.AppendUint32(b, uint32(v.Int()))
	case reflect.Int64:
		return le.AppendUint64(b, uint64(v.Int()))
	case reflect.Float32:
		return le.AppendUint32(b, math.Float32bits(float32(v.Float())))
	case reflect.String:
		return append(le.AppendUint32(b, uint32(v.Len())), v.String()...)
	case reflect.Pointer:
		return encode(b, v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			b = encode(b, v.Field(i))
		}
		return b
	case reflect.Slice, reflect.Array:
		return encodeAll(b, v)
	default:
		panic("protocol: a message has a field of type " + t.String())
	}
}

func encodeAll(b []byte, v reflect.Value) []byte {
	if v.Kind() == reflect.Slice {
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return append(binary.LittleEndian.AppendUint64(b, uint64(v.Len())), v.Bytes()...)
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(v.Len()))
	}
	for i := range v.Len() {
		b = encode(b, v.Index(i))
	}
	return b
}
