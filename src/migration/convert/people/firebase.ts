import { StartError } from '#src/platform/start-error.js';
import { firebaseIdentities } from '../identities/identity-layouts.js';
import type { PeopleFormat } from '../mapping/people-format.js';
import { statedAlways, statedNames } from '../mapping/stated.js';
import { ConversionError } from '../reading/read-fields.js';
import { takeDates } from '../values/dates.js';
import { firebaseTable } from './firebase-table.js';
import { makePerson, takeChecked } from './person.js';

const system = 'Firebase';

/** The parameters of the hashes of one project. */
interface HashParameters {
  readonly signerKey: string;
  readonly separator: string;
  readonly rounds: string;
  readonly memoryCost: string;
}

/** `firebase auth:export FILE --format=JSON` or `--format=CSV`. The hash parameters are those that the console shows. */
export const firebase: PeopleFormat = {
  system,
  members: ['users'],
  states: statedAlways(...statedNames, 'profile.displayName', 'email', 'phone', 'scim.photos'),
  identities: firebaseIdentities,
  factors: [['mfaInfo']],
  table: firebaseTable,
  reader({ emailVerified, hashParameters, dropHashes = false }) {
    const parameters = hashParameters === undefined ? undefined : readHashParameters(hashParameters);
    return (source) => {
      const id = source.text('localId');
      if (id === undefined) throw new ConversionError('notPerson', { system, lacks: 'it has no localId' });
      const [email, phone] = [source.text('email'), source.text('phoneNumber')];
      const notes: string[] = [];
      const photo = takeChecked(source, { rule: 'photo', path: ['photoUrl'], notes });
      return makePerson(system, {
        id,
        userNames: [email, phone, id],
        names: { full: source.text('displayName'), email },
        ...takeDates(source, { created: ['createdAt'] }),
        email,
        emailVerified: source.flag('emailVerified') === true || emailVerified,
        phone,
        // Firebase knows a number only by a code that it sent there.
        phoneVerified: true,
        notes,
        // An export leaves the flag out for people who were never disabled.
        active: source.flag('disabled') !== true,
        hash: hashOf(source.text('passwordHash'), source.text('salt'), { parameters, dropHashes }),
        scim: { photos: photo === undefined ? undefined : [{ value: photo, type: 'photo' }] },
      });
    };
  },
};

function hashOf(
  tag: string | undefined,
  salt: string | undefined,
  of: { readonly parameters: HashParameters | undefined; readonly dropHashes: boolean },
): string | undefined {
  if (tag === undefined) return undefined;
  const { parameters, dropHashes } = of;
  // Without the parameters it is a hash that nobody can read.
  if (parameters === undefined && dropHashes) return `$firescrypt$${tag}`;
  if (parameters === undefined)
    throw new StartError(
      'The file has password hashes, so --hash-parameters is required. --drop-hashes takes the people without them',
    );
  const { memoryCost, rounds, separator, signerKey } = parameters;
  return `$firescrypt$ln=${memoryCost},r=${rounds},p=1$${salt ?? ''}$${tag}$${separator}$${signerKey}`;
}

/** Reads the block `hash_config { ... }` of the console, or JSON with the same names. */
function readHashParameters(text: string): HashParameters {
  const value = (name: string) =>
    new RegExp(`["']?${name}["']?\\s*:\\s*["']?([\\w+/=-]+)`).exec(text)?.[1] ?? '';
  const found = {
    signerKey: value('base64_signer_key'),
    separator: value('base64_salt_separator'),
    rounds: value('rounds'),
    memoryCost: value('mem_cost'),
  };
  const isWhole = Object.values(found).every((part) => part !== '') && value('algorithm') === 'SCRYPT';
  if (isWhole) return found;
  throw new StartError(
    '--hash-parameters has not what the Firebase console shows: algorithm SCRYPT, base64_signer_key, base64_salt_separator, rounds and mem_cost',
  );
}
