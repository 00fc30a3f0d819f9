import type { Config } from '#src/config.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { causeOf } from '../base/answers.js';
import type { Finding } from './finding.js';

const check = 'address';
const limitMs = 10_000;

/** Checks that this service answers at the address that clients use. A service that does not run is no failure. */
export async function checkAddress({ baseUrl }: Pick<Config, 'baseUrl'>): Promise<Finding[]> {
  const url = `${baseUrl}/.well-known/openid-configuration`;
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
    const document: unknown = await answer.json().catch(() => undefined);
    const issuer = isJsonObject(document) ? document['issuer'] : undefined;
    if (issuer === baseUrl) return [{ check, state: 'ok', text: `Muster answers at ${baseUrl}` }];
    return [
      {
        check,
        state: 'failed',
        text:
          issuer === undefined
            ? `Something other than Muster answers at ${baseUrl} (${answer.status})`
            : `The service at ${baseUrl} calls itself ${String(issuer)}`,
        remedy:
          'Set MUSTER_BASE_URL to the address that clients use, and let the load balancer pass every path.',
      },
    ];
  } catch (error) {
    return [
      {
        check,
        state: 'warning',
        text: `Nothing answers at ${baseUrl}: ${causeOf(error)}`,
        remedy: 'Start the service. If it runs, check MUSTER_BASE_URL and the load balancer.',
      },
    ];
  }
}
