import { type GuessedTarget, isOwnerWord, meaningOf, meaningOfItems, plainName } from './column-names.js';
import type { Column } from './columns-of.js';

/** Exports of MongoDB and of DynamoDB name the type of a value: `{"$oid": …}`, `{"S": …}`. */
const typeName = /^(?:\$.+|S|N|BOOL)$/;

/** The targets that say who a person is, and whether and how the person signs in. Those of a manager or a company must never become the person's. */
const ofIdentity = new Set<GuessedTarget>([
  ...(['userName', 'email', 'emailVerified', 'phone', 'phoneVerified', 'id', 'externalId'] as const),
  ...(['name.givenName', 'name.familyName', 'name.middleName', 'displayName', 'nickName'] as const),
  ...(['passwordHash', 'passwordChangeRequired', 'otpSecret', 'created', 'lastModified'] as const),
  ...(['active', 'inactive', 'inactiveUntil', 'inactiveFrom'] as const),
]);

/** Objects that hold what belongs to the person itself, without letter case and separators. */
const ownParts = new Set([
  ...[
    'users',
    'user',
    'accounts',
    'account',
    'member',
    'person',
    'people',
    'customer',
    'contact',
    'contacts',
  ],
  ...[
    'profile',
    'userprofile',
    'profiles',
    'data',
    'userdata',
    'attributes',
    'traits',
    'fields',
    'item',
    'items',
  ],
  ...[
    'details',
    'userdetails',
    'info',
    'userinfo',
    'information',
    'personal',
    'personaldata',
    'personalinfo',
  ],
  ...['personaldetails', 'personalinformation', 'basic', 'basicinfo', 'general', 'identity', 'credentials'],
  ...[
    'login',
    'auth',
    'authentication',
    'security',
    'services',
    'password',
    'passwords',
    'local',
    'name',
    'names',
  ],
  ...['email', 'emails', 'mail', 'phone', 'phones', 'phonenumbers', 'mobile', 'primary', 'work', 'lifecycle'],
  ...[
    'doc',
    'document',
    'source',
    'record',
    'node',
    'value',
    'values',
    'properties',
    'props',
    'content',
    'meta',
  ],
  ...[
    'metadata',
    'usermetadata',
    'appmetadata',
    'rawusermetadata',
    'rawusermetadata',
    'claims',
    'm',
    'settings',
  ],
  ...['state', 'status', 'accountstate', 'accountstatus', 'entity', 'object', 'row', 'flags', 'preferences'],
]);

/** What a column probably has, by the steps to it. Undefined if nobody knows, or it belongs to somebody or something else. */
export function meaningOfColumn({
  path: given,
}: Pick<Column, 'path'>): { target: GuessedTarget; rank: number } | undefined {
  const path = withoutType(given);
  const last = path.at(-1) ?? '';
  if (path.includes('[]')) {
    // `emails[].address`, and no value within a list of anything else.
    const target = path.at(-2) === '[]' ? meaningOfItems(path.at(-3) ?? '', last) : undefined;
    return target && isOfPerson(target, path.slice(0, -3)) ? { target, rank: 0 } : undefined;
  }
  // `user.name` is the name of a user, and no user name.
  const whole = path.length === 1 || !isOwnerWord(path[0] ?? '') ? meaningOf(path.join('.')) : undefined;
  if (whole !== undefined) return whole;
  const found = meaningOf(last);
  return found && isOfPerson(found.target, path.slice(0, -1)) ? found : undefined;
}

/** The name that says what a column has, without letter case and separators: `mail` of `mail[].value`. */
export function columnWord({ path: given }: Pick<Column, 'path'>): string {
  const path = withoutType(given);
  return plainName((path.at(-2) === '[]' ? path.at(-3) : path.at(-1)) ?? '');
}

/** Words for other people, and for addresses that are not the person's yet or no longer. */
const ofOthers =
  /manager|supervisor|boss|sponsor|owner|creator|author|parent|assistant|approver|emergency|refer|spouse|partner|reportsto|teamlead|invite|guardian|vorgesetzt|superieur|responsable|jefe|leidinggevende|by$|^(?:unconfirmed|unverified|new|old|prev|pending)|change/;
/** Words for hashes that are of no password: whoever has a token or an answer would sign in with it. */
const ofOtherSecrets =
  /token|otp|recovery|backup|code|pin|answer|session|refresh|remember|api|key|old|prev|history|temp/;

/** Whether a column whose name says nothing may have the address or the password hash of the person. */
export function mayBeOwn(target: 'email' | 'passwordHash', column: Pick<Column, 'path'>): boolean {
  const parents = withoutType(column.path).slice(0, -1);
  const others = target === 'email' ? ofOthers : ofOtherSecrets;
  return isOfPerson(target, parents) && !others.test(columnWord(column));
}

function isOfPerson(target: GuessedTarget, parents: readonly string[]): boolean {
  return !ofIdentity.has(target) || parents.every((one) => one === '[]' || ownParts.has(plainName(one)));
}

function withoutType(path: readonly string[]): readonly string[] {
  const end = path.findLastIndex((step) => !typeName.test(step));
  return end < 0 ? path : path.slice(0, end + 1);
}
