import { createGuardedFetch, type FetchBounds } from './guarded-fetch.js';
import { OutgoingError } from './outgoing-error.js';

/** A JSON text to send, and headers beside those of every request. */
export interface OutgoingMessage {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Reads a JSON document of another service by GET, or by POST if there is a message.
 * @throws OutgoingError
 */
export type FetchJson = (address: string, bounds: FetchBounds, message?: OutgoingMessage) => Promise<unknown>;

/**
 * Makes the function that reads documents whose address a stranger chose, within the rules of `createGuardedFetch`. Only an answer with the
 * status 200 is read.
 * @param privateHosts hosts that may have private addresses
 * @param ca trusted certificates in the PEM format, instead of those of Node.js
 */
export function createFetchJson(options: Parameters<typeof createGuardedFetch>[0]): FetchJson {
  const fetch = createGuardedFetch(options);
  return async (address, bounds, message) => {
    const sent = message && { method: 'POST' as const, ...message };
    const { body } = await fetch(address, bounds, { ...sent, onlyStatus: 200 });
    return parse(body);
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new OutgoingError('notJson', 'The answer is not JSON');
  }
}
