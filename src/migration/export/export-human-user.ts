import type { Account } from '#src/directory/account.js';
import { toBase32, unsealTotpSecret } from '#src/directory/totp.js';
import type { MultiValue, User } from '#src/directory/user.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { HumanUserRecord } from '../format/human-user.record.js';

type ScimAttributes = NonNullable<HumanUserRecord['user']['scim']>;

/**
 * A person as a record of the file. Credentials are part of it where the account has been read with them.
 * @returns `otpUnreadable` when the secret of the second factor was sealed with a key that is gone
 */
export function exportHumanUser(
  totpSealer: Sealer,
  { user, password, totp }: Account,
): { record: HumanUserRecord; otpUnreadable: boolean } {
  const { id, userName, name, nickName, displayName, preferredLanguage, emails, phoneNumbers } = user;
  const email = emails.find(({ primary }) => primary);
  const phone = phoneNumbers?.find(({ primary }) => primary);
  const secret = totp && unsealTotpSecret(totpSealer, id, totp.sealed);
  const scim = scimAttributes(user);
  return {
    otpUnreadable: totp !== undefined && secret === undefined,
    record: {
      userId: id,
      user: {
        userName,
        profile: {
          firstName: name.givenName,
          lastName: name.familyName,
          ...(nickName !== undefined && { nickName }),
          displayName,
          preferredLanguage,
        },
        email: { email: email?.value ?? '', isEmailVerified: email?.verified !== false },
        ...(phone && { phone: { phone: phone.value, isPhoneVerified: phone.verified !== false } }),
        ...(password && { hashedPassword: { value: password.hash } }),
        ...(password?.changeRequired && { passwordChangeRequired: true }),
        ...(secret && { otpCode: toBase32(secret) }),
        ...(Object.keys(scim).length > 0 && { scim }),
      },
    },
  };
}

/** What the form's own fields do not say. */
function scimAttributes(user: User): ScimAttributes {
  const { externalId, active, name, profileUrl, title, userType, locale, timezone } = user;
  const { middleName, honorificPrefix, honorificSuffix } = name;
  const { emails, phoneNumbers, ims, addresses, photos, roles, entitlements } = user;
  return {
    ...(externalId !== undefined && { externalId }),
    ...(!active && { active }),
    ...(middleName !== undefined && { middleName }),
    ...(honorificPrefix !== undefined && { honorificPrefix }),
    ...(honorificSuffix !== undefined && { honorificSuffix }),
    ...(profileUrl !== undefined && { profileUrl }),
    ...(title !== undefined && { title }),
    ...(userType !== undefined && { userType }),
    ...(locale !== undefined && { locale }),
    ...(timezone !== undefined && { timezone }),
    ...(!isPlain(emails) && { emails }),
    ...(phoneNumbers && !isPlain(phoneNumbers) && { phoneNumbers }),
    ...(ims && { ims }),
    ...(addresses && { addresses }),
    ...(photos && { photos }),
    ...(roles && { roles }),
    ...(entitlements && { entitlements }),
  };
}

/** Whether a list is exactly what `email` or `phone` of the form says. */
function isPlain([first, ...others]: readonly MultiValue[]): boolean {
  return (
    first !== undefined &&
    others.length === 0 &&
    first.primary &&
    first.type === undefined &&
    first.verified !== undefined
  );
}
