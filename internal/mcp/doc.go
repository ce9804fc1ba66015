// Package mcp lets agents use warpgrind: a server of the Model Context Protocol.
//
//	client ── JSON-RPC ──► Serve ── a tool of tools.go
//	                                  │  names of files ──► roots.go: below a root of the client, or refused
//	                                  │  box.go: this executable again, in a sandbox, with the command of the tool
//	                                  ▼
//	                                its report as JSON ──► result.go: what an agent reads first, the rest on request
//
// The server never runs a program itself. Each call starts a command in a sandbox that sees the client's roots and the compiler
// read-only, has no network, and ends when its time is over or when the client cancels the call. A report comes from that
// sandbox, so nothing of it is trusted: it is read as a saved report is.
package mcp
