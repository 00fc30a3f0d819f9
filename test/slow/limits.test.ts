import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import t from 'tap';
import type { HttpAnswer } from '../../dev/stage/http-client.js';
import { noLimits } from '../../dev/stage/no-limits.js';
import { makeServiceUser } from '../../dev/stage/service-user.js';
import { openStage, type Running } from '../../dev/stage/stage.js';
import { until } from '../../dev/until.js';

/** Limits and load shedding of real processes. */

const stage = await openStage(t);
if (stage === undefined) throw new Error('no stores are to be had');
/**
 * The number of requests per round. Each process gets half. The next round begins when Redis has all counts of this
 * one.
 */
const round = 10;
const perAddress = 40;
const perClient = 40;
const perOrganization = 60;

t.test('each limit counts what two processes answer', { timeout: 280_000 }, async (t) => {
  const api = await stage.startApi();
  const settings = {
    MUSTER_TRUST_PROXY: '1',
    MUSTER_RATE_LIMIT_PER_ADDRESS: String(perAddress),
    MUSTER_RATE_LIMIT_PER_CLIENT: String(perClient),
    MUSTER_RATE_LIMIT_PER_ORGANIZATION: String(perOrganization),
  };
  const processes = await Promise.all([stage.startApi(settings), stage.startApi(settings)]);
  const redis = new Redis(stage.redis.url);
  t.teardown(() => redis.disconnect());
  let addresses = 0;
  let organizations = 0;
  const newAddress = () => `198.51.${Math.floor(++addresses / 250)}.${addresses % 250}`;

  /** Of `sent` requests in turn to both, those that passed; undefined where a minute ended meanwhile. */
  async function passed(
    counted: string,
    sent: number,
    request: (number: number) => { line: string; token?: string; address?: string },
  ): Promise<number | undefined> {
    const minute = () => Math.floor(Date.now() / 60_000);
    const began = minute();
    const key = `${stage?.redis.prefix}:count:${began}:${encodeURIComponent(counted)}`;
    const answers: HttpAnswer[] = [];
    while (answers.length < sent) {
      for (let i = 0; i < round; i++) {
        const { line, address = newAddress(), ...as } = request(answers.length);
        const process = processes[i % 2] ?? processes[0];
        answers.push(await process.call(line, { ...as, headers: { 'x-forwarded-for': address } }));
      }
      const told = async () => Number(await redis.get(key)) >= answers.length;
      await until(async () => minute() !== began || (await told()));
      if (minute() !== began) return undefined;
    }
    const others = answers.filter(({ status }) => status !== 200);
    t.ok(others.every(({ status, headers }) => status === 429 && Number(headers['retry-after']) > 0));
    return answers.length - others.length;
  }

  /**
   * A process that knows the sum may lack the other process's answers of the previous round, because its message may be
   * late, and of the present round. So the answers may exceed the limit by that much.
   */
  async function expectShared(limit: number, count: () => Promise<number | undefined>, policy: string) {
    let passes: number | undefined;
    while (passes === undefined) passes = await count();
    t.ok(passes >= limit && passes <= limit + 2 * round, `${policy}: ${passes} passed of ${limit} allowed`);
  }

  async function newOrganization(): Promise<{ orgId: string; list: string }> {
    const { status, body } = await api.call('POST /admin/v1/orgs', {
      json: { name: `Organization ${++organizations}` },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
    return { orgId: body.id, list: `GET /scim/v2/${body.id}/Users?count=1` };
  }
  const callers = (orgId: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, () => makeServiceUser({ ...stage, orgId }, api, 'ORG_USER_VIEWER')),
    );

  const address = async () => {
    const one = newAddress();
    return passed(`address:${one}`, 2 * perAddress, () => ({ line: 'GET /oauth/v2/keys', address: one }));
  };
  const client = async () => {
    const { orgId, list } = await newOrganization();
    const [{ id, pat }] = (await callers(orgId, 1)) as [Awaited<ReturnType<typeof makeServiceUser>>];
    return passed(`client:${id}`, 2 * perClient, () => ({ line: list, token: pat }));
  };
  const organization = async () => {
    const { orgId, list } = await newOrganization();
    const tokens = (await callers(orgId, 4)).map(({ pat }) => pat);
    return passed(`organization:${orgId}`, 2 * perOrganization, (number) => {
      return { line: list, token: tokens[Math.floor(number / 2) % tokens.length] ?? '' };
    });
  };
  await Promise.all([
    expectShared(perAddress, address, 'address'),
    expectShared(perClient, client, 'client'),
    expectShared(perOrganization, organization, 'organization'),
  ]);
});

t.test('a process with too much to do refuses lists, and answers probes and tokens', async (t) => {
  const limits = Object.fromEntries(Object.keys(noLimits).map((name) => [name, '']));
  const api = await stage.startApi({ ...limits, MUSTER_SHED_DELAY_MILLISECONDS: '10' });
  const client = await makeServiceUser(stage, api, 'ORG_USER_VIEWER');
  const form = {
    grant_type: 'client_credentials',
    client_id: client.clientId,
    client_secret: client.clientSecret,
  };
  // It stands still most of the time, as a process does that the machine gives too little time.
  const slow = new AbortController();
  const slowed = holdUp(api, slow.signal);
  const list = () => api.call(`GET /scim/v2/${stage.orgId}/Users`);
  const isRefused = ({ status, headers }: HttpAnswer) => status === 503 && headers['retry-after'] === '2';
  const asked = ['GET /healthz', 'GET /readyz', 'POST /oauth/v2/token'];
  const answers: Record<string, number>[] = [];
  let rounds = 0;
  await until(async () => {
    const first = await list();
    const round: Record<string, number> = {};
    for (const line of asked) {
      round[line] = (await api.call(line, line.startsWith('POST') ? { form } : {})).status;
    }
    answers.push(round);
    // On a machine that is busy beyond measure Redis may not answer in time, and the process is not ready.
    if (isRefused(first) && isRefused(await list()) && round['GET /readyz'] === 200) rounds++;
    return rounds === 5;
  });
  t.pass('lists are refused before and after what is answered');
  for (const line of ['GET /healthz', 'POST /oauth/v2/token']) {
    const statuses = new Set(answers.map((round) => round[line]));
    t.same([...statuses], [200], `${line}: ${answers.length} answers`);
  }
  slow.abort();
  await slowed;
  await until(async () => (await list()).status === 200);
});

/** Lets a process run for 50 ms of each 200 ms, until the signal aborts. */
async function holdUp(process: Running, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    process.signal('SIGSTOP');
    await pause(150);
    process.signal('SIGCONT');
    await pause(50);
  }
}
