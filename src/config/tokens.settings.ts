import Type from 'typebox';
import { type Settings, seconds } from './setting.js';

/** How long tokens and codes live. */
export const tokensSettings = {
  accessTokenSeconds: {
    env: 'MUSTER_ACCESS_TOKEN_SECONDS',
    schema: seconds(1),
    default: 12 * 3600,
    about: 'Lifetime of an access token, in seconds.',
  },
  serviceUserTokenSeconds: {
    env: 'MUSTER_SERVICE_USER_TOKEN_SECONDS',
    schema: seconds(1),
    default: 3600,
    about:
      'Lifetime of an access token of a service user, in seconds. If `MUSTER_ACCESS_TOKEN_SECONDS` is shorter, that counts.',
  },
  idTokenSeconds: {
    env: 'MUSTER_ID_TOKEN_SECONDS',
    schema: seconds(1),
    default: 12 * 3600,
    about: 'Lifetime of an ID token, in seconds.',
  },
  refreshTokenIdleSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_IDLE_SECONDS',
    schema: seconds(1),
    default: 30 * 24 * 3600,
    about: 'A refresh token expires when it was not used for this time, in seconds.',
  },
  refreshTokenSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_SECONDS',
    schema: seconds(1),
    default: 90 * 24 * 3600,
    about:
      'A refresh token and its successors expire this long after the first of them was issued, even if they are ' +
      'used, in seconds.',
  },
  refreshTokenGraceSeconds: {
    env: 'MUSTER_REFRESH_TOKEN_GRACE_SECONDS',
    schema: Type.Integer({ minimum: 0, maximum: 60 }),
    default: 30,
    about:
      'For this time, in seconds, the refresh token that was used last gets the same successor again. This ' +
      'helps clients that lost the response or asked twice at once. A later second use is reuse: it revokes ' +
      'the refresh token and all its successors. A token two or more generations old is reuse at any time: its ' +
      'successor was used, so its client had the response.',
  },
  codeSeconds: {
    env: 'MUSTER_CODE_SECONDS',
    schema: Type.Integer({ minimum: 1, maximum: 600 }),
    default: 60,
    about: 'Lifetime of an authorization code, in seconds.',
  },
} as const satisfies Settings;
