import { linksByKey } from '#src/accounts/person-lists/index.js';
import { AppError } from '#src/platform/errors.js';
import type { IdentityLinksRecord } from '../../format/identity-links.record.js';
import { ConversionError, refusedBy } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';

/** The list of an organization with the links of its users to outside identity providers (`IDPUserLink` in `proto/zitadel/idp.proto`). */
export const userLinks = 'userLinks';

/** A link of a user. A user may have several records, in any order. */
export interface ZitadelUserLink {
  readonly userId: string;
  readonly link: IdentityLinksRecord['links'][number];
}

/** Reads a record of `userLinks`. @throws ConversionError when it names no user, no provider or no account there */
export function zitadelUserLink(source: SourceRecord): ZitadelUserLink {
  const userId = source.text('userId');
  const [provider, subject] = [source.text('idpId'), source.text('providedUserId')];
  if (userId === undefined || provider === undefined || subject === undefined) {
    throw new ConversionError('other', { detail: 'no userId, no idpId or no providedUserId' });
  }
  const name = source.text('providedUserName');
  const link = { provider, subject, ...(name !== undefined && { name }) };
  try {
    linksByKey([link]);
  } catch (error) {
    throw error instanceof AppError ? refusedBy(error) : error;
  }
  return { userId, link };
}
