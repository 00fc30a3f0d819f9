import { AppError } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';

const maxLength = 8_192;

/**
 * Reads a connection string of a storage account: `AccountName=...;AccountKey=...;EndpointSuffix=...`, or
 * `BlobEndpoint=...;SharedAccessSignature=...`. Only https is spoken, whatever protocol it names.
 * @throws AppError `bucket.credentialsInvalid`
 */
export function readConnectionString(text: string): {
  account?: string;
  endpoint?: string;
  accountKey?: string;
  sasToken?: string;
} {
  const parts = new Map<string, string>();
  for (const part of text.slice(0, maxLength).split(';')) {
    const at = part.indexOf('=');
    if (at > 0) parts.set(part.slice(0, at).trim(), part.slice(at + 1).trim());
  }
  const [account, accountKey] = [parts.get('AccountName'), parts.get('AccountKey')];
  const [sasToken, suffix] = [parts.get('SharedAccessSignature'), parts.get('EndpointSuffix')];
  const isSuffix = suffix === undefined || /^[a-z0-9.-]{1,100}$/.test(suffix);
  if (text.length > maxLength || !isSuffix || (accountKey === undefined) === (sasToken === undefined)) {
    const detail = 'connectionString has not one of AccountKey and SharedAccessSignature';
    throw new AppError(blobErrors.credentialsInvalid, { detail });
  }
  const named =
    account === undefined || suffix === undefined ? undefined : `https://${account}.blob.${suffix}`;
  const endpoint = parts.get('BlobEndpoint') ?? named;
  return {
    ...(account !== undefined && { account }),
    ...(endpoint !== undefined && { endpoint }),
    ...(accountKey !== undefined && { accountKey }),
    ...(sasToken !== undefined && { sasToken }),
  };
}
