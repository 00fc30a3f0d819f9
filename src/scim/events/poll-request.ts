import { AppError } from '#src/platform/errors.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { scimErrors } from '../protocol/errors.js';
import { requireJsonObject } from '../protocol/json.js';

/** The most tokens of one response, the most that one request acknowledges, and the most receivers of an organization. */
export const pollLimits = { tokens: 100, acknowledged: 1_000, receivers: 100 } as const;

/** A request for security event tokens (RFC 8936 section 2.4). */
export interface PollRequest {
  readonly maxEvents: number;
  /** The tokens that the receiver has, and those that it could not use. Neither is sent again. */
  readonly acknowledged: readonly string[];
}

/**
 * Reads the body of a poll. `returnImmediately` does not matter, because no response waits for events.
 * @throws AppError with scimType invalidSyntax or invalidValue
 */
export function parsePollRequest(body: unknown): PollRequest {
  const { maxEvents = pollLimits.tokens, ack = [], setErrs = {} } = requireJsonObject(body, 'The poll');
  if (typeof maxEvents !== 'number' || !Number.isSafeInteger(maxEvents) || maxEvents < 0)
    throw new AppError(scimErrors.badValue, {
      detail: 'maxEvents must be a whole number that is not negative',
    });
  if (!Array.isArray(ack) || !ack.every((jti) => typeof jti === 'string'))
    throw new AppError(scimErrors.wrongType, { detail: 'ack must be a list of texts' });
  if (!isJsonObject(setErrs))
    throw new AppError(scimErrors.wrongType, { detail: 'setErrs must be a JSON object' });
  const acknowledged = [...ack, ...Object.keys(setErrs)];
  if (acknowledged.length > pollLimits.acknowledged) {
    const detail = `ack and setErrs have more than ${pollLimits.acknowledged} tokens`;
    throw new AppError(scimErrors.badValue, { detail });
  }
  return { maxEvents: Math.min(maxEvents, pollLimits.tokens), acknowledged };
}
