import type { UserMetadataRecord } from '../../format/user-metadata.record.js';
import { identityMetadata, longestIdentityText } from '../identities/take-identities.js';
import { ConversionError } from '../reading/read-fields.js';
import type { SourceRecord } from '../reading/source-record.js';

/** The list of an organization with the links of its users to outside identity providers (`IDPUserLink` in `proto/zitadel/idp.proto`). */
export const userLinks = 'userLinks';

/**
 * A record of `userLinks` as metadata of its user. A user has one link to a provider.
 * @throws ConversionError when it names no user, no provider or no account there
 */
export function zitadelUserLink(source: SourceRecord): UserMetadataRecord {
  const userId = source.text('userId');
  const [provider, subject] = [source.text('idpId'), source.text('providedUserId')];
  if (userId === undefined || provider === undefined || subject === undefined) {
    throw new ConversionError('no userId, no idpId or no providedUserId');
  }
  const name = source.text('providedUserName');
  if ([provider, subject, name ?? ''].some((text) => text.length > longestIdentityText)) {
    throw new ConversionError(
      `a provider, an account or its name is longer than ${longestIdentityText} characters`,
    );
  }
  const [[key = '', text = ''] = []] = identityMetadata([
    { provider, subject, ...(name !== undefined && { name }) },
  ]);
  return { userId, key, value: Buffer.from(text).toString('base64') };
}
