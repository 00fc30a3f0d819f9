import { AppError } from '../../errors.js';
import { toHttpsAddress } from '../../outgoing/https-address.js';
import { blobErrors } from './blob-errors.js';

const maxLength = 300;

/**
 * Reads the address of a storage server.
 * @throws AppError `bucket.targetInvalid` unless it is an https address without credentials and query
 */
export function readEndpoint(endpoint: string): URL {
  const url = endpoint.length <= maxLength ? toHttpsAddress(endpoint) : undefined;
  if (url !== undefined && url.search === '' && url.hash === '') return url;
  throw new AppError(blobErrors.targetInvalid, {
    detail: 'endpoint is not an address such as https://host:port',
  });
}
