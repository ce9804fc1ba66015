import * as vscode from 'vscode';
import { policy, strict, withTheme } from './page';

// Page is the answer to the command "warpgrind.report".
export interface Page {
  title: string;
  html: string;
}

// ReportPanel shows the report of the last run beside the editor.
export class ReportPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;

  get visible(): boolean {
    return this.panel?.visible ?? false;
  }

  show(page: Page): void {
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel('warpgrind.report', page.title, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {
        enableScripts: true,
        localResourceRoots: [],
        retainContextWhenHidden: true,
      });
      this.panel.onDidDispose(() => (this.panel = undefined));
    } else {
      this.panel.reveal(undefined, true);
    }
    this.update(page);
  }

  // update replaces the page.
  update(page: Page): void {
    if (!this.panel) return;
    if (!strict(policy(page.html))) throw new Error('the report page has no strict content security policy: is warpgrind older than the extension?');
    const { kind } = vscode.window.activeColorTheme;
    const dark = kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast;
    this.panel.title = page.title;
    this.panel.webview.html = withTheme(page.html, dark);
  }

  dispose(): void {
    this.panel?.dispose();
  }
}
