package main

import (
	"os"
	"slices"
	"testing"
)

func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// TestOutputs holds the files to the tables that they are made from.
func TestOutputs(t *testing.T) {
	texts, err := outputs()
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range texts {
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is out of date: go run ./scripts/apitable", file)
		}
	}
}

// TestTable compares the table of the API with the headers: it has each function
// that they declare, once and in order, and no other but in its last section.
func TestTable(t *testing.T) {
	list, err := functions()
	if err != nil {
		t.Fatal(err)
	}
	names, err := declared()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	inTable := map[string]bool{}
	last := sections(list)[len(sections(list))-1]
	for i, f := range list {
		if i > 0 && list[i-1].section == f.section && list[i-1].name >= f.name {
			t.Errorf("%s is not in order", f.name)
		}
		if slices.Contains(names, f.name) == (f.section == last) {
			t.Errorf("%s: a function is in the section %q where no header declares it, and only then", f.name, last)
		}
		inTable[f.name] = true
		for _, n := range slices.Concat([]string{f.name}, f.aliases, f.perThread) {
			if seen[n] {
				t.Errorf("%s is there twice", n)
			}
			seen[n] = true
		}
	}
	for _, n := range names {
		if !seen[n] {
			t.Errorf("%s lacks %s, which a header declares", tableFile, n)
		}
	}
	for _, f := range list {
		if !inTable[f.core] {
			t.Errorf("%s is supported by %s, which is not in the table", f.name, f.core)
		}
	}
}

// TestParse: a row that is wrong is refused.
func TestParse(t *testing.T) {
	for _, row := range []string{"cudaX partial", "cudaX | a note", "cudaX needs=luck", "cudaX aliases=_v2"} {
		if _, err := parseTable("[Runtime API]\n" + row + "\n"); err == nil {
			t.Errorf("%q is accepted", row)
		}
	}
}

// TestUsage holds programs against what public programs use: each name is in one,
// and each function of the API is declared and executed.
func TestUsage(t *testing.T) {
	groups, err := usages()
	if err != nil {
		t.Fatal(err)
	}
	list, err := functions()
	if err != nil {
		t.Fatal(err)
	}
	carriedOut := map[string]bool{"cudaOccupancyMaxPotentialBlockSize": true} // a template
	for _, f := range list {
		carriedOut[f.name] = f.support != none
	}
	n := 0
	for _, g := range groups {
		where, err := g.tested()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range g.names {
			n++
			if where[name] == "" {
				t.Errorf("%s: %s is in no program", g.title, name)
			}
			api := g.title == "Runtime functions" || g.title == "Driver functions"
			if api && !carriedOut[name] {
				t.Errorf("%s is not supported", name)
			}
		}
	}
	if n < 300 {
		t.Errorf("%d names, want the whole list", n)
	}
}

func TestDeclared(t *testing.T) {
	names, err := declared()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"cudaMalloc", "cudaGetErrorName", "cudaCreateChannelDesc", "cudaGraphLaunch"} {
		if !slices.Contains(names, n) {
			t.Errorf("%s is not found", n)
		}
	}
}
