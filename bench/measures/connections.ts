import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../dev/free-port.js';
import { runCommand } from '../../dev/services/exec.js';
import { fullPace, type Pace } from '../compare.js';
import { type Peer, startApi, startCompanyProvider } from '../programs.js';
import { milliseconds, type Row, rate } from '../report.js';
import { openSetting, type Setting } from '../setting.js';
import { addConnection, atPace, leaveOnce, longestHold } from './provider-sign-ins.js';
import { measureSaml } from './saml-connections.js';

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
    const connectionId = await addConnection(setting, {
      provider: { issuer: provider.issuer, clientId: 'muster' },
      clientSecret: 'a secret of the bench',
    });
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
      ...(await measureSaml(setting, { provider, api, metricsPort, pace })),
    ];
  } finally {
    await api.stop();
    await provider.stop();
  }
}

/** A browser without a cookie that signs in, up to its account. */
async function signInOnce(
  setting: Setting,
  { connectionId, provider, subject }: { connectionId: string; provider: Pick<Peer, 'url'>; subject: number },
): Promise<void> {
  const { address, cookie } = await leaveOnce(setting, connectionId);
  const query = new URLSearchParams({ address, subject: String(subject) });
  const back = await (await fetch(`${provider.url}/sign-in?${query}`)).text();
  const done = await fetch(back, { redirect: 'manual', headers: { cookie } });
  await done.arrayBuffer();
  if (done.headers.get('location')?.includes('/account') !== true)
    throw new Error(`Not signed in: ${done.status} ${done.headers.get('location')}`);
}
