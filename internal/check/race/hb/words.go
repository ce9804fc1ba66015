package hb

// Words are the release sequences of words, by their address.
type Words struct {
	of map[uint64]*sequence
	// lately are those that were looked for lately, by the last bits of their words; nil as long as there are none.
	lately *[latelyWords]latelyWord
	// near has a bit for the lines of these words, of several lines the same one: most
	// words that plain writes reach are in no such line.
	near [nearBits / 64]uint64
}

type latelyWord struct {
	word uint64
	of   *sequence
}

const (
	latelyWords = 1 << 8

	nearBits = 1 << 12
	nearLine = 1 << 7
)

// NewWords returns those of nothing yet.
func NewWords() *Words { return &Words{of: map[uint64]*sequence{}} }

// at returns the release sequence of a word, nil for none.
func (ws *Words) at(word uint64) *sequence {
	if ws.lately == nil {
		return nil
	}
	l := &ws.lately[word/4%latelyWords]
	if l.of == nil || l.word != word {
		q := ws.of[word]
		if q == nil {
			return nil
		}
		*l = latelyWord{word, q}
	}
	return l.of
}

// begin adds the release sequence of a word.
func (ws *Words) begin(word uint64) *sequence {
	q := &sequence{}
	ws.of[word] = q
	if ws.lately == nil {
		ws.lately = new([latelyWords]latelyWord)
	}
	bit := word / nearLine % nearBits
	ws.near[bit/64] |= 1 << (bit % 64)
	return q
}

// mayHave reports whether one of some bytes may be in a word that has one.
func (ws *Words) mayHave(addr uint64, size int) bool {
	for line := addr / nearLine; line <= (addr+uint64(size)-1)/nearLine; line++ {
		if bit := line % nearBits; ws.near[bit/64]>>(bit%64)&1 != 0 {
			return true
		}
	}
	return false
}

// Forget drops all of them.
func (ws *Words) Forget() {
	if len(ws.of) > 0 {
		clear(ws.of)
		clear(ws.near[:])
		clear(ws.lately[:])
	}
}

// Released reports whether a word holds something that was released.
func (ws *Words) Released(word uint64) bool {
	q := ws.of[word]
	return q != nil && len(q.block) > 0
}
