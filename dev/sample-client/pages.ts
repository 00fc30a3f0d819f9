/** The data that the sample client has about the signed-in person. */
export interface SignedIn {
  readonly idToken: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly userinfo: Readonly<Record<string, unknown>>;
}

const style = `
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; }
a.button { display: inline-block; padding: .5rem 1rem; border-radius: .4rem; background: #1f5fbf; color: #fff;
  text-decoration: none; }
td { padding: .2rem 1rem .2rem 0; vertical-align: top; overflow-wrap: anywhere; }
td:first-child { font-family: ui-monospace, monospace; white-space: nowrap; }
`;

export function startPage(baseUrl: string): string {
  return frame(
    'Sample client',
    `<p>Nobody is signed in. You will be taken to <code>${escapeText(baseUrl)}</code> and back.</p>
<p><a class="button" href="/login">Sign in</a></p>`,
  );
}

export function signedInPage({ claims, userinfo }: SignedIn): string {
  const name = String(userinfo['name'] ?? userinfo['sub']);
  return frame(
    `Hello, ${name}`,
    `<h2>ID token</h2>
${table(claims)}
<h2>Userinfo</h2>
${table(userinfo)}
<p><a class="button" href="/logout">Sign out</a></p>`,
  );
}

export function failurePage(reason: string): string {
  return frame(
    'That did not work',
    `<p>${escapeText(reason)}</p>
<p><a href="/">Back to the start</a></p>`,
  );
}

function frame(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title><style>${style}</style></head>
<body><h1>${escapeText(title)}</h1>
${content}
</body></html>
`;
}

function table(values: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `<tr><td>${escapeText(name)}</td><td>${escapeText(text)}</td></tr>`;
  });
  return `<table>${rows.join('\n')}</table>`;
}

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
