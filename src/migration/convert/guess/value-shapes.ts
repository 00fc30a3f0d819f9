import { clearPasswordIn, saysNoPassword } from '#src/keys/password-hashes/clear-password.js';
import { readPasswordHash } from '#src/keys/password-hashes/read-password-hash.js';
import { isOtpSecret } from '../people/person.js';
import { valueRules } from '../reading/check-item.js';
import { datesOf } from '../values/dates.js';
import { isLanguage } from '../values/language.js';

/** Words for true and false that people write into tables, in the languages of the console and three more. */
const yes = ['true', 'yes', '1', 'y', 't', 'x', 'ja', 'j', 'oui', 'si', 'sí', 'sim', 'wahr', 'vrai'];
const no = ['false', 'no', '0', 'n', 'f', 'nein', 'non', 'nee', 'não', 'nej', 'falsch', 'faux'];
/** Words for the state of an account. */
const works = [
  'active',
  'enabled',
  'confirmed',
  'provisioned',
  'recovery',
  'normal',
  'aktiv',
  'actif',
  'activo',
  'attivo',
  ...[
    'ok',
    'account_ok',
    'activated',
    'approved',
    'valid',
    'live',
    'open',
    'registered',
    'accepted',
    'verified',
  ],
  ...['password_expired', 'force_change_password', 'reset_required'],
];
const stopped = [
  ...[
    'inactive',
    'disabled',
    'suspended',
    'blocked',
    'locked',
    'locked_out',
    'banned',
    'deactivated',
    'deprovisioned',
  ],
  ...[
    'archived',
    'deleted',
    'staged',
    'inaktiv',
    'gesperrt',
    'deaktiviert',
    'inactif',
    'inactivo',
    'inattivo',
  ],
  ...[
    'invited',
    'pending',
    'pending_approval',
    'blocked_pending_approval',
    'ldap_blocked',
    'unverified',
    'unconfirmed',
  ],
  ...[
    'draft',
    'expired',
    'removed',
    'terminated',
    'rejected',
    'declined',
    'closed',
    'trash',
    'trashed',
    'spam',
    'frozen',
  ],
  ...['canceled', 'cancelled', 'unapproved', 'revoked', 'disabled_by_admin', 'deactive', 'not_active'],
];

/** The words that a mapping understands without `values`. */
const understood = new Set(['true', 'yes', '1', 'false', 'no', '0']);

/**
 * Returns what the words of a flag mean to a mapping, for its `values`. It has the words of the column's language, in the letter case of the column.
 * Undefined if a value is none of the known words. Empty if a mapping understands every word.
 */
export function wordsOfFlag(
  values: readonly string[],
  isNegated = false,
): Record<string, string> | undefined {
  const [whenTrue, whenFalse] = isNegated ? ['no', 'yes'] : ['yes', 'no'];
  const [good, bad] = isNegated ? [stopped, works] : [works, stopped];
  const meanings = new Map([
    ...[...yes, ...good].map((word) => [word, whenTrue] as const),
    ...[...no, ...bad].map((word) => [word, whenFalse] as const),
  ]);
  const used = new Set(values.map((value) => value.toLowerCase()));
  if (![...used].every((word) => meanings.has(word))) return undefined;
  if (!isNegated && [...used].every((word) => understood.has(word))) return {};
  const kinds = [
    [...yes, ...no],
    [...works, ...stopped],
  ];
  const shown = kinds.filter((kind) => kind.some((word) => used.has(word))).flat();
  const cased = caseOf(values);
  return Object.fromEntries(shown.map((word) => [cased(word), meanings.get(word) ?? '']));
}

/**
 * Returns what the words of a state mean if only some of them are known: what the column shows of the known ones decides. If one says that an
 * account works, every unknown word says that it does not. Undefined if no word is known.
 */
export function partlyKnownWords(
  values: readonly string[],
): { readonly values: Record<string, string>; readonly otherwise: 'yes' | 'no' } | undefined {
  const used = new Set(values.map((value) => value.toLowerCase()));
  const [good, bad] = [works, stopped].map((words) => words.filter((word) => used.has(word))) as [
    string[],
    string[],
  ];
  if (good.length + bad.length === 0) return undefined;
  const cased = caseOf(values);
  const said = [...works.map((word) => [word, 'yes']), ...stopped.map((word) => [word, 'no'])] as const;
  return {
    values: Object.fromEntries(said.map(([word = '', meaning]) => [cased(word), meaning ?? ''])),
    otherwise: good.length > 0 ? 'no' : 'yes',
  };
}

/** The letter case in which a column writes its words. */
function caseOf(values: readonly string[]): (word: string) => string {
  const [first = ''] = values.filter((value) => /\p{L}{2}/u.test(value));
  if (first !== '' && first === first.toUpperCase()) return (word) => word.toUpperCase();
  if (first !== first.toLowerCase()) return (word) => word.charAt(0).toUpperCase() + word.slice(1);
  return (word) => word;
}

const passes = (check: (text: string) => unknown) => (value: string) => {
  try {
    return check(value) !== undefined;
  } catch {
    return false;
  }
};
const isDate = (value: string) => datesOf({ created: value }, []).created !== undefined;
const isUrl = passes(valueRules.website);
const isAddress = (value: string) => value.length <= 320 && /^[^\s@]+@[^\s@]+$/.test(value);
const isPhone = (value: string) =>
  value.length <= 60 && /\d{3}/.test(value) && /^[\d\s+().,/#:;=a-z-]+$/i.test(value);
/** `{noop}secret` stands where a system has hashes, too. */
const isHash = (value: string) =>
  readPasswordHash(value) !== undefined || clearPasswordIn(value) !== undefined || saysNoPassword(value);

/** An identifier that no other system makes too: users keep it. A number is unique in its own system alone. */
const isUnique = (value: string) =>
  /^[\x21-\x7e]{16,200}$/.test(value) && /[a-z]/i.test(value) && /\d/.test(value);

/** What people are called in a group or a role is no number, and no identifier that a program made. */
const isGroupName = (value: string) => !/^(?:\d+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(value);

/** What a value of a target looks like. A target that takes any text is absent. */
const shapes: Readonly<Partial<Record<string, (value: string) => boolean>>> = {
  email: isAddress,
  group: isGroupName,
  roles: isGroupName,
  'addresses.formatted': (value) => !isAddress(value),
  phone: isPhone,
  photos: passes(valueRules.photo),
  passwordHash: isHash,
  otpSecret: isOtpSecret,
  id: isUnique,
  preferredLanguage: isLanguage,
  locale: passes(valueRules.locale),
  timezone: passes(valueRules.timezone),
  birthdate: passes(valueRules.birthdate),
  website: isUrl,
  profileUrl: isUrl,
  created: isDate,
  lastModified: isDate,
};

/** Most of a column's values must fit, because real tables have cells with faults. The import tells those. */
const enough = 0.8;

/** Whether the values of a column look like those of a target. A column without values fits. */
export function looksLike(target: string, values: readonly string[]): boolean {
  const shape = shapes[target];
  if (shape === undefined || values.length === 0) return true;
  return values.filter(shape).length >= values.length * enough;
}

/** Shorter texts may be passwords that look like a hash by chance. */
const shortestHash = 32;

/** Whether one of the values is a password hash. */
export function haveHash(values: readonly string[]): boolean {
  return values.some((value) => value.length >= shortestHash && readPasswordHash(value) !== undefined);
}

/** Whether values are password hashes that name their form, such as `$2b$` or `{SSHA}`. Bare digits may be the digest of anything. */
export function areNamedHashes(values: readonly string[]): boolean {
  return values.every((value) => /^[${]/.test(value)) && looksLike('passwordHash', values);
}

/** Whether values are digests alone, in hexadecimal or base64: nothing in them says how they were made. */
export function areBareDigests(values: readonly string[]): boolean {
  return (
    values.length > 0 && values.every((value) => value.length >= 22 && /^[A-Za-z0-9+/_-]+=*$/.test(value))
  );
}

/** Whether every value is a date. A column without values has none. */
export function areDates(values: readonly string[]): boolean {
  return values.length > 0 && values.every((value) => value.startsWith('0000-') || isDate(value));
}

/** What stands between the names in the cells of a list: the character that most cells have. Undefined if none has any. */
export function separatorOf(values: readonly string[]): string | undefined {
  // The names of groups in a directory have commas: `cn=staff,ou=groups`.
  const areDistinguished = values.some((value) => /^[a-z]+=[^,=]+,\s*[a-z]+=/i.test(value));
  const counts = [';', '|', ...(areDistinguished ? [] : [','])].map(
    (one) => [one, values.filter((value) => value.includes(one)).length] as const,
  );
  const [best] = counts.filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  return best?.[0];
}
