import t from 'tap';
import type { Application } from '#src/clients/applications/application.js';
import { readAuthorizeParameters } from '#src/oidc/authorize/request/authorize-parameters.js';
import { RedirectedError, ShownError } from '#src/oidc/authorize/request/errors.js';
import { checkRequest, findTarget } from '#src/oidc/authorize/steps.js';

const redirectUri = 'https://client.example/cb';
const challenge = 'c'.repeat(43);
const s256 = { code_challenge: challenge, code_challenge_method: 'S256' };

/** The settings of an application that the steps read. */
const client: Partial<Application> = {
  id: 'client',
  type: 'web',
  authMethod: 'client_secret_basic',
  redirectUris: [redirectUri],
  responseTypes: ['code', 'id_token', 'id_token token'],
};

/** The class and code of the error that the work throws; its result when it throws none. */
async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ShownError) return `shown ${error.code}`;
    if (error instanceof RedirectedError) return `redirected ${error.code}`;
    throw error;
  }
}

/** Where the answer to a request goes. Parameters that are not given are those of a good request. */
function target(given: object, differences: Partial<Application> = {}): Promise<unknown> {
  const application = { ...client, ...differences } as Application;
  const parameters = readAuthorizeParameters({ client_id: 'client', redirect_uri: redirectUri, ...given });
  return outcomeOf(async () => {
    const find = async (id: string) => (id === 'client' ? application : undefined);
    return (await findTarget(find, parameters)).target;
  });
}

/** The parameters of a request. Absent ones have the values of a valid request. */
function request(given: object, differences: Partial<Application> = {}): Promise<unknown> {
  const application = { ...client, ...differences } as Application;
  const parameters = readAuthorizeParameters({ response_type: 'code', scope: 'openid', ...given });
  const readHint = async (text: string) => (text === 'good' ? { userId: 'u', clientId: 'c' } : undefined);
  const known = { clientId: 'client', redirectUri, responseMode: 'query' as const };
  return outcomeOf(() => checkRequest(readHint, { application, target: known }, parameters));
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
    const parameters = readAuthorizeParameters(given);
    t.equal(parameters.get('client_id'), 'c');
    for (const name of ['state', 'scope', 'nonce', 'prompt'] as const)
      t.equal(parameters.get(name), undefined);
    t.same([...parameters.repeated], ['scope']);
    t.same([...parameters.oversized], ['nonce']);
    t.equal(readAuthorizeParameters({ state: 's'.repeat(8_192) }).get('state')?.length, 8_192);
    t.equal(readAuthorizeParameters(undefined).get('state'), undefined);
    t.equal(
      readAuthorizeParameters(JSON.parse('{"__proto__":{"state":"x"}}')).get('state'),
      undefined,
      'only own properties',
    );
  },
);

t.test('a good request comes through the steps', async (t) => {
  t.same(await target({ state: 's' }), {
    clientId: 'client',
    redirectUri,
    responseMode: 'query',
    state: 's',
  });
  t.same(await request({ ...s256, nonce: 'n', prompt: 'login', max_age: '60', login_hint: 'ada' }), {
    clientId: 'client',
    redirectUri,
    responseMode: 'query',
    responseType: 'code',
    scope: 'openid',
    codeChallenge: challenge,
    nonce: 'n',
    prompts: ['login'],
    maxAge: 60,
    loginHint: 'ada',
    uiLocales: [],
  });
});

t.test('client', async (t) => {
  for (const client_id of [undefined, '', 'other', ['client', 'client']]) {
    t.equal(await target({ client_id }), 'shown invalid_request');
  }
});

t.test('redirect URI', async (t) => {
  const check = (type: 'web' | 'native', registered: string, given: string | string[]) =>
    target({ redirect_uri: given }, { type, redirectUris: [registered] });
  const accepted: ['web' | 'native', string, string][] = [
    ['web', 'https://a.example/cb', 'https://a.example/cb'],
    ['native', 'http://localhost/cb', 'http://localhost:5/cb'],
    ['native', 'http://127.0.0.1', 'http://127.0.0.1:5'],
  ];
  for (const [type, registered, given] of accepted) {
    t.match(await check(type, registered, given), { redirectUri: given });
  }
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
    t.match(await target({ response_type, response_mode }), { responseMode: expected });
  }
});

t.test('malformed requests and request objects', async (t) => {
  t.equal(await request({ nonce: ['a', 'b'] }), 'redirected invalid_request');
  t.equal(await request({ login_hint: 'x'.repeat(9_000) }), 'redirected invalid_request');
  t.equal(await request({ state: 's'.repeat(8_193) }), 'redirected invalid_request');
  t.equal(await request({ state: 'é'.repeat(4_097) }), 'redirected invalid_request', 'the bytes count');
  t.equal(await request({ request: 'x' }), 'redirected request_not_supported');
  t.equal(await request({ request_uri: 'x' }), 'redirected request_uri_not_supported');
});

t.test('response type', async (t) => {
  const check = (response_type: string | undefined) =>
    request({ response_type, nonce: 'n' }, { responseTypes: ['code', 'id_token token'] });
  t.match(await check('code'), { responseType: 'code' });
  t.match(await check('token id_token'), { responseType: 'id_token token' });
  t.equal(await check('id_token'), 'redirected unauthorized_client');
  t.equal(await check(undefined), 'redirected invalid_request');
  for (const type of ['token', 'code token', 'code code', 'CODE', 'code ']) {
    t.equal(await check(type), 'redirected unsupported_response_type', type);
  }
});

t.test('scope', async (t) => {
  const check = (scope: string | undefined, response_type = 'code') =>
    request({ scope, response_type, nonce: 'n' });
  t.match(await check('openid  profile openid nonsense'), { scope: 'openid profile' });
  t.match(await check('openid offline_access'), { scope: 'openid offline_access' });
  t.match(await check('openid offline_access', 'id_token'), { scope: 'openid' });
  const ofOrganization = 'openid urn:service:iam:org:id:o1';
  t.match(await check(ofOrganization), { scope: ofOrganization });
  t.equal(await check(`${ofOrganization} urn:service:iam:org:id:o2`), 'redirected invalid_scope');
  for (const scope of [undefined, 'profile', 'OPENID', 'openid\ttab', 'openid "', 'openid \\', 'openid é']) {
    t.equal(await check(scope), 'redirected invalid_scope', scope ?? 'none');
  }
});

t.test('PKCE', async (t) => {
  const asPublic = { authMethod: 'none' } as const;
  t.match(await request(s256, asPublic), { codeChallenge: challenge });
  t.match(await request(s256), { codeChallenge: challenge });
  t.notHas(await request({}), { codeChallenge: challenge });
  const implicit = await request({ response_type: 'id_token', nonce: 'n' }, asPublic);
  t.match(implicit, { responseType: 'id_token' }, 'no code, nothing to protect');
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
  for (const given of refused) t.equal(await request(given, asPublic), 'redirected invalid_request');
});

t.test('nonce, prompt, max_age', async (t) => {
  t.match(await request({ response_type: 'id_token', nonce: 'n' }), { nonce: 'n' });
  t.equal(await request({ response_type: 'id_token token' }), 'redirected invalid_request');
  t.equal(await request({ nonce: 'n'.repeat(513) }), 'redirected invalid_request');

  const promptsOf = async (given: object) => ((await request(given)) as { prompts: unknown }).prompts;
  t.same(await promptsOf({}), []);
  t.same(await promptsOf({ prompt: 'login  select_account login' }), ['login', 'select_account']);
  t.same(await promptsOf({ prompt: 'consent login' }), ['consent', 'login']);
  for (const prompt of ['none login', 'none consent', 'LOGIN', 'x']) {
    t.equal(await request({ prompt }), 'redirected invalid_request', prompt);
  }

  t.match(await request({ max_age: '0' }), { maxAge: 0 });
  t.match(await request({ max_age: '3600' }), { maxAge: 3600 });
  for (const max_age of ['-1', '1.5', '1e3', ' 1', '9'.repeat(40), 'NaN']) {
    t.equal(await request({ max_age }), 'redirected invalid_request', max_age);
  }
});

t.test('hints never fail', async (t) => {
  const good = { id_token_hint: 'good', login_hint: ' ada ', ui_locales: 'de-CH xx_bad <b> en' };
  t.match(await request(good), { hintedUserId: 'u', loginHint: 'ada', uiLocales: ['de-CH', 'en'] });
  const ignored = await request({ id_token_hint: 'bad', login_hint: 'x'.repeat(400) });
  t.same(ignored, await request({}));
  const { uiLocales } = (await request({ ui_locales: 'de '.repeat(500) })) as { uiLocales: string[] };
  t.equal(uiLocales.length, 10);
});
