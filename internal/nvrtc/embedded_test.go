package nvrtc

import "testing"

func TestEmbeddedSource(t *testing.T) {
	const ptx = ".version 8.5\n"
	for _, text := range []string{"", "a\n\n\tb // c\n", "no line end", "x\r\ny\r\n"} {
		file, got := EmbeddedSource(embedSource([]byte(ptx), "/tmp/a \"b\".cu", text))
		want := map[string]string{"no line end": "no line end\n", "x\r\ny\r\n": "x\ny\n"}[text]
		if want == "" {
			want = text
		}
		if file != "/tmp/a \"b\".cu" || string(got) != want {
			t.Errorf("%q: %q %q", text, file, got)
		}
	}
	for _, none := range []string{ptx, ptx + "\n" + embeddedFile, ptx + "\n" + embeddedFile + "\"a"} {
		if file, _ := EmbeddedSource([]byte(none)); file != "" {
			t.Errorf("%q has the source %q", none, file)
		}
	}
}
