import * as path from 'node:path';
import * as vscode from 'vscode';
import { Edit, Patch, patched } from './edits';

const scheme = 'warpgrind-fix';

// File is a file of a patch: its text before and after.
interface File {
  uri: vscode.Uri;
  shown: vscode.Uri;
  before: string;
  after: string;
  edits: vscode.TextEdit[];
}

// FixPreview shows a patch as a diff, and applies it.
export class FixPreview implements vscode.Disposable, vscode.TextDocumentContentProvider {
  private files: File[] = [];
  private count = 0;
  private readonly registration = vscode.workspace.registerTextDocumentContentProvider(scheme, this);

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.files.find(f => f.shown.toString() === uri.toString())?.after ?? '';
  }

  async show(patch: Patch): Promise<void> {
    await this.discard();
    this.count++;
    this.files = await Promise.all(Object.entries(patch.edit.changes).map(([uri, edits]) => this.file(vscode.Uri.parse(uri), edits)));
    await vscode.commands.executeCommand('setContext', 'warpgrind.fixShown', true);
    for (const f of this.files) {
      await vscode.commands.executeCommand('vscode.diff', f.uri, f.shown, `${path.basename(f.uri.path)}: ${patch.title}`, { preview: false });
    }
    void vscode.window.showInformationMessage(`warpgrind: ${patch.title}`, 'Apply', 'Discard').then(choice => {
      if (choice === 'Apply') return this.apply();
      if (choice === 'Discard') return this.discard();
      return undefined;
    });
  }

  private async file(uri: vscode.Uri, edits: Edit[]): Promise<File> {
    const before = (await vscode.workspace.openTextDocument(uri)).getText();
    return {
      uri,
      shown: uri.with({ scheme, query: String(this.count) }),
      before,
      after: patched(before, edits),
      edits: edits.map(e => new vscode.TextEdit(new vscode.Range(e.range.start.line, e.range.start.character, e.range.end.line, e.range.end.character), e.newText)),
    };
  }

  // apply changes the files, if they are as they were when the patch was run.
  async apply(): Promise<void> {
    const files = this.files;
    const edit = new vscode.WorkspaceEdit();
    for (const f of files) {
      if ((await vscode.workspace.openTextDocument(f.uri)).getText() !== f.before) {
        await this.discard();
        void vscode.window.showWarningMessage(`warpgrind: ${path.basename(f.uri.path)} has changed since the patch was run. Fix it again.`);
        return;
      }
      edit.set(f.uri, f.edits);
    }
    await this.discard();
    if (!(await vscode.workspace.applyEdit(edit))) {
      void vscode.window.showErrorMessage('warpgrind: VS Code could not apply the patch.');
    } else if (files.length > 0) {
      await vscode.window.showTextDocument(files[0].uri, { preview: false });
    }
  }

  // discard closes the diff.
  async discard(): Promise<void> {
    this.files = [];
    await vscode.commands.executeCommand('setContext', 'warpgrind.fixShown', false);
    const tabs = vscode.window.tabGroups.all.flatMap(g => g.tabs).filter(t => t.input instanceof vscode.TabInputTextDiff && t.input.modified.scheme === scheme);
    await vscode.window.tabGroups.close(tabs);
  }

  dispose(): void {
    this.registration.dispose();
  }
}
