package protocol

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

// A MalformedError is bytes that are not a message of the expected type.
type MalformedError struct{ Type reflect.Type }

func (e *MalformedError) Error() string { return fmt.Sprintf("malformed %s", e.Type) }

// Decode reads the message that to points to from the front of b and returns the
// rest. Byte slices of the message share memory with b.
func Decode(b []byte, to any) ([]byte, error) {
	v := reflect.ValueOf(to).Elem()
	d := decoder{b: b}
	d.value(v)
	if d.bad {
		return nil, &MalformedError{v.Type()}
	}
	return d.b, nil
}

// decoder takes values from the front of b; past its end they are zero, and bad is
// set.
type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.b)) {
		d.bad, d.b = true, nil
		return nil
	}
	b := d.b[:n:n]
	d.b = d.b[n:]
	return b
}

func (d *decoder) number(size uintptr) uint64 {
	var b [8]byte
	copy(b[:], d.take(uint64(size)))
	return binary.LittleEndian.Uint64(b[:])
}

func (d *decoder) value(v reflect.Value) {
	switch t := v.Type(); v.Kind() {
	case reflect.Bool:
		v.SetBool(d.number(1) != 0)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(d.number(t.Size()))
	case reflect.Int32:
		v.SetInt(int64(int32(d.number(4))))
	case reflect.Int64:
		v.SetInt(int64(d.number(8)))
	case reflect.Float32:
		v.SetFloat(float64(math.Float32frombits(uint32(d.number(4)))))
	case reflect.String:
		v.SetString(string(d.take(d.number(4))))
	case reflect.Array:
		for i := range v.Len() {
			d.value(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			d.value(v.Field(i))
		}
	case reflect.Slice:
		d.slice(v)
	default:
		panic("protocol: a message has a field of type " + t.String())
	}
}

// slice grows with what is there, so that a count alone takes no memory.
func (d *decoder) slice(v reflect.Value) {
	elem := v.Type().Elem()
	if elem.Kind() == reflect.Uint8 {
		v.SetBytes(d.take(d.number(8)))
		return
	}
	for n := d.number(4); n > 0 && !d.bad; n-- {
		v.Grow(1)
		v.SetLen(v.Len() + 1)
		d.value(v.Index(v.Len() - 1))
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
