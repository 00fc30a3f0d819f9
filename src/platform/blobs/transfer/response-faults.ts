import { AppError, type ErrorDefinition } from '../../errors.js';
import { blobErrors } from './blob-errors.js';
import { TransientFault } from './storage-faults.js';

/** The response of a storage that a client library throws as an error. */
interface RefusedResponse {
  readonly status: number;
  /** The code of the storage, as the library has it. */
  readonly code: unknown;
}

/** The codes of one provider that say more than their status. */
interface KnownCodes {
  readonly definitions: ReadonlyMap<string, ErrorDefinition>;
  /** After one of these, the same request may succeed. */
  readonly transient?: ReadonlySet<string>;
  /** What the library names a response without a code. */
  readonly unnamed?: ReadonlySet<string>;
}

const definitionOfStatus = new Map<number, ErrorDefinition>([
  [401, blobErrors.credentialsRefused],
  [403, blobErrors.permissionMissing],
  [404, blobErrors.objectMissing],
  [412, blobErrors.objectChanged],
]);

/**
 * Reads the response of a storage. The result contains nothing of it but a status and a code of letters, because a server chose
 * the rest.
 */
export function toResponseFault(
  { status, code }: RefusedResponse,
  { definitions, transient, unnamed }: KnownCodes,
): AppError | TransientFault {
  const name = typeof code === 'string' && /^[A-Za-z]{1,60}$/.test(code) && !unnamed?.has(code) ? code : '';
  const definition = definitions.get(name);
  if (definition !== undefined) return new AppError(definition);
  const detail = `The storage answers ${status}${name && ` ${name}`}`;
  const isTransient = status === 408 || status === 429 || status >= 500 || transient?.has(name);
  // A response that cannot be read is one of a proxy, or was cut.
  if (isTransient || status < 300)
    return new TransientFault(new AppError(blobErrors.transferFailed, { detail }));
  const known = definitionOfStatus.get(status);
  return known === undefined ? new AppError(blobErrors.refused, { detail }) : new AppError(known);
}
