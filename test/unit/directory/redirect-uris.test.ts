import t from 'tap';
import { asciiForm, requireRedirectUris } from '#src/clients/applications/redirect-uris.js';
import { errorIdOf } from '../../support/thrown.js';

const accepts = async (type: 'web' | 'spa' | 'native', uri: string) =>
  (await errorIdOf(() => requireRedirectUris('redirectUris', [uri], type))) === undefined;

t.test('https, and http to the machine itself, suit every application', async (t) => {
  for (const uri of [
    'https://app.example/callback',
    'https://app.example',
    'https://app.example:8443/a/b?tenant=1&x=y%20z',
    'http://127.0.0.1/callback',
    'http://127.0.0.1:3000/callback',
    'http://localhost:8080/',
    'http://[::1]:1234/cb',
  ]) {
    for (const type of ['web', 'spa', 'native'] as const) t.ok(await accepts(type, uri), `${type} ${uri}`);
  }
});

t.test('native applications have schemes of their own', async (t) => {
  for (const uri of [
    ...['com.example.app:/callback', 'com.example.app://callback', 'com.example.app:callback'],
    ...[
      'cursor://anysphere.cursor-retrieval/oauth/callback',
      'vscode://vscode.auth/cb',
      'exp://127.0.0.1:8081',
    ],
    ...[
      'myapp://',
      'myapp://callback',
      'myapp:/callback',
      'msal0a1b2c-3d://auth',
      'claude://cb?x=1',
      'x-app+1:/cb',
    ],
    ...['com.Example.App:/callback', 'MyApp://cb', 'MSAL0A1B://auth'],
  ]) {
    t.ok(await accepts('native', uri), uri);
    t.notOk(await accepts('web', uri), uri);
    t.notOk(await accepts('spa', uri), uri);
  }
});

t.test('schemes that never lead to an application are refused', async (t) => {
  for (const scheme of [
    ...['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'intent', 'view-source', 'filesystem'],
    ...['ws', 'wss', 'ftp', 'mailto', 'tel', 'sms', 'urn', 'jar', 'chrome', 'content', 'feed', 'hcp'],
    // Addresses at which Windows starts a program, and at which every system opens a terminal or a share.
    ...['ms-msdt', 'search-ms', 'ms-officecmd', 'ms-appinstaller', 'shell', 'ssh', 'telnet', 'smb', 'ldap'],
    // These look like http, or like the drive of a disk.
    ...['http', 'https', 'http.example', 'https-x', 'https+tor', 'c'],
  ]) {
    for (const rest of ['x', '/x', '//x', '///x', '//x/y?z=1']) {
      // Two forms of http are addresses like every other.
      if (scheme.startsWith('http') && !/[.+-]/.test(scheme) && rest.startsWith('//x')) continue;
      t.notOk(await accepts('native', `${scheme}:${rest}`), `${scheme}:${rest}`);
      t.notOk(await accepts('native', `${scheme.toUpperCase()}:${rest}`), `${scheme.toUpperCase()}:${rest}`);
    }
  }
  for (const uri of [
    'myapp',
    'myapp:',
    ':myapp',
    '1app:/cb',
    'my app:/cb',
    'my_app:/cb',
    'MyApp:/a/../b',
    'HTTPS://app.example/cb',
    'Http://localhost/cb',
    'myapp://a@b/c',
  ])
    t.notOk(await accepts('native', uri), uri);
});

t.test('an address with international characters is answered with its form in ASCII', async (t) => {
  const problem = (uri: string, type: 'web' | 'native' = 'web') => {
    try {
      requireRedirectUris('redirectUris', [uri], type);
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  for (const [uri, ascii] of [
    ['https://müller.example/cb', 'https://xn--mller-kva.example/cb'],
    ['https://app.example/über?ä=ö', 'https://app.example/%C3%BCber?%C3%A4=%C3%B6'],
    ['http://ßtr.example', 'http://xn--tr-fia.example/'],
    ['https://例え.jp/', 'https://xn--r8jz45g.jp/'],
    ['https://mu\u0308ller.example/cb', 'https://xn--mller-kva.example/cb'],
  ] as const) {
    t.equal(problem(uri), `redirectUris[0] is not in ASCII. Its form in ASCII is ${ascii}`);
    t.equal(asciiForm(uri), ascii);
    if (ascii.startsWith('https:')) t.equal(problem(ascii), undefined, 'which can be registered');
  }
  t.match(problem('myapp://ümlaut/cb', 'native'), 'myapp://%C3%BCmlaut/cb');
  for (const uri of [
    ...['https://ü@evil.example/', 'https://ü.example\\@evil.example/', 'https://ü.example/ x', 'müapp://x'],
    ...['https://ü.example/\n', 'https://\ud800.example/'],
  ]) {
    t.equal(asciiForm(uri), undefined, JSON.stringify(uri).slice(0, 60));
    t.match(problem(uri), /ASCII/);
    t.notMatch(problem(uri), /form/);
  }
});

t.test('what a user agent could be led astray with is refused', async (t) => {
  for (const uri of [
    '',
    'callback',
    '/callback',
    '//app.example/callback',
    'https:app.example',
    'https://',
    'http://app.example/callback',
    'http://127.0.0.1.evil.example/',
    'http://localhost.evil.example/',
    'http://127.0.0.2/',
    'http://2130706433/',
    'http://0x7f.1/',
    'https://app.example/callback#',
    'https://app.example/callback#part',
    'https://*.app.example/callback',
    'https://app.example/*',
    'https://user@app.example/',
    'https://user:pass@app.example/',
    'https://app.example@evil.example/',
    'https://app.example/a/../b',
    'https://app.example/a/./b',
    'https://app.example/%2e%2e/b',
    'https://APP.example/',
    'https://app.example:443/',
    'https://app.example\\@evil.example/',
    'https://app.example/ x',
    ' https://app.example/',
    'https://app.example/\n',
    'https://app.example/\r\nSet-Cookie:x=1',
    'https://app.example/\u0000',
    'https://äpp.example/',
    'https://app.example/"><script>',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'blob:https://app.example/x',
    'ftp://app.example/',
    `https://app.example/${'x'.repeat(2000)}`,
  ]) {
    for (const type of ['web', 'spa', 'native'] as const) {
      t.notOk(await accepts(type, uri), `${type} ${JSON.stringify(uri).slice(0, 80)}`);
    }
  }
});

t.test('each is kept once, as it was given, and not without end', async (t) => {
  const uri = 'https://app.example/callback';
  t.same(requireRedirectUris('redirectUris', [uri, uri], 'web'), [uri]);
  const many = Array.from({ length: 101 }, (_, n) => `${uri}/${n}`);
  t.equal(await errorIdOf(() => requireRedirectUris('redirectUris', many, 'web')), 'directory.valueInvalid');
});
