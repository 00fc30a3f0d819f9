import t, { type Test } from 'tap';
import { openScim } from '../../support/app/scim-app.js';
import {
  type Answer,
  newUser,
  patchOp,
  type ScimClient,
  scimType,
  urn,
} from '../../support/scim/scim-client.js';

/** Every answer to a request that cannot be served, as its client sees it. */

const { tenant, client, app } = await openScim(t);
const scim = await tenant();
const other = await tenant();
const user = await scim.create({ userName: 'errors' });
await scim.create({ userName: 'Taken' });

const big = 'x'.repeat(1_100_000);

interface Row {
  readonly method?: string;
  readonly path?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly as?: ScimClient;
  readonly status: number;
  readonly type?: string;
  /** The stable error id. */
  readonly id: string;
}

function create(differences: Record<string, unknown>, more: Omit<Row, 'method' | 'path' | 'body'>): Row {
  return { method: 'POST', path: '/Users', body: newUser(differences), ...more };
}

function patch(operation: unknown, more: Omit<Row, 'method' | 'path' | 'body'>): Row {
  return { method: 'PATCH', path: `/Users/${user.id}`, body: patchOp(operation), ...more };
}

function list(query: string, more: Omit<Row, 'method' | 'path'>): Row {
  return { path: `/Users?${query}`, ...more };
}

function search(body: Record<string, unknown>, more: Omit<Row, 'method' | 'path' | 'body'>): Row {
  return { method: 'POST', path: '/Users/.search', body: { schemas: [urn.searchRequest], ...body }, ...more };
}

const syntax = (id: string) => ({ status: 400, type: 'invalidSyntax', id });
const value = (id: string) => ({ status: 400, type: 'invalidValue', id });
const filter = (id: string) => ({ status: 400, type: 'invalidFilter', id });
const path = { status: 400, type: 'invalidPath', id: 'scim.badPath' };
const userNotFound = { status: 404, id: 'directory.userNotFound' };
const organizationNotFound = { status: 404, id: 'directory.organizationNotFound' };
const urlNotFound = { status: 404, id: 'scim.urlNotFound' };
const notAllowed = { status: 405, id: 'scim.methodNotAllowed' };
const meNotImplemented = { status: 501, id: 'scim.meNotImplemented' };
const forbidden = { status: 403, id: 'tokens.permissionMissing' };
const tooLarge = { status: 413, id: 'http.bodyTooLarge' };

const viewer = await client({ orgId: scim.orgId, role: 'ORG_USER_VIEWER' });
const roleless = await client({ orgId: scim.orgId, role: 'none' });
const ownerOfOther = other.at(scim.orgId);
const instanceOwner = await client({ orgId: other.orgId, role: 'IAM_OWNER' });
const filterOf1001 = `userName eq "${'a'.repeat(987)}"`;

const rows: Record<string, Row> = {
  // Broken JSON, wrong JSON type, missing schema URN.
  'broken JSON': { method: 'POST', path: '/Users', body: '{"schemas":', ...syntax('scim.badJson') },
  'an empty body': {
    method: 'POST',
    path: '/Users',
    body: '',
    headers: { 'content-length': '0' },
    ...syntax('scim.badJson'),
  },
  'JSON that nests without end': {
    method: 'POST',
    path: '/Users',
    body: '['.repeat(50_000),
    ...syntax('scim.badJson'),
  },
  'a body that is a list': { method: 'POST', path: '/Users', body: [], ...syntax('scim.wrongType') },
  'a body that is null': {
    method: 'PUT',
    path: `/Users/${user.id}`,
    body: 'null',
    ...syntax('scim.wrongType'),
  },
  'a number for a string that JSON parsers change': create({ externalId: 2 ** 53 }, syntax('scim.wrongType')),
  'a string for a list': create({ emails: 'a@example.com' }, syntax('scim.wrongType')),
  'a string for an object': create({ name: 'Barbara' }, syntax('scim.wrongType')),
  'a word for a boolean': create({ active: 'yes' }, syntax('scim.wrongType')),
  'no schemas': create({ schemas: undefined }, syntax('scim.missingSchema')),
  'schemas of something else': create({ schemas: ['urn:x'] }, syntax('scim.missingSchema')),
  'a PATCH with another URN': {
    method: 'PATCH',
    path: `/Users/${user.id}`,
    body: { schemas: [urn.bulkRequest], Operations: [{ op: 'remove', path: 'title' }] },
    ...syntax('scim.missingSchema'),
  },
  'a PATCH without operations': {
    method: 'PATCH',
    path: `/Users/${user.id}`,
    body: patchOp(),
    ...syntax('scim.badPatchOp'),
  },
  'an unknown op': patch({ op: 'move', path: 'title', value: 'x' }, syntax('scim.badPatchOp')),
  'a search with another URN': {
    method: 'POST',
    path: '/Users/.search',
    body: { schemas: [urn.patchOp] },
    ...syntax('scim.missingSchema'),
  },
  'a count that is a list in a search': search({ count: [10] }, syntax('scim.wrongType')),
  'a Bulk with another URN': {
    method: 'POST',
    path: '/Bulk',
    body: { schemas: [urn.patchOp], Operations: [] },
    ...syntax('scim.missingSchema'),
  },
  'a Bulk whose Operations are no list': {
    method: 'POST',
    path: '/Bulk',
    body: { schemas: [urn.bulkRequest], Operations: {} },
    ...syntax('scim.wrongType'),
  },

  // Missing or bad value, weak password, count, sort.
  'no userName': create({ userName: '' }, value('scim.missingValue')),
  'a blank userName': create({ userName: '  ' }, value('directory.valueMissing')),
  'a bad email': create({ emails: [{ value: 'nobody' }] }, value('directory.valueInvalid')),
  'a phone number of 501 characters': create(
    { phoneNumbers: [{ value: '5'.repeat(501) }] },
    value('directory.valueInvalid'),
  ),
  'a bad locale': create({ locale: 'not a language' }, value('directory.valueInvalid')),
  'a bad language': create({ preferredLanguage: '12345' }, value('directory.valueInvalid')),
  'a bad time zone': create({ timezone: 'Mars/Olympus' }, value('directory.valueInvalid')),
  'a profileUrl that is no URL': create(
    { profileUrl: 'javascript:alert(1)' },
    value('directory.valueInvalid'),
  ),
  'a photo that is no URL': create(
    { photos: [{ value: 'ftp://x.example' }] },
    value('directory.valueInvalid'),
  ),
  'a userName of 201 characters': create({ userName: 'u'.repeat(201) }, value('directory.valueInvalid')),
  'a null character': create({ title: 'a\u0000b' }, value('scim.badValue')),
  'half a surrogate pair': create({ title: 'a\ud800b' }, value('scim.badValue')),
  'a password without a symbol': create({ password: 'Broadfinch1' }, value('directory.passwordWeak')),
  'a password of 7 characters': create({ password: 'Fi$$ch0' }, value('directory.passwordWeak')),
  'a common password': create({ password: 'Password1!' }, value('directory.passwordWeak')),
  'a password of 201 characters': create(
    { password: `Pa$$w0rd${'x'.repeat(193)}` },
    value('directory.passwordWeak'),
  ),
  'a weak password in a PATCH': patch(
    { op: 'replace', path: 'password', value: 'weak' },
    value('directory.passwordWeak'),
  ),
  'an add without value': patch({ op: 'add', path: 'title' }, value('scim.missingValue')),
  'count that is no number': list('count=many', value('scim.badCount')),
  'count that is a fraction': list('count=1.5', value('scim.badCount')),
  'startIndex that is no number': list('startIndex=first', value('scim.badCount')),
  'a bad sortBy': list('sortBy=password', value('scim.badSort')),
  'a sortBy that cannot be sorted by': list('sortBy=title', value('scim.badSort')),
  'a bad sortOrder': list('sortOrder=random', value('scim.badSort')),
  'a repeated parameter': list('count=1&count=2', value('scim.badValue')),
  'attributes and excludedAttributes': list(
    'attributes=userName&excludedAttributes=title',
    value('scim.bothProjections'),
  ),

  // Filters and cursors.
  'a filter that is not well-formed': list('filter=userName+eq', filter('scim.filterSyntax')),
  'a filter on an unknown attribute': list('filter=shoeSize+eq+%2242%22', filter('scim.filterUnsupported')),
  'a filter on the password': list('filter=password+sw+%22a%22', filter('scim.filterUnsupported')),
  'an operator that an attribute lacks': list('filter=active+co+%22a%22', filter('scim.filterUnsupported')),
  'a filter of 1001 characters': list(
    `filter=${encodeURIComponent(filterOf1001)}`,
    filter('scim.filterTooLong'),
  ),
  'a bad filter in a search': search({ filter: 'userName xx "a"' }, filter('scim.filterSyntax')),
  'a bad cursor': list('cursor=abc', { status: 400, type: 'invalidCursor', id: 'scim.badCursor' }),

  // PATCH paths and targets.
  'a malformed path': patch({ op: 'add', path: 'emails[type eq', value: 'x' }, path),
  'an unknown path': patch({ op: 'replace', path: 'shoeSize', value: '42' }, path),
  'a part of an attribute that has none': patch({ op: 'replace', path: 'title.nick', value: 'x' }, path),
  'remove without path': patch({ op: 'remove' }, { status: 400, type: 'noTarget', id: 'scim.pathRequired' }),
  'a value path that matches nothing': patch(
    { op: 'replace', path: 'emails[type ne "work"].value', value: 'a@example.com' },
    { status: 400, type: 'noTarget', id: 'scim.noTarget' },
  ),
  'a read-only path': patch(
    { op: 'replace', path: 'id', value: 'x' },
    { status: 400, type: 'mutability', id: 'scim.readOnly' },
  ),
  'a path into meta': patch(
    { op: 'replace', path: 'meta.created', value: '2020-01-01T00:00:00Z' },
    { status: 400, type: 'mutability', id: 'scim.readOnly' },
  ),
  'removing what is required': patch(
    { op: 'remove', path: 'userName' },
    { status: 400, type: 'mutability', id: 'scim.requiredRemoved' },
  ),

  // Uniqueness.
  'a userName that is taken': create(
    { userName: 'taken' },
    { status: 409, type: 'uniqueness', id: 'directory.userNameTaken' },
  ),
  'a userName that is taken, in a PUT': {
    method: 'PUT',
    path: `/Users/${user.id}`,
    body: newUser({ userName: 'TAKEN' }),
    status: 409,
    type: 'uniqueness',
    id: 'directory.userNameTaken',
  },
  'a userName that is taken, in a PATCH': patch(
    { op: 'replace', path: 'userName', value: 'tAkEn' },
    { status: 409, type: 'uniqueness', id: 'directory.userNameTaken' },
  ),

  // Objects that do not exist, as far as the caller can know.
  'reading an unknown user': { path: '/Users/nobody', ...userNotFound },
  'replacing an unknown user': { method: 'PUT', path: '/Users/nobody', body: newUser(), ...userNotFound },
  'patching an unknown user': {
    method: 'PATCH',
    path: '/Users/nobody',
    body: patchOp({ op: 'replace', path: 'title', value: 'x' }),
    ...userNotFound,
  },
  'deleting an unknown user': { method: 'DELETE', path: '/Users/nobody', ...userNotFound },
  'an identifier that is a null character': { path: '/Users/%00', ...userNotFound },
  'an identifier of 5000 characters': { path: `/Users/${'x'.repeat(5000)}`, ...userNotFound },
  'an unknown organization': { path: '/Users', as: instanceOwner.at('nowhere'), ...organizationNotFound },
  'an organization without a role there': { path: '/Users', as: ownerOfOther, ...organizationNotFound },
  'an organization without any role': { path: '/Users', as: roleless, ...organizationNotFound },
  'an unknown schema': { path: '/Schemas/urn:x', status: 404, id: 'scim.schemaNotFound' },
  'an unknown resource type': { path: '/ResourceTypes/Device', status: 404, id: 'scim.resourceTypeNotFound' },
  'an unknown URL': { path: '/Devices', ...urlNotFound },
  'an unknown URL below a user': { path: `/Users/${user.id}/emails`, ...urlNotFound },
  'an unknown URL to write to': { method: 'POST', path: '/Nothing', body: {}, ...urlNotFound },
  'the base itself': { path: '', ...urlNotFound },
  'a URL that ends in two slashes': { path: '/Users//', status: 404, id: 'directory.userNotFound' },

  // Operations that the role does not allow.
  'creating as a viewer': { method: 'POST', path: '/Users', body: newUser(), as: viewer, ...forbidden },
  'replacing as a viewer': {
    method: 'PUT',
    path: `/Users/${user.id}`,
    body: newUser(),
    as: viewer,
    ...forbidden,
  },
  'patching as a viewer': { ...patch({ op: 'remove', path: 'title' }, forbidden), as: viewer },
  'deleting as a viewer': { method: 'DELETE', path: `/Users/${user.id}`, as: viewer, ...forbidden },

  // Methods.
  'deleting all users': { method: 'DELETE', path: '/Users', ...notAllowed },
  'replacing all users': { method: 'PUT', path: '/Users', body: newUser(), ...notAllowed },
  'posting to a user': { method: 'POST', path: `/Users/${user.id}`, body: newUser(), ...notAllowed },
  'posting to ServiceProviderConfig': {
    method: 'POST',
    path: '/ServiceProviderConfig',
    body: {},
    ...notAllowed,
  },
  'replacing ServiceProviderConfig': {
    method: 'PUT',
    path: '/ServiceProviderConfig',
    body: {},
    ...notAllowed,
  },
  'patching ServiceProviderConfig': {
    method: 'PATCH',
    path: '/ServiceProviderConfig',
    body: {},
    ...notAllowed,
  },
  'deleting ServiceProviderConfig': { method: 'DELETE', path: '/ServiceProviderConfig', ...notAllowed },
  'posting to Schemas': { method: 'POST', path: '/Schemas', body: {}, ...notAllowed },
  'deleting a schema': { method: 'DELETE', path: `/Schemas/${urn.user}`, ...notAllowed },
  'posting to ResourceTypes': { method: 'POST', path: '/ResourceTypes', body: {}, ...notAllowed },
  'patching a resource type': { method: 'PATCH', path: '/ResourceTypes/User', body: {}, ...notAllowed },
  'reading the search': { path: '/Users/.search', ...notAllowed },
  'reading Bulk': { path: '/Bulk', ...notAllowed },
  'OPTIONS of all users': { method: 'OPTIONS', path: '/Users', ...notAllowed },
  'OPTIONS of a user': { method: 'OPTIONS', path: `/Users/${user.id}`, ...notAllowed },
  'OPTIONS of Schemas': { method: 'OPTIONS', path: '/Schemas', ...notAllowed },
  'TRACE of all users': { method: 'TRACE', path: '/Users', ...notAllowed },
  'QUERY of all users': { method: 'QUERY', path: '/Users', ...notAllowed },
  'QUERY of a user': { method: 'QUERY', path: `/Users/${user.id}`, ...notAllowed },
  'QUERY of Schemas, with a body': { method: 'QUERY', path: '/Schemas', body: {}, ...notAllowed },
  'QUERY of an unknown URL': { method: 'QUERY', path: '/Nothing', status: 404, id: 'http.notFound' },
  'PROPFIND of all users': { method: 'PROPFIND', path: '/Users', ...notAllowed },
  'PURGE of a user': { method: 'PURGE', path: `/Users/${user.id}`, ...notAllowed },
  'LOCK of Bulk': { method: 'LOCK', path: '/Bulk', ...notAllowed },
  'SEARCH of a schema': { method: 'SEARCH', path: `/Schemas/${urn.user}`, ...notAllowed },
  'REPORT of an unknown URL': { method: 'REPORT', path: '/Nothing', ...urlNotFound },
  'QUERY of /Me': { method: 'QUERY', path: '/Me', ...meNotImplemented },
  'PROPFIND of /Me': { method: 'PROPFIND', path: '/Me?x=1', ...meNotImplemented },
  'reading /Me': { path: '/Me', ...meNotImplemented },
  'patching /Me': { method: 'PATCH', path: '/Me', body: {}, ...meNotImplemented },
  'broken JSON for /Me': { method: 'POST', path: '/Me', body: '{"schemas":', ...meNotImplemented },

  // Sizes.
  'a user that is too large': { method: 'POST', path: '/Users', body: big, ...tooLarge },
  'a Bulk of 1,000,001 bytes': { method: 'POST', path: '/Bulk', body: ' '.repeat(1_000_001), ...tooLarge },
  'a Bulk of 101 operations': {
    method: 'POST',
    path: '/Bulk',
    body: {
      schemas: [urn.bulkRequest],
      Operations: Array.from({ length: 101 }, () => ({ method: 'DELETE', path: '/Users/x' })),
    },
    status: 413,
    id: 'scim.tooManyOperations',
  },
};

for (const [name, { method = 'GET', path = '', body, headers, as = scim, ...expected }] of Object.entries(
  rows,
)) {
  t.test(name, async (t) => {
    const answer = await as.send(method, path, { body, headers });
    sameError(t, answer, expected);
    t.notOk(answer.headers['www-authenticate'], 'no challenge');
    t.equal(Boolean(answer.headers['allow']), expected.status === 405, 'the methods that are allowed');
  });
}

/** Checks the whole error body of RFC 7644 section 3.12 with the extension of the service. */
function sameError(t: Test, answer: Answer, { status, type, id }: Pick<Row, 'status' | 'type' | 'id'>): void {
  const { detail, [urn.errorDetail]: extension, ...rest } = answer.body ?? {};
  t.equal(answer.status, status, answer.text);
  t.equal(answer.headers['x-error-id'], id, 'in a header too');
  t.match(answer.headers['content-type'], /^application\/scim\+json(; charset=utf-8)?$/);
  t.same(rest, {
    schemas: [urn.error, urn.errorDetail],
    ...(type !== undefined && { scimType: type }),
    status: String(status),
  });
  t.ok(typeof detail === 'string' && detail.length > 0, 'a detail');
  t.same(Object.keys(extension ?? {}).sort(), ['id', 'message']);
  t.equal(extension?.id, id);
  t.ok(typeof extension?.message === 'string' && extension.message.length > 0, 'a message');
}

t.test('a request without a token, or with a bad one, gets a challenge', async (t) => {
  const requests: [string, string, unknown?][] = [
    ['GET', '/Users'],
    ['GET', `/Users/${user.id}`],
    ['POST', '/Users', newUser()],
    ['PUT', `/Users/${user.id}`, newUser()],
    ['PATCH', `/Users/${user.id}`, patchOp()],
    ['DELETE', `/Users/${user.id}`],
    ['POST', '/Users/.search', {}],
    ['POST', '/Bulk', {}],
  ];
  const tokens: Record<string, string> = {
    'no token': '',
    'another scheme': 'Basic YTpi',
    'an empty token': 'Bearer ',
    'a made-up token': 'Bearer abc',
    'a made-up personal access token': 'Bearer mpat_abc.def',
    'a token with another secret': `Bearer ${scim.token.slice(0, -3)}AAA`,
  };
  for (const [name, authorization] of Object.entries(tokens)) {
    for (const [method, path, body] of requests) {
      const answer = await scim.send(method, path, { body, headers: { authorization } });
      const missing = ['no token', 'another scheme', 'an empty token'].includes(name);
      sameError(t, answer, { status: 401, id: missing ? 'tokens.tokenMissing' : 'tokens.tokenInvalid' });
      t.equal(answer.headers['www-authenticate'], 'Bearer', `${name}: ${method} ${path}`);
    }
  }
});

t.test('discovery needs no token', async (t) => {
  for (const path of [
    '/ServiceProviderConfig',
    '/Schemas',
    `/Schemas/${urn.user}`,
    '/ResourceTypes',
    '/ResourceTypes/User',
  ]) {
    const answer = await scim.get(path, { authorization: '' });
    t.equal(answer.status, 200, path);
    t.match(answer.headers['content-type'], /^application\/scim\+json/);
  }
});

t.test('a URL whose encoding is broken is an error of SCIM', async (t) => {
  for (const path of ['/Users/%', '/Users/%zz', '/Users/%c3%28', '/%ff']) {
    const answer = await scim.get(path);
    sameError(t, answer, { status: 400, type: 'invalidValue', id: 'http.urlMalformed' });
  }
});

t.test('what a request may say of media types', async (t) => {
  const allowed = [
    '',
    scimType,
    'application/json',
    'application/*',
    '*/*',
    'Application/SCIM+JSON',
    'application/scim+json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ];
  for (const type of allowed) {
    t.equal(
      (await scim.post('/Users', newUser(), { 'content-type': type })).status,
      201,
      `Content-Type: ${type}`,
    );
    t.equal((await scim.get('/Users?count=0', { accept: type })).status, 200, `Accept: ${type}`);
  }
  const acceptLists = [
    'text/html, application/scim+json',
    'text/html;q=0.9, */*;q=0.1',
    'application/json, text/plain, */*',
    'application/json; q=0, application/scim+json',
  ];
  for (const accept of acceptLists) {
    t.equal((await scim.get('/Users?count=0', { accept })).status, 200, `Accept: ${accept}`);
  }
  const refused = [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/json; charset=iso-8859-1',
    'application/scim+json; charset=utf-16',
  ];
  for (const type of refused) {
    const sent = await scim.post('/Users', newUser(), { 'content-type': type });
    sameError(t, sent, { status: 400, type: 'invalidValue', id: 'scim.badMediaType' });
    const wanted = await scim.get('/Users', { accept: type });
    sameError(t, wanted, { status: 400, type: 'invalidValue', id: 'scim.badMediaType' });
  }
  const unreadable = await scim.post('/Users', newUser(), { 'content-type': 'no media type' });
  sameError(t, unreadable, { status: 400, type: 'invalidValue', id: 'http.mediaTypeUnsupported' });
  for (const accept of ['application/scim+json;q=0', 'text/html, application/xml']) {
    const none = await scim.get('/Users', { accept });
    sameError(t, none, { status: 400, type: 'invalidValue', id: 'scim.badMediaType' });
  }
});

t.test('a DELETE may declare the type of a body that it has not', async (t) => {
  for (const type of [scimType, 'application/json; charset=utf-8', 'application/json']) {
    const { id } = await scim.create();
    const answer = await scim.delete(`/Users/${id}`, { 'content-type': type });
    t.equal(answer.status, 204, type);
  }
});

t.test('a caller that sends too much is told when to come back', async (t) => {
  const limited = await openScim(t, { rateLimitPerClient: 3 });
  const [first, second] = [await limited.tenant(), await limited.tenant()];
  limited.clock.startMinute();
  for (let i = 0; i < 3; i++) t.equal((await first.get('/Users')).status, 200);
  const answer = await first.get('/Users');
  sameError(t, answer, { status: 429, id: 'http.rateLimited' });
  const seconds = Number(answer.headers['retry-after']);
  t.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `Retry-After: ${seconds}`);
  t.equal((await second.get('/Users')).status, 200, 'another caller is not limited');
});

t.test('a saturated pool of password hashes answers 503 and says when to come back', async (t) => {
  const busy = await openScim(t, {
    hashConcurrency: 1,
    hashQueue: 0,
    argon2MemoryKib: 65_536,
    argon2Passes: 3,
  });
  const scim = await busy.tenant();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => scim.post('/Users', newUser({ password: 'Correct-Horse-9' }))),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  t.ok(refused.length > 0 && refused.length < 6, `${refused.length} of 6 are refused`);
  for (const answer of refused) {
    sameError(t, answer, { status: 503, id: 'keys.hashPoolSaturated' });
    t.match(answer.headers['retry-after'], /^[1-9]\d*$/);
  }
  t.equal(
    (await scim.post('/Users', newUser({ password: 'Correct-Horse-9' }))).status,
    201,
    'later it works',
  );
});

t.test('a request that failed changed nothing', async (t) => {
  const now = await scim.get(`/Users/${user.id}`);
  t.same(now.body, user);
});

t.test('errors of another room are problem documents, not SCIM errors', async (t) => {
  const answer = await app.inject({ url: '/nowhere' });
  t.equal(answer.statusCode, 404);
  t.match(answer.headers['content-type'], /^application\/problem\+json/);
});

t.test('a slash at the end of an address changes nothing', async (t) => {
  const slashed = await tenant();
  const made = await slashed.post('/Users/?attributes=userName', newUser({ userName: 'slash' }));
  t.equal(made.status, 201, made.text);
  const { id } = made.body;
  for (const path of ['/Users', `/Users/${id}`, '/Schemas', '/ServiceProviderConfig', '/Users?count=0']) {
    const [plain = '', query] = path.split('?');
    const plainly = await slashed.get(path);
    const again = await slashed.get(query === undefined ? `${plain}/` : `${plain}/?${query}`);
    t.equal(again.status, 200, path);
    t.strictSame(again.body, plainly.body, path);
  }
  t.equal((await slashed.delete(`/Users/${id}/`)).status, 204);
  sameError(t, await slashed.get('/Users/%ff/'), {
    status: 400,
    type: 'invalidValue',
    id: 'http.urlMalformed',
  });
});
