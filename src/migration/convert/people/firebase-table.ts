import type { JsonObject } from '#src/platform/json/json-object.js';
import type { PeopleFormat } from '../mapping/people-format.js';

const providers = ['google.com', 'facebook.com', 'twitter.com', 'github.com'];
const ofProvider = ['rawId', 'email', 'displayName', 'photoUrl'];

/** The columns of `firebase auth:export --format=CSV`, which has no header. Source: firebase-tools, `src/accountExporter.ts`. */
const columns = [
  ...['localId', 'email', 'emailVerified', 'passwordHash', 'salt', 'displayName', 'photoUrl'],
  ...providers.flatMap((provider) => ofProvider.map((name) => `${provider} ${name}`)),
  ...['createdAt', 'lastSignedInAt', 'phoneNumber', 'disabled', 'customAttributes'],
];

export const firebaseTable: NonNullable<PeopleFormat['table']> = {
  columns,
  isFirstLine: (line) => line.split(',').length >= columns.length,
  read(row) {
    const infos = providers.map((providerId) => {
      const entries = ofProvider.map((name) => [name, row[`${providerId} ${name}`]] as const);
      return { providerId, ...Object.fromEntries(entries) } as JsonObject;
    });
    const plain = Object.entries(row).filter(([name]) => !name.includes(' '));
    return {
      ...Object.fromEntries(plain),
      emailVerified: row['emailVerified'] === 'true',
      disabled: row['disabled'] === 'true',
      providerUserInfo: infos.filter(({ rawId }) => rawId !== ''),
    };
  },
};
