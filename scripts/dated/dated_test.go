package dated

import (
	"strings"
	"testing"
)

// TestStamp: a page is dated below its title, once, and its date can be read.
func TestStamp(t *testing.T) {
	page := Stamp("# Title\n\nText.\n")
	date, commit, machine, ok := Of(page)
	if !ok || date == "" || commit == "" || machine != ThisMachine().String() || !strings.HasPrefix(page, "# Title\n\nMeasured on ") || !strings.HasSuffix(page, ".\n\nText.\n") {
		t.Errorf("%v %q %q %q:\n%s", ok, date, commit, machine, page)
	}
	if again := Stamp(strings.Replace(page, date, "2001-01-01", 1)); again != page {
		t.Errorf("stamped again:\n%s", again)
	}
	if _, _, _, ok := Of("# Title\n\nMeasured on a Sunday.\n"); ok {
		t.Error("a page without a date")
	}
}
