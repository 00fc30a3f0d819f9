import Type from 'typebox';
import type { SigningNow } from '#src/keys/known-algorithms.js';
import { signingAlgorithms } from '#src/keys/signing-key.js';
import { timestamp } from './schemas.js';

/** The properties that say which algorithm signs. */
export const signingNow = {
  alg: Type.Enum(signingAlgorithms, { description: 'Signs now' }),
  until: Type.Optional(
    Type.Unsafe<string>({ ...timestamp, description: 'When the chosen algorithm takes over' }),
  ),
};

export function signingToResponse({ alg, until }: SigningNow) {
  return { alg, ...(until !== undefined && { until: until.toISOString() }) };
}
