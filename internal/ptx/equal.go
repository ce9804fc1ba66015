package ptx

import "reflect"

// Equal reports whether two modules are the same but for places in the PTX
// text (Pos) and the module's name.
func Equal(a, b *Module) bool {
	x, y := *a, *b
	x.Name, y.Name = "", ""
	return equalValue(reflect.ValueOf(x), reflect.ValueOf(y))
}

var posType = reflect.TypeFor[Pos]()

// equalValue compares exported content, and does not look at Pos.
func equalValue(a, b reflect.Value) bool {
	if a.Type() != b.Type() {
		return false
	}
	switch a.Kind() {
	case reflect.Struct:
		return equalStruct(a, b)
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() == b.IsNil()
		}
		if a.Kind() == reflect.Pointer && a.Pointer() == b.Pointer() {
			return true
		}
		return equalValue(a.Elem(), b.Elem())
	case reflect.Slice:
		if a.Len() != b.Len() {
			return false
		}
		for i := range a.Len() {
			if !equalValue(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		return reflect.DeepEqual(a.Interface(), b.Interface())
	}
	return a.Equal(b)
}

func equalStruct(a, b reflect.Value) bool {
	t := a.Type()
	if t == posType {
		return true
	}
	for i := range t.NumField() {
		if t.Field(i).IsExported() && !equalValue(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}
