// Package texture executes the instructions on textures and surfaces: tex, tld4, txq, suld, sust,
// sured and suq (PTX ISA, "Texture Instructions", "Surface Instructions").
//
// A Unit does one instruction of one warp at a time. It groups the lanes by handle, finds the
// texture object, and then samples lane by lane: sample.go places the footprint of a lane,
// texel.go decodes and encodes texels, surface.go does what has addresses rather than
// coordinates. What the documentation leaves open about filtering is as hardware does it: weights
// have eight bits of fraction.
//
// All reads go through the addresses of texels in device memory, which the unit collects, so that
// a race, an uninitialized byte or a freed array is found as for any other access. The unit knows
// no events: it tells the warp which lanes touch which texels, through the interface in needs.go,
// and the warp tells its observers.
package texture
