package clang

import (
	"fmt"
	"testing"
)

const diagnosedText = `In file included from main.cu:1:
./b.cu:2:101: warning: array index 4 is past the end (that has type 'int[4]') [-Warray-bounds]
./b.cu:9:10: note: in instantiation of 'g<4>' requested here
/tmp/c.h:5:8: warning: variable 'y' is unset [-Werror,-Wsometimes-uninitialized]
/tmp/c.h:4:8: note: initialize it
fix-it:"/tmp/c.h":{4:8-4:8}:" = 0"
b.cu:30:1: warning: something of no group
b.cu:30:2: note: more of it
3 warnings generated when compiling for sm_80.
`

func TestParseDiagnostics(t *testing.T) {
	list, rest := parseDiagnostics(diagnosedText, "/src")
	got := ""
	for _, d := range list {
		got += fmt.Sprintln(d.Position, d.Group, d.Text)
		for _, n := range d.Notes {
			got += fmt.Sprintln("  ", n.Position, n.Text, n.Proposes)
		}
	}
	want := `{/src/b.cu 2 101} array-bounds array index 4 is past the end (that has type 'int[4]')
   {/src/b.cu 9 10} in instantiation of 'g<4>' requested here false
{/tmp/c.h 5 8} sometimes-uninitialized variable 'y' is unset
   {/tmp/c.h 4 8} initialize it true
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if want := "b.cu:30:1: warning: something of no group\nb.cu:30:2: note: more of it\n3 warnings generated when compiling for sm_80.\n"; rest != want {
		t.Errorf("rest\n%swant\n%s", rest, want)
	}
}
