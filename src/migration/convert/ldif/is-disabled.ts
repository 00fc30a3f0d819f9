import type { SourceRecord } from '../reading/source-record.js';
import { hasPassed } from '../values/dates.js';
import { hasOperationalAttributes } from './operational-attributes.js';
import { readAttributes } from './read-attributes.js';

/** 389 Directory Server and FreeIPA, PingDirectory and OpenDJ, AD LDS, eDirectory. */
const flags = ['nsaccountlock', 'ds-pwp-account-disabled', 'msds-useraccountdisabled', 'logindisabled'];

/** ADS_UF_ACCOUNTDISABLE of `userAccountControl` (MS-ADTS section 2.2.16). */
const accountDisabled = 2;
/**
 * The end of an account in generalized time (RFC 4517 section 3.3.13): the draft of password policies that OpenLDAP follows (section 5.3.10),
 * FreeIPA, OpenDJ and PingDirectory, eDirectory.
 */
const ends = [
  'pwdendtime',
  'krbprincipalexpiration',
  'ds-pwp-account-expiration-time',
  'loginexpirationtime',
];
const dayMs = 24 * 60 * 60 * 1000;
/** From 1601, where Active Directory counts from, to 1970, in milliseconds. */
const epochMs = 11_644_473_600_000;

/** Attributes that say for an account that may be used that it may be. `userPassword` says it if it has no mark of a lock. */
const others = [
  ...['useraccountcontrol', 'pwdaccountlockedtime', 'accountexpires', 'shadowexpire', 'userpassword'],
  ...ends,
];

/**
 * Returns whether the directory refuses the person: disabled, locked, or expired at this moment. Undefined if the entry does not say. Takes
 * what says so.
 * @param password `isLocked`: `userPassword` has a mark of a lock
 */
export function isDisabled(
  source: SourceRecord,
  password: { readonly isLocked: boolean },
): boolean | undefined {
  const { one, all, isTrue } = readAttributes(source);
  const isTold = [...flags, ...others].some((name) => source.look(name) !== undefined);
  const isFlagged = flags.filter(isTrue).length > 0;
  const control = Number(one('useraccountcontrol') ?? 0);
  // The policy of the server says when the lock ends, and the file does not have it.
  const isLocked = all('pwdaccountlockedtime').length > 0;
  const isRefused =
    isFlagged || isLocked || password.isLocked || (control & accountDisabled) !== 0 || isExpired(source);
  return isTold || hasOperationalAttributes(source) ? isRefused : undefined;
}

/** Whether the account has ended. An end in the future is lost. */
function isExpired(source: SourceRecord): boolean {
  const moments = ends.filter((name) => hasPassed(String(source.look(name) ?? '')));
  for (const name of moments) source.take(name);
  const numbers = [
    endOf(source, 'accountexpires', (text) => Number(BigInt(text) / 10_000n) - epochMs),
    endOf(source, 'shadowexpire', (text) => Number(text) * dayMs),
  ];
  return moments.length > 0 || numbers.some((end) => end !== undefined && end <= Date.now());
}

/** Returns when an account ends, in milliseconds. Some numbers mean never. */
function endOf(source: SourceRecord, name: string, read: (text: string) => number): number | undefined {
  const text = source.look(name);
  const never = ['0', '-1', '9223372036854775807'];
  if (typeof text !== 'string' || !/^-?\d{1,19}$/.test(text)) return undefined;
  const end = never.includes(text) ? undefined : read(text);
  if (end === undefined || end <= Date.now()) source.take(name);
  return end;
}
