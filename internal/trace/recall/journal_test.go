package recall

import "testing"

// TestRoom: a journal that grows takes what another one gave back, has its own small buffer again after a long interval, and
// a next launch begins with a bounded part of the buffers and all of the room.
func TestRoom(t *testing.T) {
	room := NewRoom()
	grown := func(j *journal, words int) []uint32 {
		t.Helper()
		j.reset()
		if !j.fits(words) {
			t.Fatalf("no room for %d words", words)
		}
		return j.buf
	}
	a, b := &journal{spare: room}, &journal{spare: room}
	small := grown(a, smallJournal)
	if len(small) != smallJournal || len(room.own) != 0 {
		t.Fatalf("a small journal has %d words, and the room %d buffers", len(small), len(room.own))
	}
	long := grown(a, ownJournal)
	if len(long) != ownJournal {
		t.Fatalf("a journal has %d words", len(long))
	}
	a.release()
	if &a.buf[0] != &small[0] {
		t.Error("a small buffer is not kept")
	}
	// What a buffer has is copied where the journal moves to another one.
	b.reset()
	if !b.fits(smallJournal) {
		t.Fatal("no room")
	}
	b.buf[0], b.n = 7, smallJournal
	if !b.fits(ownJournal-smallJournal) || b.buf[0] != 7 || b.n != smallJournal {
		t.Error("a journal loses records as it grows")
	}
	left := room.left
	if c := grown(&journal{spare: room}, maxLong); len(c) != maxLong || room.left >= left {
		t.Errorf("%d words, %d of %d left", len(c), room.left, left)
	}
	if j := (&journal{spare: room}); func() bool { j.reset(); return j.fits(maxLong + 1) }() {
		t.Error("a journal has more than the most")
	}
	b.release()
	room.Renew()
	kept := 0
	for _, list := range [][][]uint32{room.free, room.own} {
		for _, x := range list {
			kept += len(x)
		}
	}
	if kept == 0 || kept > keptRoom {
		t.Errorf("%d words are kept for the next launch", kept)
	}
	inFree := 0
	for _, x := range room.free {
		inFree += len(x)
	}
	if room.left+inFree != longRoom {
		t.Errorf("a next launch has room for %d words and %d in buffers, of %d", room.left, inFree, longRoom)
	}
}

// TestNoRoom: a journal without a launch's room grows up to what each may have.
func TestNoRoom(t *testing.T) {
	j := &journal{}
	j.reset()
	if !j.fits(ownJournal) || j.fits(ownJournal+1) {
		t.Errorf("a journal alone has %d words", len(j.buf))
	}
	j.release()
	if len(j.buf) > smallJournal {
		t.Errorf("%d words are kept", len(j.buf))
	}
}
