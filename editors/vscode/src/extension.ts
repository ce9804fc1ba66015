// The extension starts "warpgrind lsp", which finds, explains and repairs; what is here are the commands,
// the status bar, the report's panel and the diff of a patch.
import * as child_process from 'node:child_process';
import * as path from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { ExecuteCommandRequest, LanguageClient, State } from 'vscode-languageclient/node';
import { Patch } from './edits';
import { FixPreview } from './fix';
import { Page, ReportPanel } from './report';
import { RunState, active, firstLine, status } from './run';
import { Settings, command, initializationOptions } from './settings';

const execFile = promisify(child_process.execFile);

let extension: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  extension = new Extension();
  context.subscriptions.push(extension);
  await extension.start();
}

export async function deactivate(): Promise<void> {
  await extension?.stop();
}

class Extension implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private readonly log = vscode.window.createOutputChannel('warpgrind language server', { log: true });
  private readonly output = vscode.window.createOutputChannel('warpgrind');
  private readonly bar = vscode.window.createStatusBarItem('warpgrind.run', vscode.StatusBarAlignment.Left);
  private readonly report = new ReportPanel();
  private readonly fix = new FixPreview();
  private readonly states = new Map<string, RunState>(); // of the last run, by source
  private last: RunState | undefined;
  private restarted: Promise<void> = Promise.resolve();
  private readonly disposables: vscode.Disposable[];

  constructor() {
    this.bar.name = 'warpgrind';
    this.present();
    this.bar.show();
    const commands: Record<string, () => Promise<void>> = {
      'warpgrind.runFile': () => this.runFile(),
      'warpgrind.runAgain': () => this.run(),
      'warpgrind.fixFile': () => this.fixFile(),
      'warpgrind.showReport': () => this.showReport(),
      'warpgrind.stopRuns': () => this.execute<void>('warpgrind.stop'),
      'warpgrind.applyFix': () => this.fix.apply(),
      'warpgrind.discardFix': () => this.fix.discard(),
      'warpgrind.showOutput': async () => this.output.show(true),
    };
    this.disposables = [
      this.log, this.output, this.bar, this.report, this.fix,
      ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, () => this.reporting(run))),
      vscode.workspace.onDidChangeConfiguration(e => e.affectsConfiguration('warpgrind') && this.restart()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.restart()),
    ];
  }

  async start(): Promise<void> {
    const c = vscode.workspace.getConfiguration('warpgrind');
    const settings: Settings = {
      path: c.get('path', 'warpgrind'),
      arguments: c.get('arguments', []),
      runOnSave: c.get('runOnSave', false),
      programArguments: c.get('programArguments', []),
    };
    const server = command(settings, vscode.workspace.isTrusted);
    if (!(await this.starts(server.command))) return;
    const client = new LanguageClient('warpgrind', 'warpgrind', server, {
      documentSelector: ['cuda-cpp', 'cpp', 'c'].map(language => ({ scheme: 'file', language })),
      initializationOptions: initializationOptions(settings),
      outputChannel: this.log,
      initializationFailedHandler: () => false,
    });
    client.onNotification('warpgrind/run', (s: RunState) => this.entered(s));
    this.client = client;
    await client.start(); // which shows why it fails
  }

  // starts reports whether the command of warpgrind can be started, else shows why not.
  private async starts(file: string): Promise<boolean> {
    try {
      const { stdout } = await execFile(file, ['--version']);
      this.log.info(`${file}: ${stdout.trim()}`);
      return true;
    } catch (err) {
      const why = `warpgrind: cannot start "${file}": ${firstLine(message(err))}`;
      this.log.error(why);
      void vscode.window.showErrorMessage(why, 'Settings').then(choice => choice && vscode.commands.executeCommand('workbench.action.openSettings', 'warpgrind.path'));
      return false;
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client && client.state !== State.Stopped) await client.stop();
    await client?.dispose();
  }

  // restart starts the server anew, with other settings or more trust.
  private restart(): void {
    this.restarted = this.restarted.then(async () => {
      await this.stop();
      await this.start();
    }).catch(err => this.log.error(message(err)));
  }

  // execute asks the server for a command.
  private async execute<T>(name: string, ...args: string[]): Promise<T> {
    if (this.client?.state !== State.Running) throw new Error('the language server does not run; see the setting warpgrind.path');
    return this.client.sendRequest(ExecuteCommandRequest.type, { command: name, arguments: args }) as Promise<T>;
  }

  // reporting shows why a command has failed.
  private async reporting(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (err) {
      void vscode.window.showErrorMessage(`warpgrind: ${firstLine(message(err))}`);
    }
  }

  private async runFile(): Promise<void> {
    await this.run((await this.saved()).uri.toString());
  }

  // run runs a program, without a file the one that was run last.
  private async run(...uri: string[]): Promise<void> {
    trusted();
    const state = await this.execute<RunState>('warpgrind.run', ...uri);
    this.output.appendLine(`> ${name(state)}`);
    if (state.output) this.output.append(state.output.replace(/\n?$/, '\n'));
    if (state.phase === 'failed') throw new Error(state.message); // entered has shown it all
    this.output.appendLine(state.phase === 'stopped' ? 'stopped' : (state.summary ?? ''));
    this.output.show(true);
  }

  private async fixFile(): Promise<void> {
    trusted();
    const document = await this.saved();
    const patch = await this.execute<Patch | null>('warpgrind.fix', document.uri.toString());
    if (patch) {
      await this.fix.show(patch);
      return;
    }
    const state = this.states.get(document.uri.toString());
    const why = state?.phase === 'stopped' ? 'the run was stopped' : state?.errors ? 'no patch was found that holds' : 'it has no errors';
    void vscode.window.showInformationMessage(`warpgrind: nothing to fix in ${path.basename(document.uri.path)}: ${why}.`);
  }

  private async showReport(): Promise<void> {
    const editor = vscode.window.activeTextEditor?.document;
    const uri = editor?.languageId === 'cuda-cpp' && editor.uri.scheme === 'file' ? [editor.uri.toString()] : [];
    this.report.show(await this.execute<Page>('warpgrind.report', ...uri));
  }

  // saved is the CUDA source in the active editor, saved if it was not.
  private async saved(): Promise<vscode.TextDocument> {
    const document = vscode.window.activeTextEditor?.document;
    if (!document || document.languageId !== 'cuda-cpp' || document.uri.scheme !== 'file') throw new Error('open a CUDA source (.cu) first');
    if (document.isDirty && !(await document.save())) throw new Error(`${path.basename(document.uri.path)} cannot be saved`);
    return document;
  }

  // entered takes a new phase of a run.
  private entered(s: RunState): void {
    this.states.set(vscode.Uri.parse(s.uri).toString(), s);
    this.last = s;
    if (s.phase === 'failed') this.output.appendLine(`${name(s)}: ${s.message ?? ''}`);
    this.present();
    if (s.phase !== 'running' && s.phase !== 'failed' && this.report.visible) {
      void this.execute<Page>('warpgrind.report', s.uri).then(page => this.report.update(page), err => this.log.error(message(err)));
    }
  }

  // present shows the state of the last run in the status bar.
  private present(): void {
    const s = status(this.last, this.last ? name(this.last) : '');
    this.bar.text = s.text;
    this.bar.tooltip = s.tooltip;
    this.bar.command = s.command;
    this.bar.backgroundColor = s.color && new vscode.ThemeColor(`statusBarItem.${s.color}Background`);
    const running = [...this.states.values()].some(active);
    void vscode.commands.executeCommand('setContext', 'warpgrind.running', running);
    void vscode.commands.executeCommand('setContext', 'warpgrind.hasRun', this.states.size > 0);
  }

  dispose(): void {
    this.disposables.forEach(d => d.dispose());
  }
}

// trusted fails where the workspace's programs are not to be run.
function trusted(): void {
  if (!vscode.workspace.isTrusted) throw new Error('programs are run in trusted workspaces only');
}

function name(s: RunState): string {
  return path.basename(vscode.Uri.parse(s.uri).path);
}

function message(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
