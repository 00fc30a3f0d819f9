import { requireEmail, requireLength, requireUserName } from '#src/directory/value-rules.js';
import { AppError } from '#src/platform/errors.js';
import type { HumanUserRecord } from '../format/human-user.record.js';
import { RecordError } from './read-fields.js';

/**
 * Holds a user to the rules that are cheap to check and often broken, so that the import does not find out.
 * @throws RecordError
 */
export function checkItem({ user }: HumanUserRecord): void {
  const { profile } = user;
  try {
    requireUserName(user.userName);
    requireEmail(user.email.email);
    requireLength('name.givenName', profile.firstName);
    requireLength('name.familyName', profile.lastName);
    if (profile.nickName !== undefined) requireLength('nickName', profile.nickName);
    if (profile.displayName !== undefined) requireLength('displayName', profile.displayName);
  } catch (error) {
    throw error instanceof AppError ? new RecordError(error.message) : error;
  }
}

/** @throws RecordError when it cannot be the identifier of a user */
export function requireId(id: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(id)) return id;
  throw new RecordError('the identifier is not 1 to 200 visible ASCII characters');
}

/** bcrypt as it can be taken over: 2a, 2b or 2y, cost 4 to 15. @throws RecordError */
export function requireBcrypt(hash: string): string {
  const cost = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/.exec(hash)?.[1];
  if (cost === undefined) throw new RecordError('the password hash is not bcrypt');
  if (Number(cost) < 4 || Number(cost) > 15) {
    throw new RecordError(`the bcrypt cost ${Number(cost)} is outside of 4 to 15`);
  }
  return hash;
}
