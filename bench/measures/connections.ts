import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../dev/free-port.js';
import { runCommand } from '../../dev/services/exec.js';
import { fullPace, type Pace } from '../compare.js';
import { type Peer, startApi, startCompanyProvider } from '../programs.js';
import { milliseconds, type Row, rate } from '../report.js';
import { openSetting, type Setting } from '../setting.js';

/** The sign-ins that begin in a second. */
const perSecond = 40;
/** The people who sign in, again and again. The warm-up adds them. */
const people = 200;
/** The figures that the product promises, in milliseconds. */
const asked = { cost: 10, hold: 50 };

/**
 * People who sign in by a connection at a fixed pace: the login page, the button, the provider, and the way back to the account. The provider runs
 * in a process of its own. The cost is the processor time of the API process alone. The hold is the longest time for which its event loop stood,
 * as the metrics of the process have it.
 */
export async function measureConnections(pace: Pace): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-tls-'));
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1'];
  await runCommand('openssl', ['req', ...kind, '-keyout', keyFile, '-out', certFile, ...subject], {
    timeoutMs: 60_000,
  });
  const metricsPort = await freePort();
  const setting = await openSetting({
    MUSTER_PRIVATE_PROVIDER_HOSTS: '127.0.0.1',
    MUSTER_METRICS_PORT: String(metricsPort),
    NODE_EXTRA_CA_CERTS: certFile,
  });
  try {
    return await measureAt(setting, { certFile, keyFile, metricsPort, pace });
  } finally {
    await setting.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureAt(
  setting: Setting,
  {
    certFile,
    keyFile,
    metricsPort,
    pace,
  }: { certFile: string; keyFile: string; metricsPort: number; pace: Pace },
): Promise<Row[]> {
  const provider = await startCompanyProvider(setting, { certFile, keyFile });
  const api = await startApi(setting, 'api-of-connections');
  try {
    const connectionId = await addConnection(setting, provider.issuer);
    const signIn = (subject: number) => signInOnce(setting, { connectionId, provider, subject });
    await atPace(pace === fullPace ? 20 : 6, signIn);
    await longestHold(metricsPort);
    const [before, providerBefore] = [await api.processorTime(), await provider.processorTime()];
    const seconds = pace === fullPace ? 60 : 5;
    const ended = await atPace(seconds, signIn);
    const cost = ((await api.processorTime()) - before) / ended.signIns;
    const ofProvider = ((await provider.processorTime()) - providerBefore) / ended.signIns;
    const hold = await longestHold(metricsPort);
    const at = rate(ended.signIns / ended.seconds, 'sign-ins/s');
    const row = (measure: string, ms: number, most: number): Row => ({
      ...{ measure, ours: milliseconds(ms), ratio: '', asked: `< ${most} ms`, met: ms < most ? 'yes' : 'NO' },
      peer: `at ${at} for ${Math.round(ended.seconds)} s`,
    });
    return [
      {
        ...row('sign-in by a connection, processor time of the api for one', cost, asked.cost),
        peer: `the provider, in a process of its own: ${milliseconds(ofProvider)}`,
        ratio: (cost / ofProvider).toFixed(2),
      },
      row('sign-ins by connections, longest hold of the event loop', hold, asked.hold),
    ];
  } finally {
    await api.stop();
    await provider.stop();
  }
}

async function addConnection({ baseUrl, organization, client }: Setting, issuer: string): Promise<string> {
  const answer = await fetch(`${baseUrl}/admin/v1/orgs/${organization.id}/connections`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${client.personalAccessToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      name: 'Bench',
      provider: { issuer, clientId: 'muster' },
      clientSecret: 'a secret of the bench',
      creation: 'create',
    }),
  });
  if (answer.status !== 201) throw new Error(`The connection was not added: ${await answer.text()}`);
  return String(((await answer.json()) as { id: string }).id);
}

/** Begins sign-ins at the pace, and waits for all of them. @throws the first failure */
async function atPace(
  seconds: number,
  signIn: (subject: number) => Promise<void>,
): Promise<{ signIns: number; seconds: number }> {
  const started = performance.now();
  const all: Promise<void>[] = [];
  for (let n = 0; n < seconds * perSecond; n++) {
    const wait = started + (n * 1_000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    const one = signIn(n % people);
    one.catch(() => undefined);
    all.push(one);
  }
  await Promise.all(all);
  return { signIns: all.length, seconds: (performance.now() - started) / 1_000 };
}

/** A browser without a cookie that signs in, up to its account. */
async function signInOnce(
  { baseUrl, organization }: Setting,
  { connectionId, provider, subject }: { connectionId: string; provider: Pick<Peer, 'url'>; subject: number },
): Promise<void> {
  const page = await fetch(`${baseUrl}/login?organization=${organization.id}`);
  const cookie = (page.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  const path = `/login/connections/${organization.id}/${connectionId}`;
  const body = formOf(await page.text(), path);
  const left = await fetch(`${baseUrl}${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie },
    body,
  });
  await left.arrayBuffer();
  const address = left.headers.get('location');
  if (address === null) throw new Error(`The browser stays: ${left.status}`);
  const query = new URLSearchParams({ address, subject: String(subject) });
  const back = await (await fetch(`${provider.url}/sign-in?${query}`)).text();
  const done = await fetch(back, { redirect: 'manual', headers: { cookie } });
  await done.arrayBuffer();
  if (done.headers.get('location')?.includes('/account') !== true)
    throw new Error(`Not signed in: ${done.status} ${done.headers.get('location')}`);
}

/** The hidden fields of the form that is sent to a path. */
function formOf(text: string, path: string): URLSearchParams {
  const form = text.split('<form ').find((one) => one.includes(`${path}"`)) ?? '';
  const fields = [
    ...(form.split('</form>', 1)[0] ?? '').matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g),
  ];
  return new URLSearchParams(fields.map(([, name = '', value = '']): [string, string] => [name, value]));
}

/** The longest hold of the event loop since the last question, in milliseconds. */
async function longestHold(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_max_seconds\{[^}]*\} (\S+)$/m.exec(text)?.[1];
  return Number(seconds) * 1_000;
}
