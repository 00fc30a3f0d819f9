import { createHash, hash, randomBytes } from 'node:crypto';
import bcrypt from 'bcryptjs';
import t from 'tap';
import { fromBase32, toBase32, totpCode, totpStep } from '#src/accounts/totp.js';
import { freePort } from '../../dev/free-port.js';
import { secretsIn } from '../../dev/stage/secret-formats.js';
import { type Api, openStage, type Running, type Stage } from '../../dev/stage/stage.js';
import { encodeServiceAccount, serviceAccountFile } from '../../dev/storage/service-account.js';
import { type StorageServer, startStorageServer } from '../../dev/storage/storage-server.js';
import { until } from '../../dev/until.js';
import { hashExamples } from '../support/keys/hash-examples.js';
import { humanUser, importOf } from '../support/migration/imports.js';
import { startMailServer } from '../support/network/mail-server.js';
import { startOtlpReceiver } from '../support/network/otlp-receiver.js';
import { requireArrival, requirePage, type Seen, UserAgent } from '../support/oidc/user-agent.js';
import { newUser } from '../support/scim/bulk.js';
import { type Stored, storedDocuments, storedKeys } from '../support/stores/stored-bytes.js';

/**
 * The test marks every secret of a whole life, and then searches everything that the service wrote: logs of both
 * processes at the lowest level, documents and keys in the stores at the end and while jobs wait and run, exports in a
 * bucket, answers to wrong requests, metrics and traces. No secret may be there in plain text.
 * This is one life. The logs of all other tests are searched for secrets by their form (dev/stage/secret-formats).
 */

const redirectUri = 'http://127.0.0.1:9/callback';
const scim = { 'content-type': 'application/scim+json' };
const mark = (word: string) => `Canary-${word}-7-${randomBytes(9).toString('hex')}`;

interface Marked {
  readonly secret: string;
  /** The one place that may hold it. */
  readonly home?: string;
}

/** The secrets by description, so that a failure names the leaked secret without showing it. */
const secrets = new Map<string, Marked>();
const wrongAnswers: string[] = [];

function keep(name: string, secret: unknown, home?: string): string {
  if (typeof secret !== 'string' || secret.length < 6) throw new Error(`No ${name}: ${secret}`);
  secrets.set(`${name} ${secrets.size}`, { secret, ...(home !== undefined && { home }) });
  return secret;
}

t.test('no secret is written down as it is', { timeout: 300_000 }, async (t) => {
  const mail = await startMailServer(t);
  const receiver = await startOtlpReceiver(t);
  const storage = await startStorageServer(t, ['canary']);
  const port = String(await freePort());
  const baseUrl = `http://127.0.0.1:${port}`;
  const stage = await openStage(t, {
    settings: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
      MUSTER_SMTP_URL: mail.url,
      MUSTER_BASE_URL: baseUrl,
      STORAGE_EMULATOR_HOST: storage.endpoint,
    },
  });
  if (stage === undefined) return;
  const metrics = { api: String(await freePort()), worker: String(await freePort()) };
  const api = await stage.startApi({ PORT: port, MUSTER_METRICS_PORT: metrics.api });
  const worker = await stage.startWorker({ MUSTER_METRICS_PORT: metrics.worker });
  keep('token of the administrator', stage.token);

  const held = await provision(stage, api, worker);
  const { person } = held;
  const client = await register(stage, api);
  await signInAndOut({ stage, api, baseUrl, person, client });
  await callAsPrograms(stage, api);
  await linksByMail({ stage, api, baseUrl, mails: mail.mails, person });
  await askWrongly(stage, api, client);
  const exported = await exportToBucket(stage, api, storage);

  const shown = await Promise.all(
    Object.entries(metrics).map(async ([name, at]) => ({
      place: `metrics of ${name}`,
      bytes: Buffer.from(await (await fetch(`http://127.0.0.1:${at}/metrics`)).arrayBuffer()),
    })),
  );
  const documents = await storedDocuments(stage);
  const keys = await storedKeys(stage);
  // Spans are sent as the processes end.
  for (const running of [api, worker]) running.signal('SIGTERM');
  t.same(await Promise.all([api.exitCode, worker.exitCode]), [0, 0]);
  const written = [
    ...shown,
    ...held.whileRunning,
    ...documents,
    ...keys,
    exported.plain,
    { place: 'requests to the bucket', bytes: Buffer.from(storage.requests.join('\n')) },
    { place: 'log of the API', bytes: Buffer.from(api.log()) },
    { place: 'log of the worker', bytes: Buffer.from(worker.log()) },
    { place: 'traces', bytes: Buffer.from(receiver.text()) },
    { place: 'wrong answers', bytes: Buffer.from(wrongAnswers.join('\n')) },
  ];

  t.ok(documents.length > 30 && keys.length > 5 && wrongAnswers.length > 5 && secrets.size > 40);
  const placesOfJobs = new Set(held.whileRunning.map(({ place }) => place));
  for (const name of ['jobs', 'jobBodies']) {
    t.ok(placesOfJobs.has(`collection ${name}`), `${name} are seen before they go`);
  }
  t.ok(
    held.whileRunning.some(({ place }) => /^key .*:import/.test(place)),
    'the queue, too',
  );
  t.match(api.log(), /"level":(10|"trace"|20|"debug")/, 'the lowest levels are written');
  t.ok(
    documents.some(({ bytes }) => bytes.includes('canary@example.com')),
    'a text that is not secret is found',
  );
  for (const { place, bytes } of written) {
    for (const [name, { secret, home }] of secrets) {
      if (place !== home && bytes.includes(secret)) t.fail(`${place} holds: ${name}`);
    }
  }
  t.ok(receiver.text().includes('POST /oauth/v2/token'), 'there were traces');
  for (const { place, bytes } of [...shown, { place: 'traces', bytes: Buffer.from(receiver.text()) }]) {
    t.same(secretsIn(bytes.toString()), [], `${place}: nothing that looks like a secret either`);
  }

  t.match(exported.plain.bytes.toString(), /canary@example\.com/);
  t.notMatch(exported.plain.bytes.toString(), passwordHash, 'nobody asked for hashes');
  t.match(exported.full.bytes.toString(), passwordHash, 'hashes were asked for');
  const inFull = [...secrets].filter(([, { secret }]) => exported.full.bytes.includes(secret));
  t.ok(inFull.length >= 3, 'second factors were asked for');
  t.same(
    inFull.map(([name]) => name).filter((name) => !/TOTP secret|imported hash/.test(name)),
    [],
    'the export with passwords and second factors holds nothing else',
  );
  t.same(storage.authorizations, []);
});

/**
 * People, made in every possible way.
 * @returns a person with a password and a verified address, and the content of the stores while jobs waited and ran
 */
async function provision(
  stage: Stage,
  api: Api,
  worker: Running,
): Promise<{ person: Person; whileRunning: Stored[] }> {
  const base = `/scim/v2/${stage.orgId}`;
  const post = async (path: string, json: object, headers = scim) => {
    const answer = await api.call(`POST ${path}`, { json, headers });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const password = keep('password by SCIM', mark('Scim'));
  const { id } = await post(`${base}/Users`, newUser('canary', password));
  const later = keep('password by PATCH', mark('Patch'));
  await api.call(`PATCH ${base}/Users/${id}`, {
    headers: scim,
    json: {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'password', value: later }],
    },
  });
  // The worker is paused until the test has read the stores with both jobs waiting.
  worker.signal('SIGSTOP');
  const bulk = post(`${base}/Bulk`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [
      {
        method: 'POST',
        path: '/Users',
        bulkId: 'a',
        data: newUser('bulked', keep('password by Bulk', mark('Bulk'))),
      },
      {
        method: 'POST',
        path: '/Users',
        bulkId: 'b',
        data: { ...newUser('no'), password: keep('weak password', mark('x').toLowerCase()) },
      },
    ],
  });
  const imported = keep('imported password', mark('Import'));
  const totp = keep('imported TOTP secret', toBase32(randomBytes(20)));
  // A hash is kept, and is shown by nothing but an export that asks for it.
  const importedHash = await bcrypt.hash(keep('password of an imported hash', mark('Hash')), 4);
  keep('imported hash', importedHash, 'collection users');
  const ofOthers = hashExamples.map(({ hash: text, stored = text }, index) => {
    for (const one of new Set([text, stored])) {
      keep('imported hash of another system', one, 'collection users');
    }
    return humanUser(`other-${index}`, { hashedPassword: { value: text } });
  });
  const refused = ['pbkdf2_sha256$999999999$seasalt$', 'sha3$seasalt$'].map((form, index) => {
    const value = keep('refused hash', `${form}${randomBytes(32).toString('base64')}`);
    return humanUser(`refused-${index}`, { hashedPassword: { value } });
  });
  const { hashedPassword: _, ...plain } = humanUser('plain').user;
  const importing = post(
    '/admin/v1/import',
    importOf(stage.orgId, [
      { userId: 'plain', user: { ...plain, password: imported, otpCode: totp } },
      humanUser('hashed', { hashedPassword: { value: importedHash } }),
      ...ofOthers,
      ...refused,
      {
        userId: 'broken',
        user: { ...plain, userName: '', password: keep('password of a broken record', mark('Broken')) },
      },
    ]),
    { 'content-type': 'application/json' },
  );
  const whileRunning = await watchJobs(stage, worker, [bulk, importing]);
  await bulk;
  const report = await importing;
  if (report.summary.failed !== 1 + refused.length) throw new Error(JSON.stringify(report.summary));
  wrongAnswers.push(JSON.stringify(report));
  const exported = await post(
    '/admin/v1/export',
    { orgIds: [stage.orgId], withPasswords: true, withOtp: true, responseOutput: true },
    { 'content-type': 'application/json' },
  );
  if (!JSON.stringify(exported).includes(totp)) throw new Error('The export has no TOTP secret');
  return { person: { id, userName: 'canary', password: later }, whileRunning };
}

/**
 * Lets the worker continue once each request has a waiting job, and collects the content of the stores until all jobs
 * have ended.
 */
async function watchJobs(
  stage: Stage,
  worker: Running,
  requests: readonly Promise<unknown>[],
): Promise<Stored[]> {
  const seen = new Map<string, Stored>();
  const look = async () => {
    const held = [...(await storedDocuments(stage)), ...(await storedKeys(stage))];
    for (const one of held) seen.set(`${one.place} ${hash('sha256', one.bytes)}`, one);
    return held;
  };
  let isOver = false;
  const over = Promise.allSettled(requests).then(() => {
    isOver = true;
  });
  try {
    await until(
      async () => (await look()).filter(({ place }) => place === 'collection jobs').length >= requests.length,
      { within: 60_000 },
    );
  } finally {
    worker.signal('SIGCONT');
  }
  while (!isOver) await look();
  await over;
  return [...seen.values()];
}

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

async function register(stage: Stage, api: Api) {
  await api.call('PATCH /admin/v1/features', { json: { tokenExchange: true } });
  const { body } = await api.call(`POST /admin/v1/orgs/${stage.orgId}/applications`, {
    json: {
      name: 'Canary',
      type: 'web',
      redirectUris: [redirectUri],
      grantTypes: ['authorization_code', 'refresh_token', exchangeGrant],
    },
  });
  return { id: String(body.clientId), secret: keep('secret of an application', body.clientSecret) };
}

/** The header of a client; a form is sent without the token of the administrator. */
function basic({ id, secret }: { id: string; secret: string }): Record<string, string> {
  return { Authorization: `Basic ${keep('Basic credentials', btoa(`${id}:${secret}`))}` };
}

interface Person {
  readonly id: string;
  readonly userName: string;
  readonly password: string;
}

/** Signs in with a wrong password, the right one and a second factor; redeems, refreshes, asks, revokes. */
async function signInAndOut({
  api,
  baseUrl,
  person,
  client,
}: {
  stage: Stage;
  api: Api;
  baseUrl: string;
  person: Person;
  client: { id: string; secret: string };
}): Promise<void> {
  const verifier = keep('code verifier', randomBytes(32).toString('base64url'));
  const address = `${baseUrl}/oauth/v2/authorize?${new URLSearchParams({
    client_id: client.id,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    state: keep('state', mark('state')),
    nonce: keep('nonce', mark('nonce')),
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })}`;
  const browser = new UserAgent(baseUrl);
  const login = await browser.open(address);
  keepPage('before the login', browser, login);
  const refused = await browser.signIn(login, {
    loginName: person.userName,
    password: keep('wrong password', mark('Wrong')),
  });
  wrongAnswers.push(requirePage(refused).text);
  const arrived = requireArrival(
    await browser.signIn(refused, { loginName: person.userName, password: person.password }),
  );
  keepCookies('of the session', browser);
  const form = (fields: Record<string, string>) => ({ form: fields, headers: basic(client) });
  const token = async (fields: Record<string, string>) =>
    (await api.call('POST /oauth/v2/token', form(fields))).body;
  const code = keep('code', arrived.parameters.get('code'));
  const redeem = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const first = await token(redeem);
  const names = ['access_token', 'refresh_token', 'id_token'];
  for (const name of names) keep(name, first[name]);
  const second = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
  for (const name of names) keep(`second ${name}`, second[name]);
  for (const [type, requested] of [
    ['access_token', 'access_token'],
    ['id_token', 'jwt'],
    ['access_token', 'id_token'],
  ] as const) {
    const exchanged = await token({
      grant_type: exchangeGrant,
      subject_token: second[type],
      subject_token_type: `${tokenTypes}${type}`,
      requested_token_type: `${tokenTypes}${requested}`,
    });
    keep(`exchanged ${requested}`, exchanged.access_token);
  }
  await api.call('GET /oidc/v1/userinfo', { token: second.access_token });
  await api.call('POST /oauth/v2/introspect', form({ token: second.access_token }));

  const secret = await enrol(browser, baseUrl, person.password);
  const another = new UserAgent(baseUrl);
  const asked = await another.signIn(await another.open(`${baseUrl}/login`), {
    loginName: person.userName,
    password: person.password,
  });
  wrongAnswers.push(requirePage(await another.submit(asked, { code: '000000' })).text);
  if (!/name="code"/.test(requirePage(asked).text)) throw new Error('No second factor was asked for');
  if (secret.length < 10) throw new Error('No secret');

  wrongAnswers.push(JSON.stringify(await token(redeem)));
  await api.call('POST /oauth/v2/revoke', form({ token: second.refresh_token }));
}

const tokenTypes = 'urn:ietf:params:oauth:token-type:';

/** The cookies of a browser. */
function keepCookies(word: string, browser: UserAgent): void {
  if (browser.cookies.size === 0) throw new Error(`No cookie ${word}`);
  for (const [name, value] of browser.cookies) {
    // The forms of a sign-in carry its flow.
    keep(`cookie ${name} ${word}`, value, ...(name === 'muster-flow' ? ['wrong answers'] : []));
  }
}

/** The cookies of a browser, and the CSRF token of its forms. */
function keepPage(word: string, browser: UserAgent, page: Seen): void {
  keepCookies(word, browser);
  // A form that was filled in wrongly is shown again.
  const csrf = /name="csrf" value="([^"]+)"/.exec(requirePage(page).text)?.[1];
  keep(`CSRF token ${word}`, csrf, 'wrong answers');
}

/** Sets a second factor up as a person does, by the secret that the page shows. */
async function enrol(browser: UserAgent, baseUrl: string, password: string): Promise<Buffer> {
  const page: Seen = await browser.open(`${baseUrl}/account/totp`);
  const { text } = requirePage(page);
  keepPage('of the account', browser, page);
  const shown = [...text.matchAll(/\b(?:[A-Z2-7]{4} ?){8}\b/g)].map(([found]) =>
    found.replaceAll(' ', ''),
  )[0];
  const secret = fromBase32(keep('TOTP secret', shown));
  if (secret === undefined) throw new Error('The page shows no secret');
  const code = totpCode(secret, totpStep(new Date()));
  const done = requirePage(await browser.submit(page, { code, password }));
  if (done.status !== 200) throw new Error(`The second factor was not set up: ${done.status}`);
  return secret;
}

/** A service user with a secret, a key and a token; an access token of each form. */
async function callAsPrograms(stage: Stage, api: Api): Promise<void> {
  const orgs = `/admin/v1/orgs/${stage.orgId}`;
  const post = async (path: string, json: object) => (await api.call(`POST ${path}`, { json })).body;
  for (const accessTokenType of ['opaque', 'jwt']) {
    const { id } = await post(`${orgs}/service-users`, {
      userName: `program-${accessTokenType}`,
      accessTokenType,
    });
    const own = `${orgs}/service-users/${id}`;
    const { clientSecret } = await post(`${own}/secrets`, {});
    keep('client secret', clientSecret);
    keep('personal access token', (await post(`${own}/tokens`, {})).token);
    const key = await post(`${own}/keys`, { algorithm: 'ES256' });
    keep('private key', JSON.stringify(key).match(/"d":"([^"]+)"/)?.[1]);
    const answer = await api.call('POST /oauth/v2/token', {
      form: { grant_type: 'client_credentials' },
      headers: basic({ id, secret: clientSecret }),
    });
    keep(`access token of a program, ${accessTokenType}`, answer.body.access_token);
  }
  await post('/admin/v1/signing-keys/_rotate', { force: true });
}

/** Links that set a password: one that an administrator makes, and one by mail. */
async function linksByMail({
  stage,
  api,
  baseUrl,
  mails,
  person,
}: {
  stage: Stage;
  api: Api;
  baseUrl: string;
  mails: readonly string[];
  person: Person;
}): Promise<void> {
  const made = await api.call(`POST /admin/v1/orgs/${stage.orgId}/users/${person.id}/one-time-links`, {
    json: {},
  });
  const link = new URL(made.body.url);
  keep('token of a link', link.searchParams.get('token'));
  const browser = new UserAgent(baseUrl);
  keepPage('of a link', browser, await browser.open(link));
  const sent = mails.length;
  await browser.submit(await browser.open(`${baseUrl}/login/forgot`), { loginName: person.userName });
  await until(() => mails.length > sent, { within: 60_000 });
  keep('token of a mailed link', /[?&]token=([\w-]+)/.exec(mails.at(-1) ?? '')?.[1]);
}

const passwordHash = /\$argon2id\$|\$2[abxy]\$/;

/** The objects of an export that asks for no secrets, and of one that asks for all that there are. */
async function exportToBucket(
  stage: Stage,
  api: Api,
  storage: StorageServer,
): Promise<{ plain: Stored; full: Stored }> {
  const serviceaccountJson = keep('service account', encodeServiceAccount());
  keep('key of a service account', String(serviceAccountFile['private_key']).split('\n')[1]);
  const write = async (path: string, withSecrets: boolean): Promise<Stored> => {
    const answer = await api.call('POST /admin/v1/export', {
      json: {
        orgIds: [stage.orgId],
        withPasswords: withSecrets,
        withOtp: withSecrets,
        gcsOutput: { bucket: 'canary', path, serviceaccountJson },
      },
    });
    const bytes = storage.objects.get(`canary/${path}`)?.content;
    if (answer.status !== 200 || bytes === undefined) {
      throw new Error(`The export answers ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return { place: `object ${path}`, bytes };
  };
  return { plain: await write('plain.json', false), full: await write('full.json', true) };
}

/** Requests that fail with secrets in every place that a client may put them. */
async function askWrongly(stage: Stage, api: Api, client: { id: string; secret: string }): Promise<void> {
  const secret = (word: string) => keep(`wrong ${word}`, mark(word));
  const weak = newUser('weak', keep('refused password', mark('weak').toLowerCase()));
  const base = `/scim/v2/${stage.orgId}/Users`;
  const requests: [string, Parameters<Api['call']>[1]][] = [
    [`POST ${base}`, { json: weak, headers: scim }],
    [`POST ${base}`, { json: { password: secret('body') }, headers: scim }],
    [`GET ${base}`, { token: secret('bearer') }],
    ['GET /oidc/v1/userinfo', { token: secret('token') }],
    [
      'POST /oauth/v2/token',
      { form: { grant_type: 'client_credentials', client_id: client.id, client_secret: secret('secret') } },
    ],
    [
      'POST /oauth/v2/token',
      {
        form: {
          grant_type: 'refresh_token',
          refresh_token: secret('refresh'),
          client_id: client.id,
          client_secret: client.secret,
        },
      },
    ],
    [
      'POST /oauth/v2/token',
      { form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: secret('assertion') } },
    ],
    [
      'POST /oauth/v2/introspect',
      { form: { token: secret('introspected'), client_id: client.id, client_secret: client.secret } },
    ],
    [`GET /login/password?token=${secret('link')}`, {}],
    [`GET /oauth/v2/authorize?client_id=${client.id}&id_token_hint=${secret('hint')}`, {}],
    ['POST /login', { form: { loginName: 'canary', password: secret('posted'), csrf: secret('csrf') } }],
    [
      'POST /admin/v1/import',
      {
        json: {
          timeout: '1m',
          dataOrgsv1Gcs: { bucket: 'b', path: 'p', serviceaccountJson: secret('account') },
        },
      },
    ],
    [
      'POST /admin/v1/import',
      {
        json: {
          timeout: '1m',
          dataOrgsS3: {
            bucket: 'moves',
            path: 'p',
            endpoint: 'https://s3.example',
            accessKeyId: 'AKIA',
            secretAccessKey: secret('bucket'),
            sessionToken: secret('session'),
          },
        },
      },
    ],
    [
      'POST /admin/v1/import',
      {
        json: {
          timeout: '1m',
          dataOrgsAzure: { container: 'moves', path: 'p', account: 'acme', sasToken: secret('signature') },
        },
      },
    ],
  ];
  for (const [request, options] of requests) {
    const answer = await api.call(request, options);
    if (answer.status < 400 && !request.startsWith('POST /oauth/v2/introspect')) {
      throw new Error(`${request.split('?')[0]} answers ${answer.status}`);
    }
    wrongAnswers.push(JSON.stringify(answer.body));
  }
}
