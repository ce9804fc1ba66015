package syntax

import (
	"strings"
	"testing"
	"testing/iotest"
)

// tree is what clang writes, shortened: a declaration of a system header, one
// of a.cu with a token of a macro, and one whose place names no file since it
// is the same as before.
const tree = `{
  "id": "0x1", "kind": "TranslationUnitDecl", "loc": {}, "range": {"begin": {}, "end": {}},
  "inner": [
    {"id": "0x2", "kind": "FunctionDecl",
      "loc": {"offset": 5, "file": "/usr/include/x.h", "line": 1, "col": 6, "tokLen": 1, "includedFrom": {"file": "a.cu"}},
      "range": {"begin": {"offset": 0, "col": 1, "tokLen": 4}, "end": {"offset": 9, "col": 10, "tokLen": 1}}, "name": "f",
      "inner": [{"id": "0x3", "kind": "CompoundStmt", "range": {"begin": {"offset": 7, "file": "/usr/include/y.h", "line": 2}, "end": {"offset": 9}}}]},
    {"id": "0x4", "kind": "VarDecl",
      "loc": {"spellingLoc": {"offset": 20, "line": 3, "col": 9, "tokLen": 2},
              "expansionLoc": {"offset": 40, "file": "a.cu", "line": 4, "col": 1, "tokLen": 5, "isMacroArgExpansion": true}},
      "range": {"begin": {"offset": 40, "col": 1, "tokLen": 5}, "end": {"offset": 50, "col": 11, "tokLen": 1}},
      "name": "vé", "type": {"qualType": "T", "desugaredQualType": "int"}, "isImplicit": true,
      "inner": [{"id": "0x5", "kind": "IntegerLiteral", "range": {"begin": {"offset": 50, "tokLen": 1}, "end": {"offset": 50, "tokLen": 1}},
        "type": {"qualType": "int"}, "valueCategory": "prvalue", "value": "7"}, {}]},
    {"id": "0x6", "kind": "FunctionDecl", "loc": {"offset": 60, "line": 5, "col": 5, "tokLen": 1},
      "range": {"begin": {"offset": 56}, "end": {"offset": 66}}, "name": "quote\"d", "mangledName": "_Z1g"}
  ]
}`

func TestRead(t *testing.T) {
	own := func(file string) bool { return file == "a.cu" }
	decls, err := Read(iotest.OneByteReader(strings.NewReader(tree)), own)
	if err != nil {
		t.Fatal(err)
	}
	if len(decls) != 2 {
		t.Fatalf("%d declarations, want 2", len(decls))
	}
	v, g := decls[0], decls[1]
	if want := (Pos{File: "a.cu", Off: 40, Len: 5, Macro: true}); v.Loc != want {
		t.Errorf("place %+v, want %+v", v.Loc, want)
	}
	if v.Name != "vé" || v.Type != "T" || v.Desugared != "int" || !v.Implicit || v.End.End() != 51 {
		t.Errorf("variable %+v", v)
	}
	if len(v.Inner) != 2 || v.Child(0).Value != "7" || v.Child(0).Begin.File != "a.cu" || v.Child(2) != nil || !v.Has("IntegerLiteral") {
		t.Errorf("its parts %+v", v.Inner)
	}
	if g.Name != `quote"d` || g.Mangled != "_Z1g" || g.Loc.File != "a.cu" {
		t.Errorf("function %+v", g)
	}
}

// TestCutOff: a tree that ends early or is none is an error.
func TestCutOff(t *testing.T) {
	for _, text := range []string{"", "{", tree[:len(tree)/2], `{"inner": 7}`, `{"inner": [{"kind" "x"}]}`} {
		if _, err := Read(strings.NewReader(text), func(string) bool { return true }); err == nil {
			t.Errorf("no error for %.20q", text)
		}
	}
}
