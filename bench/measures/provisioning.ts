import { setTimeout as pause } from 'node:timers/promises';
import { startBulkClients } from '../bulk-clients.js';
import type { Pace } from '../compare.js';
import { median, type Shot } from '../load.js';
import { firstNumbers, scimUser } from '../people.js';
import { milliseconds, type Row } from '../report.js';
import type { ScimTarget } from '../target.js';

/** What the gallery of Entra asks of each organization. */
const perSecond = 25;
const mostMs = 100;
const bulksInFlight = 4;
const headers = { 'content-type': 'application/scim+json' };
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

let number: number = firstNumbers.provisioning;
const nextUser = () => {
  number += 1;
  return scimUser(number);
};

/**
 * The 95th percentile of the requests with which one service user provisions, 25 a second: look-up by userName, creation and change in
 * turn. Alone, and while 4 Bulks of 100 creates of the same organization are in flight.
 */
export async function measureProvisioning(api: ScimTarget, pace: Pace): Promise<Row[]> {
  const quiet: number[] = [];
  const busy: number[] = [];
  const { besideProvisioning: firstNumber } = firstNumbers;
  const clients = startBulkClients(api, { inFlight: bulksInFlight, firstNumber });
  try {
    for (let round = 0; round < pace.rounds; round++) {
      quiet.push(await percentile95(api, pace.seconds));
      clients.begin();
      busy.push(await percentile95(api, pace.seconds));
      await clients.end();
    }
  } finally {
    clients.close();
  }
  const [alone, beside] = [median(quiet), median(busy)];
  const ratio = (beside / alone).toFixed(2);
  return [
    {
      measure: `provisioning, ${perSecond} requests/s, p95 beside ${bulksInFlight} Bulks`,
      ours: milliseconds(beside),
      peer: `alone: ${milliseconds(alone)}`,
      ratio,
      asked: `< ${mostMs} ms`,
      met: beside < mostMs ? 'yes' : 'NO',
    },
  ];
}

/** Begins a request every 40 ms, however long the others take. */
async function percentile95(api: ScimTarget, seconds: number): Promise<number> {
  const latencies: number[] = [];
  const ids: string[] = [];
  const requests: Promise<void>[] = [];
  const failures: unknown[] = [];
  const began = performance.now();
  const count = perSecond * seconds;
  for (let index = 0; index < count; index++) {
    const work = async () => {
      const shot = shotOf(index, ids);
      const from = performance.now();
      const body = await send(api, shot);
      latencies.push(performance.now() - from);
      if (shot.method === 'POST') ids.push((JSON.parse(body) as { id: string }).id);
    };
    requests.push(work().catch((error: unknown) => void failures.push(error)));
    await pause(Math.max(0, began + ((index + 1) * 1_000) / perSecond - performance.now()));
  }
  await Promise.all(requests);
  if (failures.length > 0) throw failures[0];
  latencies.sort((a, b) => a - b);
  return latencies[Math.floor(latencies.length * 0.95)] ?? 0;
}

/** As Entra does it: it looks for a user, adds it, and changes it later. */
function shotOf(index: number, ids: readonly string[]): Shot {
  const id = ids.at(-1);
  if (index % 3 === 2 && id !== undefined) {
    const Operations = [{ op: 'Replace', path: 'title', value: `Title ${index}` }];
    return {
      method: 'PATCH',
      path: `/Users/${id}`,
      headers,
      body: JSON.stringify({ schemas: [patchOp], Operations }),
    };
  }
  if (index % 3 === 1) return { method: 'POST', path: '/Users', headers, body: JSON.stringify(nextUser()) };
  return { method: 'GET', path: `/Users?filter=${encodeURIComponent(`userName eq "nobody-${index}"`)}` };
}

async function send(api: ScimTarget, shot: Shot): Promise<string> {
  const { method, path, headers: sent = {}, body } = api.shot(shot);
  const answer = await fetch(`${api.url}${path}`, {
    method,
    headers: sent,
    ...(body !== undefined && { body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
}
