import t from 'tap';
import { makeOrganization } from '../../support/app/make.js';
import { makeApplication, redirectUri } from '../../support/app/oauth-client.js';
import { buildTestApp } from '../../support/app/test-app.js';

const { app, container } = await buildTestApp(t);
const organization = await makeOrganization(container);
const client = await makeApplication(container, organization.id);
const formType = 'application/x-www-form-urlencoded';

function post(url: string, payload: string | Buffer, contentType: string | undefined = formType) {
  return app.inject({
    method: 'POST',
    url,
    payload,
    headers: {
      ...client.credentials.headers,
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
  });
}

/** The characters of RFC 6749 section 5.2: printable ASCII without the double quote and the backslash. */
const description = /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/;
const codeGrant = `grant_type=authorization_code&redirect_uri=${encodeURIComponent(redirectUri)}`;
const endpoints = ['/oauth/v2/token', '/oauth/v2/introspect', '/oauth/v2/revoke'];

t.test('only forms are read', async (t) => {
  for (const url of endpoints) {
    for (const [type, body] of [
      ['application/json', '{"grant_type":"client_credentials","token":"x"}'],
      ['text/plain', 'grant_type=client_credentials&token=x'],
      ['multipart/form-data; boundary=a', '--a--'],
      ['application/xml', '<token/>'],
      [`${formType}x`, 'token=x'],
    ] as const) {
      const answer = await post(url, body, type);
      t.equal(answer.statusCode, 400, `${url} ${type}`);
      t.equal(answer.json().error, 'invalid_request', `${url} ${type}`);
      t.match(answer.json().error_description, description);
      t.equal(answer.headers['cache-control'], 'no-store');
    }
  }
  for (const type of [`${formType}; charset=UTF-8`, 'Application/X-WWW-Form-Urlencoded']) {
    t.same((await post('/oauth/v2/revoke', 'token=x', type)).statusCode, 200, type);
  }
});

t.test('names of prototypes, brackets and bytes that are no text mean nothing', async (t) => {
  const rows: [payload: string | Buffer, error: string][] = [
    ['__proto__=1&constructor=2&toString=3', 'invalid_request'],
    ['grant_type=__proto__', 'unsupported_grant_type'],
    ['grant_type=constructor', 'unsupported_grant_type'],
    ['grant_type=toString', 'unsupported_grant_type'],
    ['grant_type[]=authorization_code', 'invalid_request'],
    ['grant_type[$ne]=x', 'invalid_request'],
    ['grant_type=AUTHORIZATION_CODE', 'unsupported_grant_type'],
    ['grant_type=authorization_code%00', 'unsupported_grant_type'],
    ['?grant_type=authorization_code', 'invalid_request'],
    [`${codeGrant}&code=%ff%fe`, 'invalid_grant'],
    [`${codeGrant}&code=%zz%`, 'invalid_grant'],
    [`${codeGrant}&code=__proto__`, 'invalid_grant'],
    [Buffer.concat([Buffer.from(`${codeGrant}&code=`), Buffer.from([0xff, 0xfe, 0x00])]), 'invalid_grant'],
    ['grant_type=refresh_token&refresh_token=__proto__', 'invalid_grant'],
    [`${codeGrant}&code=x&${'p=1&'.repeat(5)}`, 'invalid_request'],
    [`${codeGrant}&code=x&${Array.from({ length: 90 }, (_, n) => `p${n}=1`).join('&')}`, 'invalid_grant'],
    [
      `${codeGrant}&code=x&${Array.from({ length: 5_000 }, (_, n) => `p${n}=1`).join('&')}`,
      'invalid_request',
    ],
    ['', 'invalid_request'],
  ];
  for (const [payload, error] of rows) {
    const answer = await post('/oauth/v2/token', payload);
    const name = JSON.stringify(payload.toString().slice(0, 100));
    t.match({ status: answer.statusCode, ...answer.json() }, { status: 400, error }, name);
    t.match(answer.json().error_description, description, name);
  }
  t.equal(Object.hasOwn(Object.prototype, '1'), false);
});

t.test('parameters count in the body alone', async (t) => {
  const answer = await post('/oauth/v2/token?grant_type=authorization_code&code=x', '');
  t.match(answer.json(), { error: 'invalid_request', error_description: /grant_type/ });
  t.same((await post('/oauth/v2/introspect?token=x', '')).json().error, 'invalid_request');
});

t.test('a code that is too long is unknown, and a body that is too long is refused', async (t) => {
  const long = await post('/oauth/v2/token', `${codeGrant}&code=${'x'.repeat(65_000)}`);
  t.match(long.json(), { error: 'invalid_grant' });
  const longer = await post('/oauth/v2/token', `${codeGrant}&code=${'x'.repeat(66_000)}`);
  t.equal(longer.statusCode, 413);
  t.match(longer.json(), { error: 'invalid_request' });
});

t.test(
  'the authorization endpoint takes odd names for unknown ones, and brings odd text back whole',
  async (t) => {
    const ask = (query: string) => app.inject({ method: 'GET', url: `/oauth/v2/authorize?${query}` });
    for (const id of [
      '__proto__',
      'constructor',
      'hasOwnProperty',
      '%ff%fe',
      '%zz',
      '%00',
      '..%2f',
      '%5B%5D',
    ]) {
      const answer = await ask(`client_id=${id}&redirect_uri=${encodeURIComponent(redirectUri)}`);
      t.equal(answer.statusCode, 400, id);
      t.match(answer.headers['content-type'], /text\/html/, id);
      t.equal(answer.headers.location, undefined, id);
    }
    const target = `client_id=${client.id}&redirect_uri=${encodeURIComponent(redirectUri)}`;
    const request = `${target}&response_type=code&scope=openid&prompt=none`;
    for (const [given, returned] of [
      ['%f0%9f%a6%8a%20%2b%26%3d', '🦊 +&='],
      ['%ff', '%ff'],
      ['%zz', '%zz'],
      ['%0d%0aLocation:%20https://evil.example', '\r\nLocation: https://evil.example'],
    ] as const) {
      const { headers, statusCode } = await ask(`${request}&state=${given}`);
      t.equal(statusCode, 303, given);
      const location = new URL(String(headers.location));
      t.equal(location.origin + location.pathname, redirectUri, given);
      t.equal(location.searchParams.get('error'), 'login_required', given);
      t.equal(location.searchParams.get('state'), returned, given);
      t.match(location.searchParams.get('error_description'), description, given);
    }
    for (const query of ['scope[]=openid', 'state[a]=b', '__proto__[client_id]=x', 'CLIENT_ID=x']) {
      const { headers } = await ask(`${request}&${query}`);
      t.match(String(headers.location), /error=login_required/, `${query} is unknown`);
    }
  },
);

t.test('parameters have the lengths that the description of the API says', async (t) => {
  const { paths } = (await app.inject('/openapi.json')).json();
  const tooLong = /too long|longer than/;
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const usual = {
    '/oauth/v2/authorize': {
      ...{ client_id: client.id, redirect_uri: redirectUri, response_type: 'code', scope: 'openid' },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    },
    '/oidc/v1/end_session': {},
  };
  /** What the service says about a request, on a page or to the application. */
  const said = async (address: string, parameters: Record<string, string>): Promise<string> => {
    const { headers, payload } = await app.inject(`${address}?${new URLSearchParams(parameters)}`);
    const location = String(headers['location'] ?? '');
    return location.startsWith(redirectUri)
      ? (new URL(location).searchParams.get('error_description') ?? '')
      : payload;
  };
  const lengths: Record<string, number> = {};
  for (const [path, parameters] of Object.entries(usual)) {
    const form = paths[path].post.requestBody.content['application/x-www-form-urlencoded'].schema;
    for (const { name, schema } of paths[path].get.parameters) {
      const longest: number = schema.maxLength;
      lengths[`${path} ${name}`] = longest;
      t.equal(form.properties[name].maxLength, longest, `${name} of a form`);
      const character = schema.pattern === undefined ? 'x' : '1';
      const send = (length: number) => said(path, { ...parameters, [name]: character.repeat(length) });
      t.notMatch(await send(longest), tooLong, `${path} ${name}`);
      t.match(await send(longest + 1), tooLong, `${path} ${name}, one more`);
    }
  }
  t.match(lengths, { '/oauth/v2/authorize nonce': 512, '/oidc/v1/end_session client_id': 300 });
});
