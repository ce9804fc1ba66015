// withTheme gives the report's page VS Code's theme, which it would take from the browser otherwise.
export function withTheme(html: string, dark: boolean): string {
  return html.replace('<html lang="en">', `<html lang="en" data-theme="${dark ? 'dark' : 'light'}">`);
}

// policy is the content security policy of a page, "" if it has none.
export function policy(html: string): string {
  return /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(html)?.[1] ?? '';
}

// strict reports whether a policy lets the page load nothing and run no scripts but those whose hashes it
// names. Only such a page is shown with scripts switched on.
export function strict(policy: string): boolean {
  const directives = new Map(policy.split(';').map(d => d.trim().split(/\s+/)).map(([name, ...sources]) => [name, sources]));
  const none = (d: string) => directives.get(d)?.join() === "'none'";
  const scripts = directives.get('script-src') ?? [];
  return none('default-src') && scripts.length > 0 && scripts.every(s => /^'sha256-[A-Za-z0-9+/=]+'$/.test(s));
}
