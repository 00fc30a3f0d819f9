import { createHmac } from 'node:crypto';
import { unixSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { OutgoingMessage } from '#src/platform/outgoing/fetch-json.js';

/** What a person typed, and whom it means. */
export interface HookQuestion {
  readonly orgId: string;
  readonly loginName: string;
  readonly password: string;
  /** The user without a password whom the login name means. Absent if the organization has nobody with this name. */
  readonly userName?: string;
}

/**
 * Returns the signed request of a question. The signature is an HMAC-SHA256 over the time, a dot and the exact bytes of the body.
 * `id` differs in each request, so that a receiver notices a repeated one.
 */
export function hookMessage(
  question: HookQuestion,
  { secret, now }: { secret: string; now: Date },
): OutgoingMessage {
  const { orgId, loginName, password, userName } = question;
  const body = JSON.stringify({
    id: newId(),
    organizationId: orgId,
    loginName,
    ...(userName !== undefined && { userName }),
    password,
  });
  const timestamp = String(unixSeconds(now));
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'muster-timestamp': timestamp,
      'muster-signature': `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
    },
  };
}
