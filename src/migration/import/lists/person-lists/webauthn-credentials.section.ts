import { credentialsById, webauthnCredentials } from '#src/accounts/person-lists/index.js';
import { servesPasskey } from '#src/authentication/passkeys/index.js';
import { webauthnCredentialsRecord } from '../../../format/webauthn-credentials.record.js';
import { readMoment } from '../credentials/read-moment.js';
import type { ImportSection } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { createRecordReader } from '../shared/record-reader.js';
import { type PersonListDeps, personListSection } from './person-list.section.js';

const read = createRecordReader(webauthnCredentialsRecord);

/**
 * `webauthnCredentials`: the passkeys and security keys of each person. A credential that the person has here stays as it is. One of another
 * RP ID than that of this service works only under that RP ID, so the report warns of it.
 */
export function webauthnCredentialsSection(
  deps: PersonListDeps & Pick<SectionDeps, 'accounts' | 'config' | 'webauthnCredentials'>,
): ImportSection {
  return personListSection(deps, {
    key: 'webauthnCredentials',
    errorType: 'webauthn_credential',
    successKey: 'webauthnCredentials',
    kind: webauthnCredentials,
    store: deps.webauthnCredentials,
    read(record) {
      const { userId, credentials } = read(record);
      const items = credentials.map(({ created, lastUsed, ...credential }) => ({
        ...credential,
        ...(created !== undefined && { created: readMoment('created', created) }),
        ...(lastUsed !== undefined && { lastUsed: readMoment('lastUsed', lastUsed) }),
      }));
      return { userId, items: credentialsById(items) };
    },
    // A credential that was used since has a higher counter.
    stated(stored, given) {
      const { lastUsed, madeHere: _madeHere, beganSignIn: _beganSignIn, ...others } = stored;
      const isLater = lastUsed !== undefined && (given.lastUsed?.getTime() ?? 0) <= lastUsed.getTime();
      const used = isLater ? given.lastUsed : lastUsed;
      const counter = Math.min(stored.counter, given.counter);
      return { ...others, counter, ...(used !== undefined && { lastUsed: used }) };
    },
    merged: (stored) => stored,
    givesSignIn: () => true,
    alongside: (orgId, written, transaction) => {
      // Whoever has only passkeys of another RP ID is asked to set one up, like everybody without one.
      const marks = written.flatMap(({ userId: id, items, lastModified: changed }) => {
        const count = Object.values(items).filter((one) => servesPasskey(deps, one)).length;
        return count === 0 ? [] : [{ id, passkeys: { count, changed } }];
      });
      return deps.accounts.markPasskeys(orgId, marks, transaction);
    },
    doubt: (credential) =>
      credential.rpId !== undefined && servesPasskey(deps, credential) ? undefined : 'credentials[].rpId',
  });
}
