import type { CustomFetchOptions } from 'oauth4webapi';
import type { GuardedFetch } from '#src/platform/outgoing/guarded-fetch.js';
import { OutgoingError } from '#src/platform/outgoing/outgoing-error.js';

/** The longest answer of a provider, in bytes. An ID token with hundreds of groups has less. */
const maxBytes = 262_144;
/** The longest time of one request to a provider, in milliseconds. */
const timeoutMs = 5_000;

/** The requests of `oauth4webapi`. */
export type ProviderFetch = (
  address: string,
  options: CustomFetchOptions<string, URLSearchParams | null | undefined>,
) => Promise<Response>;

/** The requests of each organization. */
export type ProviderFetches = (orgId: string) => ProviderFetch;

/** Counts requests to providers. */
export interface ProviderMeasures {
  providerAnswered(
    request: 'document' | 'token' | 'keys',
    answered: { outcome: 'answered' | 'failed'; seconds: number },
  ): void;
}

/** Runs a request to a provider, and records how long it took. */
export async function timed<T>(
  measures: ProviderMeasures | undefined,
  request: 'document' | 'token' | 'keys',
  send: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  let outcome: 'answered' | 'failed' = 'failed';
  try {
    const answer = await send();
    outcome = 'answered';
    return answer;
  } finally {
    measures?.providerAnswered(request, { outcome, seconds: (performance.now() - begun) / 1000 });
  }
}

/**
 * Lets `oauth4webapi` send its requests within the rules for addresses that strangers chose. Each organization has connections of its own.
 * @returns functions that throw OutgoingError
 */
export function createProviderFetch(guarded: GuardedFetch, measures?: ProviderMeasures): ProviderFetches {
  return (share) =>
    async (address, { method, headers, body }) => {
      const answer = await timed(measures, method === 'POST' ? 'token' : 'document', () =>
        guarded(
          address,
          { maxBytes, timeoutMs },
          {
            share,
            method: method === 'POST' ? 'POST' : 'GET',
            headers,
            ...(body && { body: body.toString() }),
          },
        ),
      );
      const { status } = answer;
      if (status < 200 || status > 599)
        throw new OutgoingError('wrongStatus', `The answer has the status ${status}`);
      // The library reads these alone.
      const { 'content-type': type, 'www-authenticate': challenge } = answer.headers;
      return new Response(status === 204 || status === 304 ? null : new Uint8Array(answer.body), {
        status,
        headers: {
          ...(type !== undefined && { 'content-type': type }),
          ...(challenge !== undefined && { 'www-authenticate': challenge }),
        },
      });
    };
}
