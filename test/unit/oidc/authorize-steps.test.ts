import t from 'tap';
import { readAuthorizeParameters } from '#src/oidc/authorize/authorize-parameters.js';
import { checkMaxAge } from '#src/oidc/authorize/checks/check-max-age.js';
import { checkNonce } from '#src/oidc/authorize/checks/check-nonce.js';
import { checkPkce } from '#src/oidc/authorize/checks/check-pkce.js';
import { checkPrompt } from '#src/oidc/authorize/checks/check-prompt.js';
import { checkResponseType } from '#src/oidc/authorize/checks/check-response-type.js';
import { checkScope } from '#src/oidc/authorize/checks/check-scope.js';
import { readHints } from '#src/oidc/authorize/checks/read-hints.js';
import { refuseMalformed } from '#src/oidc/authorize/checks/refuse-malformed.js';
import { refuseRequestObjects } from '#src/oidc/authorize/checks/refuse-request-objects.js';
import { RedirectedError, ShownError } from '#src/oidc/authorize/errors.js';
import { checkRedirectUri } from '#src/oidc/authorize/target/check-redirect-uri.js';
import { chooseResponseMode } from '#src/oidc/authorize/target/choose-response-mode.js';
import { findClient } from '#src/oidc/authorize/target/find-client.js';

const read = readAuthorizeParameters;

/** The class and code of the error that the work throws; its result when it throws none. */
async function outcomeOf(work: () => unknown): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ShownError) return `shown ${error.code}`;
    if (error instanceof RedirectedError) return `redirected ${error.code}`;
    throw error;
  }
}

t.test(
  'parameters: empty is absent, repeated and oversized have no value, unknown are dropped',
  async (t) => {
    const given = Object.assign(Object.create(null), {
      client_id: 'c',
      state: '',
      scope: ['openid', 'email'],
      nonce: 'n'.repeat(8_193),
      unknown: 'x',
      prompt: { $ne: 'none' },
    });
    const parameters = read(given);
    t.equal(parameters.get('client_id'), 'c');
    for (const name of ['state', 'scope', 'nonce', 'prompt'] as const)
      t.equal(parameters.get(name), undefined);
    t.same([...parameters.repeated], ['scope']);
    t.same([...parameters.oversized], ['nonce']);
    t.equal(read({ state: 's'.repeat(8_192) }).get('state')?.length, 8_192);
    t.equal(read(undefined).get('state'), undefined);
    t.equal(read(JSON.parse('{"__proto__":{"state":"x"}}')).get('state'), undefined, 'only own properties');
  },
);

t.test('client', async (t) => {
  const find = async (id: string) => (id === 'known' ? ({ id } as never) : undefined);
  t.match(await findClient(find, read({ client_id: 'known' })), { id: 'known' });
  for (const source of [{}, { client_id: 'other' }, { client_id: ['known', 'known'] }]) {
    t.equal(await outcomeOf(() => findClient(find, read(source))), 'shown invalid_request');
  }
});

t.test('redirect URI', async (t) => {
  const check = (type: 'web' | 'native', registered: string, given: string | string[]) =>
    outcomeOf(() => checkRedirectUri({ type, redirectUris: [registered] }, read({ redirect_uri: given })));
  t.equal(await check('web', 'https://a.example/cb', 'https://a.example/cb'), 'https://a.example/cb');
  t.equal(await check('native', 'http://localhost/cb', 'http://localhost:5/cb'), 'http://localhost:5/cb');
  t.equal(await check('native', 'http://127.0.0.1', 'http://127.0.0.1:5'), 'http://127.0.0.1:5');
  const refused: ['web' | 'native', string, string | string[]][] = [
    ['web', 'http://localhost/cb', 'http://localhost:5/cb'],
    ['native', 'https://localhost/cb', 'https://localhost:5/cb'],
    ['native', 'http://localhost/cb', 'http://127.0.0.1:5/cb'],
    ['native', 'http://127.0.0.1', 'http://127.0.0.1:5.evil.example'],
    ['native', 'http://127.0.0.1', 'http://127.0.0.1:5@evil.example'],
    ['native', 'http://127.0.0.1/cb', 'http://user@127.0.0.1:5/cb'],
    ['native', 'http://127.0.0.1/cb', 'http://127.0.0.1:65536/cb'],
    ['native', 'http://127.0.0.1/cb', 'http://127.0.0.1:5/cb\n'],
    ['web', 'https://a.example/cb', ['https://a.example/cb', 'https://a.example/cb']],
  ];
  for (const [type, registered, given] of refused) {
    t.equal(await check(type, registered, given), 'shown invalid_request', String(given));
  }
});

t.test('response mode', async (t) => {
  const rows: [type: string | undefined, mode: string | undefined, expected: string][] = [
    ['code', undefined, 'query'],
    ['code', 'fragment', 'fragment'],
    ['code', 'form_post', 'form_post'],
    ['code', 'query.jwt', 'query'],
    [undefined, undefined, 'query'],
    ['id_token', undefined, 'fragment'],
    ['id_token', 'query', 'fragment'],
    ['token id_token', 'query', 'fragment'],
    ['token', undefined, 'fragment'],
    ['id_token token', 'form_post', 'form_post'],
  ];
  for (const [response_type, response_mode, expected] of rows) {
    t.equal(chooseResponseMode(read({ response_type, response_mode })), expected);
  }
});

t.test('malformed requests and request objects', async (t) => {
  t.equal(await outcomeOf(() => refuseMalformed(read({ state: 'x' }))), undefined);
  t.equal(await outcomeOf(() => refuseMalformed(read({ nonce: ['a', 'b'] }))), 'redirected invalid_request');
  const endless = read({ login_hint: 'x'.repeat(9_000) });
  t.equal(await outcomeOf(() => refuseMalformed(endless)), 'redirected invalid_request');
  t.equal(await outcomeOf(() => refuseRequestObjects(read({}))), undefined);
  const object = await outcomeOf(() => refuseRequestObjects(read({ request: 'x' })));
  t.equal(object, 'redirected request_not_supported');
  const reference = await outcomeOf(() => refuseRequestObjects(read({ request_uri: 'x' })));
  t.equal(reference, 'redirected request_uri_not_supported');
});

t.test('response type', async (t) => {
  const check = (given: string | undefined) =>
    outcomeOf(() =>
      checkResponseType({ responseTypes: ['code', 'id_token token'] }, read({ response_type: given })),
    );
  t.equal(await check('code'), 'code');
  t.equal(await check('token id_token'), 'id_token token');
  t.equal(await check('id_token'), 'redirected unauthorized_client');
  t.equal(await check(undefined), 'redirected invalid_request');
  for (const type of ['token', 'code token', 'code code', 'CODE', 'code ']) {
    t.equal(await check(type), 'redirected unsupported_response_type', type);
  }
});

t.test('scope', async (t) => {
  const check = (scope: string | undefined, type: 'code' | 'id_token' = 'code') =>
    outcomeOf(() => checkScope(read({ scope }), type));
  t.equal(await check('openid  profile openid nonsense'), 'openid profile');
  t.equal(await check('openid offline_access'), 'openid offline_access');
  t.equal(await check('openid offline_access', 'id_token'), 'openid');
  t.equal(await check('openid urn:service:iam:org:id:o1'), 'openid urn:service:iam:org:id:o1');
  for (const scope of [undefined, 'profile', 'OPENID', 'openid\ttab', 'openid "', 'openid \\', 'openid é']) {
    t.equal(await check(scope), 'redirected invalid_scope', scope ?? 'none');
  }
});

t.test('PKCE', async (t) => {
  const challenge = 'c'.repeat(43);
  const check = (
    source: object,
    authMethod: 'none' | 'client_secret_basic',
    type: 'code' | 'id_token' = 'code',
  ) => outcomeOf(() => checkPkce(read(source), { authMethod, responseType: type }));
  const s256 = { code_challenge: challenge, code_challenge_method: 'S256' };
  t.equal(await check(s256, 'none'), challenge);
  t.equal(await check(s256, 'client_secret_basic'), challenge);
  t.equal(await check({}, 'client_secret_basic'), undefined);
  t.equal(await check({}, 'none', 'id_token'), undefined, 'no code, nothing to protect');
  const refused = [
    {},
    { code_challenge: challenge },
    { ...s256, code_challenge_method: 'plain' },
    { ...s256, code_challenge_method: 's256' },
    { code_challenge_method: 'S256' },
    { ...s256, code_challenge: `${challenge}=` },
    { ...s256, code_challenge: 'c'.repeat(42) },
    { ...s256, code_challenge: `${'c'.repeat(42)}+` },
  ];
  for (const source of refused) t.equal(await check(source, 'none'), 'redirected invalid_request');
});

t.test('nonce, prompt, max_age', async (t) => {
  t.equal(checkNonce(read({}), 'code'), undefined);
  t.equal(checkNonce(read({ nonce: 'n' }), 'id_token'), 'n');
  t.equal(await outcomeOf(() => checkNonce(read({}), 'id_token token')), 'redirected invalid_request');

  t.same(checkPrompt(read({})), []);
  t.same(checkPrompt(read({ prompt: 'login  select_account login' })), ['login', 'select_account']);
  t.same(checkPrompt(read({ prompt: 'consent' })), []);
  for (const prompt of ['none login', 'none consent', 'LOGIN', 'x']) {
    t.equal(await outcomeOf(() => checkPrompt(read({ prompt }))), 'redirected invalid_request', prompt);
  }

  t.equal(checkMaxAge(read({})), undefined);
  t.equal(checkMaxAge(read({ max_age: '0' })), 0);
  t.equal(checkMaxAge(read({ max_age: '3600' })), 3600);
  for (const max_age of ['-1', '1.5', '1e3', ' 1', '9'.repeat(40), 'NaN']) {
    t.equal(await outcomeOf(() => checkMaxAge(read({ max_age }))), 'redirected invalid_request', max_age);
  }
});

t.test('hints never fail', async (t) => {
  const readHint = async (text: string) => (text === 'good' ? { userId: 'u', clientId: 'c' } : undefined);
  const hints = (source: object) => readHints(readHint, read(source));
  t.same(await hints({}), { uiLocales: [] });
  t.same(await hints({ id_token_hint: 'good', login_hint: ' ada ', ui_locales: 'de-CH xx_bad <b> en' }), {
    hintedUserId: 'u',
    loginHint: 'ada',
    uiLocales: ['de-CH', 'en'],
  });
  t.same(await hints({ id_token_hint: 'bad', login_hint: 'x'.repeat(400) }), { uiLocales: [] });
  t.equal((await hints({ ui_locales: 'de '.repeat(500) })).uiLocales.length, 10);
});
