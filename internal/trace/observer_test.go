package trace

import (
	"reflect"
	"testing"
)

// TestJoinHasEveryEvent fails where a field of an observer is missing in its Join
// function.
func TestJoinHasEveryEvent(t *testing.T) {
	calls := 0
	block, run := fill[BlockObserver](&calls), fill[Observer](&calls)
	for _, c := range []struct {
		joined any
		left   string // nil in the joined observer
		ends   bool
	}{
		{JoinBlocks([]*BlockObserver{block, {}, block}), "Interval", true},
		{JoinRuns([]*Observer{run, {}, run}), "Launch", false},
	} {
		v := reflect.ValueOf(c.joined).Elem()
		for i := range v.NumField() {
			name, f := v.Type().Field(i).Name, v.Field(i)
			if name == "Undefined" || name == "LocalWritten" || name == "Plain" || name == "Marks" || name == "Rests" { // only one observer has it
				continue
			}
			if name == c.left {
				if !f.IsNil() {
					t.Errorf("%v has %s", v.Type(), name)
				}
				continue
			}
			if f.IsNil() {
				t.Errorf("%v lacks %s", v.Type(), name)
				continue
			}
			calls = 0
			var args []reflect.Value
			for k := range f.Type().NumIn() {
				args = append(args, reflect.Zero(f.Type().In(k)))
			}
			if f.Call(args); calls != 2 {
				t.Errorf("%s was called %d times, want one for each observer that has it", name, calls)
			}
		}
	}
}

// fill returns an observer whose functions all count their calls.
func fill[O any](calls *int) *O {
	o := new(O)
	v := reflect.ValueOf(o).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Func {
			f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value {
				*calls++
				if f.Type().NumOut() == 0 {
					return nil
				}
				if out := f.Type().Out(0); out.Kind() == reflect.Bool {
					return []reflect.Value{reflect.ValueOf(true)}
				}
				return []reflect.Value{reflect.Zero(f.Type().Out(0))}
			}))
		}
	}
	return o
}

// TestJoinOfNone: what no observer wants stays nil.
func TestJoinOfNone(t *testing.T) {
	b := JoinBlocks([]*BlockObserver{{Shared: func(*Access) {}}})
	if b.Global != nil || b.End != nil || b.Shared == nil {
		t.Error("joined functions differ from those of the one observer")
	}
	if b.Ignores == nil || !b.Ignores(nil) {
		t.Error("no observer of global memory: every site is ignored")
	}
	b = JoinBlocks([]*BlockObserver{{Global: func(*Access) {}}, {Global: func(*Access) {}, Ignores: func(*Site) bool { return true }}})
	if b.Ignores != nil {
		t.Error("one observer watches all sites")
	}
}

// TestJoinOfLocalWritten: only the one observer of local memory may have writes noted for it.
func TestJoinOfLocalWritten(t *testing.T) {
	sees := &BlockObserver{Local: func(*Access) {}}
	notes := &BlockObserver{Local: sees.Local, LocalWritten: func(int, int) []uint32 { return nil }}
	for _, c := range []struct {
		list []*BlockObserver
		want bool
	}{{nil, false}, {[]*BlockObserver{sees}, false}, {[]*BlockObserver{{}, notes}, true}, {[]*BlockObserver{notes, sees}, false}, {[]*BlockObserver{notes, notes}, false}} {
		if got := JoinBlocks(c.list).LocalWritten != nil; got != c.want {
			t.Errorf("%d observers: got %t, want %t", len(c.list), got, c.want)
		}
	}
}
