// Edit replaces a part of a text, as the Language Server Protocol has it: lines and UTF-16 characters
// from 0.
export interface Edit {
  range: { start: Position; end: Position };
  newText: string;
}

export interface Position {
  line: number;
  character: number;
}

// Patch is the answer to the command "warpgrind.fix".
export interface Patch {
  title: string;
  edit: { changes: Record<string, Edit[]> };
}

// patched is a text with edits, none of which overlap. Of several at one place the first comes first.
export function patched(text: string, edits: Edit[]): string {
  const starts = lineStarts(text);
  const offset = (p: Position): number => {
    const start = starts[Math.min(p.line, starts.length - 1)];
    const end = p.line + 1 < starts.length ? starts[p.line + 1] : text.length;
    return p.line < starts.length ? Math.min(start + p.character, end) : text.length;
  };
  const sorted = edits
    .map((e, i) => ({ from: offset(e.range.start), to: offset(e.range.end), text: e.newText, i }))
    .sort((a, b) => a.from - b.from || a.i - b.i);
  let out = '';
  let at = 0;
  for (const e of sorted) {
    if (e.from < at) throw new Error('the edits overlap');
    out += text.slice(at, e.from) + e.text;
    at = e.to;
  }
  return out + text.slice(at);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\n' || (text[i] === '\r' && text[i + 1] !== '\n')) starts.push(i + 1);
  }
  return starts;
}
