// Settings are those of the extension, in VS Code's section "warpgrind".
export interface Settings {
  path: string;
  arguments: string[];
  runOnSave: boolean;
  programArguments: string[];
}

// command is how the language server is started. In a workspace that the user does not trust nothing is
// compiled or run: the server shows saved reports only.
export function command(s: Settings, trusted: boolean): { command: string; args: string[] } {
  const args = trusted ? ['lsp', ...s.arguments] : ['lsp', '--no-check'];
  if (trusted && s.runOnSave) args.push('--run');
  return { command: s.path.trim() || 'warpgrind', args };
}

// initializationOptions are what the server is told at the start.
export function initializationOptions(s: Settings) {
  return { runStates: true, programArguments: s.programArguments };
}
