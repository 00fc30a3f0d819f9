import t from 'tap';
import { requireRedirectUris } from '#src/clients/applications/redirect-uris.js';
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

t.test('native applications have schemes of their own, with a dot', async (t) => {
  for (const uri of ['com.example.app:/callback', 'com.example.app://callback', 'com.example.app:callback']) {
    t.ok(await accepts('native', uri), uri);
    t.notOk(await accepts('web', uri), uri);
    t.notOk(await accepts('spa', uri), uri);
  }
  for (const uri of ['myapp://callback', 'file:///etc/passwd', 'about:blank', 'vbscript:x', 'ms-word:ofe']) {
    t.notOk(await accepts('native', uri), uri);
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
