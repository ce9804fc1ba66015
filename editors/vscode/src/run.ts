// RunState is how far a run has come: the notification "warpgrind/run", and the answer to the command
// "warpgrind.run".
export interface RunState {
  uri: string;
  phase: 'running' | 'fixing' | 'done' | 'failed' | 'stopped';
  errors: number;
  warnings: number;
  infos: number;
  patches: number;
  seconds: number;
  summary?: string;
  message?: string;
  output?: string;
}

// Status is what the status bar shows; command is what a click does.
export interface Status {
  text: string;
  tooltip: string;
  command: string;
  color?: 'error' | 'warning';
}

// active reports whether a run has not ended.
export function active(s: RunState): boolean {
  return s.phase === 'running' || s.phase === 'fixing';
}

// status presents the state of the last run, of a program called name.
export function status(s: RunState | undefined, name: string): Status {
  const report = 'warpgrind.showReport';
  if (!s) return { text: '$(beaker) warpgrind', tooltip: 'warpgrind: nothing was run yet', command: 'warpgrind.runFile' };
  switch (s.phase) {
    case 'running':
      return { text: `$(sync~spin) warpgrind`, tooltip: `Running ${name}. Click to stop.`, command: 'warpgrind.stopRuns' };
    case 'fixing':
      return { text: `$(sync~spin) warpgrind: ${found(s)}`, tooltip: `${name}: ${found(s)}. Running patches for it; click to stop.`, command: 'warpgrind.stopRuns' };
    case 'failed':
      return { text: '$(warning) warpgrind: not run', tooltip: `${name}: ${firstLine(s.message)}`, command: 'warpgrind.showOutput', color: 'warning' };
    case 'stopped':
      return { text: '$(circle-slash) warpgrind: stopped', tooltip: `The run of ${name} was stopped.`, command: s.summary ? report : 'warpgrind.runAgain' };
    case 'done': {
      const patches = s.patches > 0 ? ` ${count(s.patches, 'verified patch', 'verified patches')}.` : '';
      const tooltip = `${name}: ${s.summary ?? found(s)} (${s.seconds.toFixed(1)} s).${patches} Click for the report.`;
      if (s.errors > 0) return { text: `$(error) warpgrind: ${found(s)}`, tooltip, command: report, color: 'error' };
      if (s.warnings > 0) return { text: `$(warning) warpgrind: ${found(s)}`, tooltip, command: report, color: 'warning' };
      return { text: `$(pass) warpgrind: ${found(s)}`, tooltip, command: report };
    }
  }
}

// found is what a run has found, in words.
function found(s: RunState): string {
  const parts: string[] = [];
  if (s.errors > 0) parts.push(count(s.errors, 'error', 'errors'));
  if (s.warnings > 0) parts.push(count(s.warnings, 'warning', 'warnings'));
  if (s.infos > 0) parts.push(count(s.infos, 'info', 'infos'));
  return parts.join(', ') || 'clean';
}

function count(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

// firstLine is the first line of what the server says.
export function firstLine(text: string | undefined): string {
  return (text ?? '').trim().split('\n', 1)[0];
}
