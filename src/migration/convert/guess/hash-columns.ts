import type { HashPartsFile } from '../mapping/hash-parts-schema.js';
import { columnWord, meaningOfColumn } from './column-meaning.js';
import { isOfSalts } from './column-names.js';
import { type Column, columnName, mappedPath } from './columns-of.js';
import { areBareDigests } from './value-shapes.js';

/** What the columns of a hash say together. */
interface HashColumns {
  /** The columns that have their meaning already. Nothing else is made of them. */
  readonly taken: readonly Column[];
  /** The column of the hash, if a mapping puts its parts together. */
  readonly hash?: Column;
  /** `passwordHash` of the mapping. */
  readonly parts?: HashPartsFile;
  /** A hash, and what it cannot be read without. Both are left out, because only a mapping can say how they go together. */
  readonly unclear?: UnclearHash | undefined;
}

/** The columns of a hash, and of its salt or the name of its algorithm. */
export interface UnclearHash {
  readonly hash: string;
  readonly beside: string;
  readonly kind: 'salts' | 'algorithms';
}

/** Meteor has bcrypt of the hexadecimal SHA-256 of a password there (meteor/packages/accounts-password). */
const hashOfMeteor = 'services.password.bcrypt';

/** Columns that name the algorithm of a hash. Appwrite's is `hash`. */
const ofAlgorithms = new Set([
  ...[
    'hash',
    'hasher',
    'passwordhasher',
    'hashalgorithm',
    'hashalgo',
    'hashtype',
    'hashmethod',
    'hashfunction',
  ],
  ...['passwordalgorithm', 'passwordalgo', 'passwordhashalgorithm', 'passwordhashalgo', 'passwdhashalgo'],
  ...[
    'passwordhashfunction',
    'passwordhashtype',
    'passwordencryptionmethod',
    'passwordtype',
    'encryptionscheme',
  ],
]);
const algorithm =
  /^(?:\$?argon2|argon$|bcrypt|scrypt|phpass|plain|none$|legacy|crypt|hmac|salted|ldap_|awscognito|(?:\$?pbkdf2|md4|md5|sha|ssha)[-_\d]*)/i;
/** Algorithms whose hashes say themselves how they are read, or whose digits do. */
const readAlone = /^(?:argon2\w*|bcrypt\w*|phpass|plain\w*|none|crypt|md5|sha-?1|sha-?(?:224|256|384|512))$/i;

/** The algorithms of Appwrite (`utopia-php/auth`). What is not here is left out. */
const ofAppwrite = {
  ...{ argon2: '', bcrypt: '', phpass: '', md5: 'md5', sha: 'sha' },
  ...{ scrypt: 'scrypt', scryptMod: 'firebase-scrypt' },
};
/** The password hashers of Clerk that it documents. `awscognito` has no hash, and nobody says what the others are. */
const ofClerk = Object.fromEntries(
  [
    ...[
      'argon2i',
      'argon2id',
      'bcrypt',
      'bcrypt_peppered',
      'bcrypt_sha256_django',
      'ldap_ssha',
      'md5',
      'md5_salted',
    ],
    ...[
      'pbkdf2_sha1',
      'pbkdf2_sha512',
      'pbkdf2_sha512_hex',
      'pbkdf2_sha256_django',
      'phpass',
      'scrypt_firebase',
    ],
    ...['scrypt_werkzeug', 'sha256', 'sha256_salted', 'sha512_symfony'],
  ].map((name) => [name, '']),
);

/** Finds the columns that say together how a hash is read. */
export function hashColumnsIn(columns: readonly Column[]): HashColumns {
  const meteor = columns.find((column) => columnName(column) === hashOfMeteor);
  if (meteor !== undefined) {
    const parts = { hash: { from: hashOfMeteor }, algorithm: 'bcrypt-sha256-hex' };
    return { taken: [meteor], hash: meteor, parts };
  }
  const naming = columns.find(isOfAlgorithms);
  const hash = columns.find((one) => one !== naming && meaningOfColumn(one)?.target === 'passwordHash');
  // Alone, such a text may be a hash of DES.
  const kinds =
    hash !== undefined || naming?.values.every((value) => readAlone.test(value)) ? naming : undefined;
  const salt = columns.find(({ path, values }) => values.length > 0 && isOfSalts(path.at(-1) ?? ''));
  if (kinds !== undefined && hash !== undefined) {
    const parts = partsBy(kinds, hash, columns);
    if (parts !== undefined) return { taken: [kinds, hash], hash, parts };
  }
  const bare = columns.find(
    (one) => one !== kinds && meaningOfColumn(one)?.target === 'passwordHash' && areBareDigests(one.values),
  );
  const beside = (other: Column, kind: UnclearHash['kind']): HashColumns => ({
    taken: [...(bare ? [bare] : []), other, ...(kinds ? [kinds] : [])],
    unclear: bare && { hash: columnName(bare), beside: columnName(other), kind },
  });
  if (salt !== undefined && bare !== undefined) return beside(salt, 'salts');
  if (kinds === undefined) return { taken: [] };
  if (bare !== undefined && !kinds.values.every((value) => readAlone.test(value)))
    return beside(kinds, 'algorithms');
  return { taken: [kinds] };
}

/** A hash is longer than the name of its algorithm. */
function isOfAlgorithms(column: Column): boolean {
  const { values } = column;
  return (
    ofAlgorithms.has(columnWord(column)) &&
    values.length > 0 &&
    values.every((value) => value.length < 32 && algorithm.test(value))
  );
}

/** The parts of a hash of Appwrite or Clerk. Undefined for other systems. */
function partsBy(kinds: Column, hash: Column, columns: readonly Column[]): HashPartsFile | undefined {
  const from = mappedPath(hash.path);
  if (columnWord(kinds) === 'passwordhasher') {
    const values = { ...ofClerk, pbkdf2_sha256: 'clerk-pbkdf2-sha256' };
    return { hash: { from }, algorithm: { from: mappedPath(kinds.path), values } };
  }
  const options = columns.find((column) => column.path.some((step) => step === 'hashOptions'));
  if (columnWord(kinds) !== 'hash' || options === undefined) return undefined;
  const parents = options.path.slice(0, options.path.indexOf('hashOptions') + 1);
  const of = (name: string) => ({ from: mappedPath([...parents, name]) });
  return {
    hash: { from },
    algorithm: { from: mappedPath(kinds.path), values: ofAppwrite },
    ...{ digest: of('version'), salt: of('salt'), separator: of('saltSeparator'), key: of('signerKey') },
    ...{ memory: of('costCpu'), blockSize: of('costMemory'), parallelism: of('costParallel') },
  };
}
