import type { User } from '#src/directory/index.js';

/** So long a person counts as new, in milliseconds. */
const newMs = 24 * 3_600_000;

/**
 * The name of the count of an organization's mails of a kind in a day. People who were added within a day have a count of their own, so that a
 * flood of registrations does not stop the mail of everybody else. Links have another count than codes, because they need no password: whoever asks
 * for many keeps nobody from a second factor.
 */
export function mailBoundOf(
  kind: 'notice' | 'proof' | 'code' | 'link',
  { orgId, created }: Pick<User, 'orgId' | 'created'>,
  now: Date,
): string {
  const isNew = now.getTime() - created.getTime() < newMs;
  return `${kind}-${isNew ? 'new-' : ''}org:${orgId}`;
}
