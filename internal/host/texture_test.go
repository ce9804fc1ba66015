package host

import (
	"strings"
	"testing"
)

func TestArraysAndTextures(t *testing.T) {
	s := run(t, t.Context(), "arrays")
	s.wantOK(t)
	all := strings.Join(s.log, "\n")
	for _, want := range []string{
		"cudaErrorInvalidValue: the copy goes beyond the rows of the array",
		"cudaErrorInvalidValue: the copy goes beyond the last row of the array",
		"cudaErrorInvalidResourceHandle: not a CUDA array of this program, or one that is freed",
		"cudaErrorInvalidValue: the width and height of a cubemap differ",
		"cudaErrorInvalidValue: the array is a level of a mipmapped array",
		"linear filtering of texels that are read as integers",
		"32-bit integers cannot be read as normalized floats",
		"the array was made without cudaArraySurfaceLoadStore",
		"is not a texture object, or it was destroyed",
		"cudaErrorInvalidValue: the address is not a multiple of textureAlignment",
		"is not device memory",
		"the pitch is not a multiple of texturePitchAlignment",
		"cudaErrorInvalidTexture: not a texture or surface reference of this program",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("not reported: %s", want)
		}
	}
	if t.Failed() {
		t.Log(all)
	}
}
