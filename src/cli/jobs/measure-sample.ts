import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '#src/platform/json/json-object.js';
import type { AdminClient } from '../admin-client.js';
import { Refused, textIn } from '../answers.js';

/** How fast the service imported a sample. */
export interface MeasuredSample {
  readonly people: number;
  readonly seconds: number;
}

const json = { 'content-type': 'application/json' };

/**
 * Imports the people into an organization of their own, which is removed at once, and measures the time.
 * @returns undefined if nobody was imported, or the token may not add organizations
 */
export async function measureSample(
  client: AdminClient,
  people: readonly JsonObject[],
): Promise<MeasuredSample | undefined> {
  if (people.length === 0) return undefined;
  const name = `plan-${randomUUID()}`;
  const orgId = await temporaryOrganization(client, name);
  if (orgId === undefined) return undefined;
  try {
    // The identifiers of the file stay free for its import.
    const humanUsers = people.map((person, number) => ({ ...person, userId: `${name}-${number}` }));
    const body = JSON.stringify({ timeout: '2m', dataOrgs: { orgs: [{ orgId, humanUsers }] } });
    const started = performance.now();
    const { body: report } = await client.read('/admin/v1/import', {
      method: 'POST',
      headers: json,
      body: () => body,
      tries: 1,
    });
    const seconds = (performance.now() - started) / 1000;
    const { summary } = report;
    const created = isJsonObject(summary) ? Number(summary['created']) : 0;
    return created > 0 ? { people: created, seconds } : undefined;
  } finally {
    const path = `/admin/v1/orgs/${encodeURIComponent(orgId)}?name=${name}`;
    await client.insist(path, { method: 'DELETE' });
  }
}

async function temporaryOrganization(client: AdminClient, name: string): Promise<string | undefined> {
  try {
    const body = () => JSON.stringify({ name });
    const { body: added } = await client.read('/admin/v1/orgs', {
      method: 'POST',
      headers: json,
      body,
      tries: 1,
    });
    return textIn(added, 'id');
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
}
