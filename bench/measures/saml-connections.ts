import { fullPace, type Pace } from '../compare.js';
import type { Peer } from '../programs.js';
import { milliseconds, type Row } from '../report.js';
import type { Setting } from '../setting.js';
import { addConnection, atPace, leaveOnce, longestHold } from './provider-sign-ins.js';

/** The longest response that is read, in bytes. */
const longest = 262_144;
/** The figures that the product promises, in milliseconds. */
const asked = { cost: 10, hold: 50 };

/** The sign-ins one after the other before the pace begins. */
const slowly = 100;

/** What the provider says instead of the usual. */
interface Answer {
  readonly bytes?: number;
  readonly isForged?: boolean;
}

/**
 * People who sign in by SAML at the same pace, and then long responses one after the other, every second one with a subject that the signature does not
 * cover. The threads that verify belong to the API process, so the cost has their time.
 */
export async function measureSaml(
  setting: Setting,
  {
    provider,
    api,
    metricsPort,
    pace,
  }: {
    provider: Pick<Peer, 'url'>;
    api: { processorTime(): Promise<number> };
    metricsPort: number;
    pace: Pace;
  },
): Promise<Row[]> {
  const metadata = await (await fetch(`${provider.url}/saml/metadata`)).text();
  const connectionId = await addConnection(setting, { protocol: 'saml', provider: { metadata } });
  const signIn = (subject: number, answer: Answer = {}) =>
    answerOnce(setting, { connectionId, provider, subject, ...answer });
  const isFull = pace === fullPace;
  // A thread is slow at first. At full pace on a busy machine, more than 50 would wait for it, and be refused as too costly.
  for (let n = 0; n < slowly; n++) await signIn(n);
  await atPace(isFull ? 20 : 6, (subject) => signIn(subject));
  const before = await api.processorTime();
  const ended = await atPace(isFull ? 60 : 5, (subject) => signIn(subject));
  const cost = ((await api.processorTime()) - before) / ended.signIns;
  await longestHold(metricsPort);
  const responses = isFull ? 40 : 8;
  for (let n = 0; n < responses; n++) await signIn(n, { bytes: longest, isForged: n % 2 === 1 });
  const hold = await longestHold(metricsPort);
  const row = (measure: string, ms: number, most: number, peer: string): Row => ({
    ...{
      measure,
      ours: milliseconds(ms),
      ratio: '',
      asked: `< ${most} ms`,
      met: ms < most ? 'yes' : 'NO',
      peer,
    },
  });
  return [
    row('sign-in by SAML, processor time of the api for one', cost, asked.cost, 'with its threads'),
    row(
      'SAML responses of 256 KiB, longest hold of the event loop',
      hold,
      asked.hold,
      `${responses} responses, half of them refused`,
    ),
  ];
}

/** A browser without a cookie that comes back with the form of the provider. @throws Error if the answer has another end than it should */
async function answerOnce(
  setting: Setting,
  {
    connectionId,
    provider,
    subject,
    bytes = 0,
    isForged = false,
  }: { connectionId: string; provider: Pick<Peer, 'url'>; subject: number } & Answer,
): Promise<void> {
  const { address, cookie } = await leaveOnce(setting, connectionId);
  const query = new URLSearchParams({ address, subject: `person-${subject}`, bytes: String(bytes) });
  if (isForged) query.set('forged', '1');
  const answer = await fetch(`${provider.url}/saml?${query}`);
  const { action, ...fields } = (await answer.json()) as Record<string, string> & { action: string };
  // The form of another site comes without the cookie, and a page posts it again.
  await (await fetch(action, { method: 'POST', body: new URLSearchParams(fields) })).arrayBuffer();
  const done = await fetch(action, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie, origin: new URL(setting.baseUrl).origin },
    body: new URLSearchParams({ ...fields, again: '1' }),
  });
  await done.arrayBuffer();
  const isSignedIn = done.headers.get('location')?.includes('/account') === true;
  if (isSignedIn === isForged)
    throw new Error(`Another end: ${done.status} ${await lastRefusal(setting, connectionId)}`);
}

/** Why the connection refused somebody last, as its owner sees it. */
async function lastRefusal(
  { baseUrl, organization, client }: Setting,
  connectionId: string,
): Promise<string> {
  const address = `${baseUrl}/admin/v1/orgs/${organization.id}/connections/${connectionId}/health`;
  const headers = { authorization: `Bearer ${client.personalAccessToken}` };
  const { refusals } = (await (await fetch(address, { headers })).json()) as { refusals: object[] };
  return JSON.stringify(refusals[0] ?? 'refused nobody');
}
