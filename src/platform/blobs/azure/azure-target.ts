import { AppError } from '../../errors.js';
import { blobErrors } from '../transfer/blob-errors.js';
import { requirePlainPath } from '../transfer/object-names.js';
import { readEndpoint } from '../transfer/read-endpoint.js';
import { readConnectionString } from './connection-string.js';

/** A blob of Azure Blob Storage as a request names it, with one of the three kinds of credentials. */
export interface GivenAzureTarget {
  readonly container: string;
  readonly path: string;
  /** The name of the storage account. */
  readonly account?: string;
  /** The address of the account, if it is not `https://ACCOUNT.blob.core.windows.net`. */
  readonly endpoint?: string;
  /** A key of the account, in base64. */
  readonly accountKey?: string;
  /** A shared access signature: the query of a signed address. */
  readonly sasToken?: string;
  /** Names the account and holds a key or a signature. */
  readonly connectionString?: string;
}

export interface AzureTarget {
  readonly container: string;
  readonly path: string;
  /** `https://host:port`, or with the account as its path. */
  readonly endpoint: string;
  readonly credentials:
    | { readonly account: string; readonly accountKey: string }
    | { readonly sasToken: string };
}

type Account = Pick<GivenAzureTarget, 'account' | 'endpoint' | 'accountKey' | 'sasToken'>;

/** @throws AppError `bucket.targetInvalid`, `bucket.credentialsInvalid` */
export function readAzureTarget(given: GivenAzureTarget): AzureTarget {
  const { container: name, path } = given;
  if (!/^(?:\$root|[a-z0-9](?:-?[a-z0-9]){2,62})$/.test(name) || name.length > 63) {
    throw new AppError(blobErrors.targetInvalid, { detail: 'container is not the name of a container' });
  }
  requirePlainPath(path);
  const account = accountOf(given);
  if (account.account !== undefined && !/^[a-z0-9]{3,24}$/.test(account.account)) {
    throw new AppError(blobErrors.targetInvalid, { detail: 'account is not the name of a storage account' });
  }
  return { container: name, path, endpoint: endpointOf(account), credentials: credentialsOf(account) };
}

function accountOf(given: GivenAzureTarget): Account {
  const { account, endpoint, accountKey, sasToken, connectionString } = given;
  const count = [accountKey, sasToken, connectionString].filter((one) => one !== undefined).length;
  if (count !== 1) throw invalid('give one of accountKey, sasToken and connectionString');
  if (connectionString === undefined) return { ...given };
  if (account !== undefined || endpoint !== undefined) {
    throw invalid('a connectionString names the account and the endpoint itself');
  }
  return readConnectionString(connectionString);
}

function endpointOf({ account, endpoint }: Account): string {
  if (endpoint !== undefined) {
    const url = readEndpoint(endpoint);
    if (!/^\/(?:[a-z0-9]{3,24}\/?)?$/.test(url.pathname)) {
      throw new AppError(blobErrors.targetInvalid, { detail: 'endpoint has a path that is no account' });
    }
    return url.origin + url.pathname.replace(/\/$/, '');
  }
  if (account !== undefined) return `https://${account}.blob.core.windows.net`;
  throw new AppError(blobErrors.targetInvalid, { detail: 'give account or endpoint' });
}

/** The parameters of a signature. No other parameter, such as `comp`, makes a request into another one. */
const sasParameter = /^(?:s[a-z]{1,6}|rsc[a-z])=[A-Za-z0-9%:+/=_.~,-]{0,2000}$/;

function credentialsOf({ account, accountKey, sasToken }: Account): AzureTarget['credentials'] {
  if (accountKey !== undefined) {
    if (account === undefined) throw invalid('accountKey needs account');
    if (!/^[A-Za-z0-9+/]{4,200}={0,2}$/.test(accountKey)) throw invalid('accountKey is not base64');
    return { account, accountKey };
  }
  const query = (sasToken ?? '').replace(/^\?/, '');
  const parameters = query.split('&');
  const isWhole =
    query.length <= 4_096 &&
    parameters.every((one) => sasParameter.test(one)) &&
    parameters.some((one) => one.startsWith('sig='));
  if (!isWhole) throw invalid('sasToken is not a shared access signature');
  return { sasToken: query };
}

function invalid(detail: string): AppError {
  return new AppError(blobErrors.credentialsInvalid, { detail });
}
