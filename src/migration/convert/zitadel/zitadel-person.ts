import { importedGender } from '../../format/imported-gender.js';
import type { ConvertedPerson } from '../mapping/people-format.js';
import { statedAlways, statedNames } from '../mapping/stated.js';
import { isOtpSecret, makePerson, takeLanguage } from '../people/person.js';
import type { SourceRecord } from '../reading/source-record.js';

/** What an export says of every person. */
export const zitadelStates = statedAlways(
  ...statedNames,
  ...['displayName', 'nickName', 'preferredLanguage', 'gender'].map((name) => `profile.${name}`),
  'email',
  'phone',
);

/** Reads a record of `humanUsers`, without checking what only a mapping may make right. @throws ConversionError */
export function zitadelPerson(source: SourceRecord, emailVerified: boolean): ConvertedPerson {
  const of = (...path: string[]) => source.text('user', ...path);
  const gender = source.take('user', 'profile', 'gender');
  const email = of('email', 'email');
  // The hash says its algorithm itself.
  source.take('user', 'hashedPassword', 'algorithm');
  const password = clearPassword(source);
  const otpSecret = of('otpCode');
  if (otpSecret !== undefined && !isOtpSecret(otpSecret)) source.loseAlso('user.otpCode');
  const { record, ...beside } = makePerson('ZITADEL', {
    id: source.text('userId'),
    userNames: [of('userName')],
    names: {
      given: of('profile', 'firstName'),
      family: of('profile', 'lastName'),
      full: of('profile', 'displayName'),
      nick: of('profile', 'nickName'),
      email,
    },
    language: takeLanguage(source, 'user', 'profile', 'preferredLanguage'),
    email,
    emailVerified: source.flag('user', 'email', 'isEmailVerified') === true || emailVerified,
    phone: of('phone', 'phone'),
    phoneVerified: source.flag('user', 'phone', 'isPhoneVerified') === true,
    hash: of('hashedPassword', 'value'),
    passwordChangeRequired: source.flag('user', 'passwordChangeRequired'),
    otpSecret,
  });
  // A record has one of both. The hash is what the person signs in with.
  if (password !== undefined && record.user.hashedPassword !== undefined) source.loseAlso('user.password');
  const word = importedGender(typeof gender === 'string' || typeof gender === 'number' ? gender : undefined);
  const { user } = record;
  const complete = {
    ...record,
    user: {
      ...user,
      ...(word !== undefined && { profile: { ...user.profile, gender: word } }),
      ...(password !== undefined && user.hashedPassword === undefined && { password }),
    },
  };
  return { record: complete, ...beside };
}

/** Takes the password as it is, with its blanks. */
function clearPassword(source: SourceRecord): string | undefined {
  const given = source.look('user', 'password');
  if (typeof given !== 'string' || given === '') return undefined;
  source.take('user', 'password');
  return given;
}
