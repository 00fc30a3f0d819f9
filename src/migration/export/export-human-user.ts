import { type Account, toBase32, unsealTotpSecret } from '#src/accounts/index.js';
import type { ExtensionSchemas, MultiValue, User } from '#src/directory/index.js';
import type { Sealer } from '#src/keys/sealer.js';
import { assumedLanguage, madeDisplayName } from '#src/people/users/index.js';
import { exportedDates } from '../format/dates.record.js';
import type { HumanUserRecord } from '../format/human-user.record.js';
import { importedGender } from '../format/imported-gender.js';
import { exportValues } from './export-extensions.js';

type ScimAttributes = NonNullable<HumanUserRecord['user']['scim']>;

/**
 * A person as a record of the file. It has the credentials with which the account was read.
 * @param registered the attributes of the organization
 * @returns `otpUnreadable` if the secret of the second factor was sealed with a key that is gone
 */
export function exportHumanUser(
  totpSealer: Sealer,
  { user, password, totp }: Account,
  registered?: ExtensionSchemas,
): { record: HumanUserRecord; otpUnreadable: boolean } {
  const { id, userName, name, nickName, displayName, preferredLanguage, emails, phoneNumbers } = user;
  const email = emails.find(({ primary }) => primary);
  const phone = phoneNumbers?.find(({ primary }) => primary);
  const secret = totp && unsealTotpSecret(totpSealer, id, totp.sealed);

  const profile: NonNullable<HumanUserRecord['user']['profile']> = {};
  if (name.givenName !== undefined) profile.firstName = name.givenName;
  if (name.familyName !== undefined) profile.lastName = name.familyName;
  profile.displayName = displayName;
  profile.preferredLanguage = preferredLanguage;
  if (nickName !== undefined) profile.nickName = nickName;
  if (user.gender !== undefined && isReadAlike(user.gender)) profile.gender = user.gender;
  const scim = scimAttributes(user, registered);
  const exported: HumanUserRecord['user'] = { userName, ...exportedDates(user), profile, scim };
  if (email) exported.email = { email: email.value, isEmailVerified: email.verified !== false };
  if (phone) exported.phone = { phone: phone.value, isPhoneVerified: phone.verified !== false };
  if (password) exported.hashedPassword = { value: password.hash };
  // False is there too: in an import that updates, absent leaves the requirement as it is.
  if (password) exported.passwordChangeRequired = password.changeRequired === true;
  if (secret) exported.otpCode = toBase32(secret);
  if (secret && totp.recovery) exported.otpRecoveryCodes = [...totp.recovery];
  return {
    otpUnreadable: totp !== undefined && secret === undefined,
    record: { userId: id, user: exported },
  };
}

/** The attributes that the other fields of the record cannot hold. */
function scimAttributes(user: User, registered: ExtensionSchemas | undefined): ScimAttributes {
  const { externalId, active, name, profileUrl, title, userType, locale, timezone } = user;
  const { formatted, middleName, honorificPrefix, honorificSuffix } = name;
  const { emails, phoneNumbers, ims, addresses, photos, roles, entitlements } = user;
  // Assigned one by one: optional spreads would take several times as long, for each of a million people.
  // `active` is there in any case: in an import that updates, a person who was activated again must become active.
  const scim: ScimAttributes = { active };
  if (externalId !== undefined) scim.externalId = externalId;
  if (user.clientExternalIds) scim.clientExternalIds = user.clientExternalIds;
  if (user.displayNameGiven && user.displayName === madeDisplayName(user)) scim.displayNameGiven = true;
  // False is there too: in an import that updates, absent leaves it as it is.
  if (user.preferredLanguage === assumedLanguage) {
    scim.preferredLanguageGiven = user.preferredLanguageGiven === true;
  }
  if (formatted !== undefined) scim.formatted = formatted;
  if (middleName !== undefined) scim.middleName = middleName;
  if (honorificPrefix !== undefined) scim.honorificPrefix = honorificPrefix;
  if (honorificSuffix !== undefined) scim.honorificSuffix = honorificSuffix;
  if (profileUrl !== undefined) scim.profileUrl = profileUrl;
  if (user.website !== undefined) scim.website = user.website;
  if (user.gender !== undefined && !isReadAlike(user.gender)) scim.gender = user.gender;
  if (user.birthdate !== undefined) scim.birthdate = user.birthdate;
  if (title !== undefined) scim.title = title;
  if (user.employeeNumber !== undefined) scim.employeeNumber = user.employeeNumber;
  if (user.costCenter !== undefined) scim.costCenter = user.costCenter;
  if (user.organization !== undefined) scim.organization = user.organization;
  if (user.division !== undefined) scim.division = user.division;
  if (user.department !== undefined) scim.department = user.department;
  if (user.manager !== undefined) scim.manager = user.manager;
  if (userType !== undefined) scim.userType = userType;
  if (locale !== undefined) scim.locale = locale;
  if (timezone !== undefined) scim.timezone = timezone;
  if (emails.length > 0 && !isPlain(emails)) scim.emails = emails;
  if (phoneNumbers && !isPlain(phoneNumbers)) scim.phoneNumbers = phoneNumbers;
  if (ims) scim.ims = ims;
  if (addresses) scim.addresses = addresses;
  if (photos) scim.photos = photos;
  if (roles) scim.roles = roles;
  if (entitlements) scim.entitlements = entitlements;
  if (user.extensions && registered) {
    const values = exportValues(user.extensions, registered);
    if (values.length > 0) scim.extensions = values;
  }
  return scim;
}

/** Whether an import takes the word as it is. It would take `GENDER_FEMALE` as a constant. */
function isReadAlike(gender: string): boolean {
  return importedGender(gender) === gender;
}

/** Whether the field `email` or `phone` of the record can hold the whole list. */
function isPlain([first, ...others]: readonly MultiValue[]): boolean {
  return (
    first !== undefined &&
    others.length === 0 &&
    first.primary &&
    first.type === undefined &&
    first.display === undefined &&
    first.verified !== undefined
  );
}
