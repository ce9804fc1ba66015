package protocol

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"reflect"
	"runtime"
	"testing"
)

var update = flag.Bool("update", false, "write the C++ header")

// TestHeader holds the committed C++ header to the table.
func TestHeader(t *testing.T) {
	const path = "../../shim/runtime/protocol.h"
	if *update {
		if err := os.WriteFile(path, Header(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, Header()) {
		t.Errorf("%s is not what the table says: go test ./internal/host/protocol -update", path)
	}
}

// TestRoundTrip encodes and decodes each message, with every field set, and
// decodes each of its beginnings.
func TestRoundTrip(t *testing.T) {
	for _, o := range append([]Operation{{"heads", Head{}, ReplyHead{}}}, Operations...) {
		for _, m := range []any{o.Request, o.Reply} {
			in := reflect.New(reflect.TypeOf(m))
			n := uint64(0)
			fillIn(in.Elem(), everything, &n)
			b := Encode(nil, in.Interface())
			out := reflect.New(reflect.TypeOf(m))
			rest, err := Decode(append(b, 7), out.Interface())
			if err != nil || !bytes.Equal(rest, []byte{7}) || !reflect.DeepEqual(in.Interface(), out.Interface()) {
				t.Errorf("%s: %+v became %+v, rest %v, %v", o.Name, in, out, rest, err)
			}
			for i := range b {
				if _, err := Decode(b[:i], reflect.New(reflect.TypeOf(m)).Interface()); err == nil {
					t.Errorf("%s: %d of %d bytes decode", o.Name, i, len(b))
				}
			}
		}
	}
}

// fillIn gives every field another value, as its rule allows.
func fillIn(v reflect.Value, r rule, n *uint64) {
	*n++
	number := max(min(*n, r.hi), r.lo)
	if r.power {
		number = 1 << (*n % 64)
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8, reflect.Uint32, reflect.Uint64:
		v.SetUint(number)
	case reflect.Int32, reflect.Int64:
		v.SetInt(-int64(number))
	case reflect.Float32:
		v.SetFloat(float64(number) / 2)
	case reflect.String:
		v.SetString("text")
	case reflect.Slice:
		v.Grow(2)
		v.SetLen(2)
		r = everything
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			fillIn(v.Index(i), r, n)
		}
	case reflect.Struct:
		for i, r := range rulesOf(v.Type()) {
			fillIn(v.Field(i), r, n)
		}
	}
}

// TestRules holds that each field of each request has a rule.
func TestRules(t *testing.T) {
	done := map[reflect.Type]bool{}
	var check func(reflect.Type)
	check = func(typ reflect.Type) {
		for typ.Kind() == reflect.Slice || typ.Kind() == reflect.Array {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || handwritten[typ] != "" || done[typ] {
			return
		}
		done[typ] = true
		for i := range typ.NumField() {
			f := typ.Field(i)
			if _, err := ruleOf(f); err != nil {
				t.Errorf("%s: %v", typ, err)
			}
			check(f.Type)
		}
	}
	check(reflect.TypeFor[Head]())
	for _, o := range Operations {
		check(reflect.TypeOf(o.Request))
	}
}

// TestRulesAreKept decodes messages with one value that its rule forbids.
func TestRulesAreKept(t *testing.T) {
	for field, m := range map[string]any{
		"malformed Alloc.Kind":           Alloc{Kind: 3},
		"malformed Occupancy.What":       Occupancy{What: OccupancyCluster + 1},
		"malformed Texture.Levels":       Texture{},
		"malformed Set.Pattern":          Set{Pattern: make([]byte, 17)},
		"malformed Reserve.Alignment":    Reserve{Alignment: 3},
		"malformed Touched.Touches.Kind": Touched{Touches: []Touch{{}, {Kind: 9}}},
		"malformed LoadLinked.Parts":     LoadLinked{},
	} {
		_, err := Decode(Encode(nil, m), reflect.New(reflect.TypeOf(m)).Interface())
		if err == nil || err.Error() != field {
			t.Errorf("%+v: %v, want %s", m, err, field)
		}
	}
	if _, err := Decode([]byte{2}, new(struct{ B bool })); err == nil {
		t.Error("a boolean is 2")
	}
}

// TestRequestsDiffer holds that a request's type names its operation.
func TestRequestsDiffer(t *testing.T) {
	for i, o := range Operations {
		if typ := reflect.TypeOf(o.Request); OpOf(typ) != Op(i+1) || typ.Name() != o.Name {
			t.Errorf("operation %d, %s, has the request %v of operation %d", i+1, o.Name, typ, OpOf(typ))
		}
	}
}

// TestCountsTakeNoMemory decodes a huge count of elements that are not there.
func TestCountsTakeNoMemory(t *testing.T) {
	le := binary.LittleEndian
	number := le.AppendUint64(nil, 0)
	for _, c := range []struct {
		b []byte
		m any
	}{
		{le.AppendUint32(number, 1<<24), &Touched{}},                            // elements
		{le.AppendUint32(nil, 1<<16), &Unpack{}},                                // byte slices
		{le.AppendUint64(le.AppendUint32(nil, 1), 1<<30), &Unpack{}},            // bytes of one
		{le.AppendUint64(nil, 1<<30), &Stage{}},                                 // bytes
		{le.AppendUint32([]byte{1, 0}, 1<<12), &Head{}},                         // characters
		{le.AppendUint32(le.AppendUint32([]byte{1, 0}, 0), 32), &Head{}},        // numbers
		{[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, &LoadLinked{}}, // more than its rule allows
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := Decode(c.b, c.m); err == nil {
			t.Errorf("%T decodes from a count alone", c.m)
		}
		if runtime.ReadMemStats(&after); after.TotalAlloc-before.TotalAlloc > 1<<16 {
			t.Errorf("%T: %d bytes allocated for a count", c.m, after.TotalAlloc-before.TotalAlloc)
		}
	}
}
