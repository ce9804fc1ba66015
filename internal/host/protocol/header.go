package protocol

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"
	"unicode"
)

// Header is runtime/protocol.h: the operations and messages in C++.
func Header() []byte {
	var b bytes.Buffer
	b.WriteString(`// The operations of the socket protocol and their messages. Generated from
// internal/host/protocol by its tests (-update); do not edit.
#pragma once

#include "wire.h"

namespace warpgrind {

constexpr uint32_t kProtocolVersion = `)
	fmt.Fprintf(&b, "0x%08x;\n\n", Version())
	b.Write(messages())
	b.WriteString("\n} // namespace warpgrind\n")
	return b.Bytes()
}

// messages is the header without its version.
func messages() []byte {
	g := generator{done: map[reflect.Type]bool{}}
	g.enum("Op", "uint32_t", operationNames(), 1)
	for _, e := range enums {
		g.enum(reflect.TypeOf(e.value).Name(), "uint8_t", e.values, 0)
	}
	g.printf("\nnamespace protocol {\n")
	g.message(reflect.TypeOf(Head{}), "", true)
	g.message(reflect.TypeOf(ReplyHead{}), "", false)
	for _, o := range Operations {
		reply := reflect.TypeOf(o.Reply)
		g.message(reply, "", false)
		g.message(reflect.TypeOf(o.Request),
			fmt.Sprintf("  static constexpr Op op = Op::%s;\n  using Reply = %s;\n", o.Name, reply.Name()), true)
	}
	g.printf("\n} // namespace protocol\n")
	return g.Bytes()
}

func operationNames() []string {
	var all []string
	for _, o := range Operations {
		all = append(all, o.Name)
	}
	return all
}

// generator writes each type once, after those that it consists of.
type generator struct {
	bytes.Buffer
	done map[reflect.Type]bool
}

func (g *generator) printf(format string, args ...any) { fmt.Fprintf(g, format, args...) }

func (g *generator) enum(name, base string, values []string, first int) {
	g.printf("\nenum class %s : %s {\n", name, base)
	for i, v := range values {
		g.printf("  %s = %d,\n", v, first+i)
	}
	g.printf("};\n")
}

// handwritten are the types that wire.h defines.
var handwritten = map[reflect.Type]string{
	reflect.TypeFor[Pointer](): "Pointer",
	reflect.TypeFor[Stream]():  "StreamNumber",
	reflect.TypeFor[Dim3]():    "Dim3",
	reflect.TypeFor[Op]():      "Op",
}

// message writes a structure. One that is sent has a constructor with all its
// fields, so that no place forgets one, and refers to the caller's strings and
// lists; one that is received owns them.
func (g *generator) message(t reflect.Type, members string, sent bool) {
	if g.done[t] {
		return
	}
	g.done[t] = true
	for i := range t.NumField() {
		g.parts(t.Field(i).Type, sent)
	}
	g.printf("\nstruct %s {\n%s", t.Name(), members)
	var params, inits, names []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, typ := memberName(f.Name), cppType(f.Type, sent)
		init := "{}"
		if sent {
			init = ""
		}
		g.printf("  %s %s%s;\n", typ, name, init)
		params = append(params, typ+" "+name)
		inits = append(inits, fmt.Sprintf("%s(%s)", name, name))
		names = append(names, name)
	}
	if sent && len(names) > 0 {
		g.printf("  %s(%s)\n      : %s {}\n", t.Name(), strings.Join(params, ", "), strings.Join(inits, ", "))
	}
	constant := ""
	if sent {
		constant = " const"
	}
	g.printf("  template <class Wire> void fields(Wire &wire)%s { wire(%s); }\n};\n", constant, strings.Join(names, ", "))
}

// parts writes the structures that a field consists of.
func (g *generator) parts(t reflect.Type, sent bool) {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct && handwritten[t] == "" {
		g.message(t, "", sent)
	}
}

func cppType(t reflect.Type, sent bool) string {
	if name := handwritten[t]; name != "" {
		return name
	}
	switch t.Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.Float32:
		return "float"
	case reflect.String:
		if sent {
			return "std::string_view"
		}
		return "std::string"
	case reflect.Struct:
		return t.Name()
	case reflect.Array:
		return fmt.Sprintf("std::array<%s, %d>", cppType(t.Elem(), sent), t.Len())
	case reflect.Slice:
		return sliceType(t.Elem(), sent)
	}
	if t.PkgPath() != "" {
		return t.Name()
	}
	return t.Kind().String() + "_t"
}

func sliceType(elem reflect.Type, sent bool) string {
	switch {
	case elem.Kind() == reflect.Uint8 && sent:
		return "Blob"
	case elem.Kind() == reflect.Uint8:
		return "Bytes"
	case sent && (elem.Kind() == reflect.Uint32 || elem.Kind() == reflect.Uint64):
		return fmt.Sprintf("List<%s>", cppType(elem, sent))
	case sent:
		return fmt.Sprintf("Batch<%s>", cppType(elem, sent))
	}
	return fmt.Sprintf("std::vector<%s>", cppType(elem, sent))
}

// memberName is a field's name in C++: its first word in lower case.
func memberName(name string) string {
	r := []rune(name)
	for i := range r {
		if i > 0 && i+1 < len(r) && unicode.IsLower(r[i+1]) || unicode.IsLower(r[i]) {
			break
		}
		r[i] = unicode.ToLower(r[i])
	}
	return string(r)
}
