package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// TestPage holds the page to what it is made from.
func TestPage(t *testing.T) {
	want, err := table()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is out of date: go run ./scripts/apitable", output)
	}
}

// TestCalls holds the generated program to the list that it is made from.
func TestCalls(t *testing.T) {
	list, err := intrinsics()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(callsFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != calls(list) {
		t.Errorf("%s is out of date: go run ./scripts/apitable", callsFile)
	}
}

// TestUsage holds programs against what public programs use: each name is in one,
// and each function of the API is declared and executed.
func TestUsage(t *testing.T) {
	groups, err := usages()
	if err != nil {
		t.Fatal(err)
	}
	lacking, err := unsupported()
	if err != nil {
		t.Fatal(err)
	}
	known, err := declared(append([]string{"cuda_runtime_api.h", "warpgrind/runtime_calls.h"}, driverHeaders...))
	if err != nil {
		t.Fatal(err)
	}
	known = append(known, "cudaOccupancyMaxPotentialBlockSize") // a template
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
			if api && (lacking[name] || !slices.Contains(known, name)) {
				t.Errorf("%s is not supported", name)
			}
		}
	}
	if n < 300 {
		t.Errorf("%d names, want the whole list", n)
	}
}

// TestDriverNames compares the table of cuGetProcAddress with the headers.
func TestDriverNames(t *testing.T) {
	names, err := declared(driverHeaders)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(shim + "runtime/driver_names.inc")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if !strings.Contains(string(text), "FUNCTION("+n+")\n") {
			t.Errorf("driver_names.inc lacks %s", n)
		}
	}
	if n := strings.Count(string(text), "FUNCTION("); n != len(names) {
		t.Errorf("driver_names.inc has %d names, the headers %d", n, len(names))
	}
}

func TestDeclared(t *testing.T) {
	names, err := declared([]string{"cuda_runtime_api.h"})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"cudaMalloc", "cudaGetErrorName", "cudaCreateChannelDesc", "cudaGraphLaunch"} {
		if !slices.Contains(names, n) {
			t.Errorf("%s is not found", n)
		}
	}
}
