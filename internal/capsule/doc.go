// Package capsule is one launch as files: module, entry, configuration, arguments, memory and
// which bytes of it are initialized, so that the launch can be run and checked again
// without the program, its compiler and its sources.
//
// A directory holds any number of capsules, which share what is the same:
//
//	DIR/launch-0003-scan.json    a capsule: the manifest
//	DIR/objects/ab/abcd....zst   objects by the SHA-256 of their contents, compressed by zstd:
//	                             PTX, sources, marks of written bytes, memory in chunks of 64 KiB
//
// Zero chunks are left out, and of much memory the chunks that the launch does not access: which
// pages it does the page table tells, whatever the way (mem.Touches). A replay that accesses
// others can tell (Capsule.Lost). A copy of a manifest and the objects it names is complete.
//
//	recorded: Recorder.Begin, before a launch, Recording.End after it ──► manifest, objects
//	replayed: Open ──► checked manifest ──► Capsule.Restore: arena ──► the launch
//
// Capsules are untrusted: they may come from anywhere. Open checks each field, objects are
// opened below the capsule's directory only (os.Root), and what is decompressed is bounded
// and must have the hash that names it.
package capsule
