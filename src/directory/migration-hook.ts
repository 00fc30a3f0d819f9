import { refusedValue } from './refused-value.js';

/** The former service of an organization. It confirms passwords of people who have none here yet. */
export interface MigrationHook {
  /** An https address. */
  readonly url: string;
  /** The longest time of one question, in milliseconds. Every failed sign-in of the organization takes this much longer. */
  readonly timeoutMs: number;
  /** The secret that signs questions, sealed, in base64url. */
  readonly sealedSecret: string;
  readonly created: Date;
}

/** The bounds of {@link MigrationHook.timeoutMs}, and its value if nobody gives one. */
export const hookTimeouts = { least: 200, most: 5_000, usual: 3_000 };

const maxUrl = 2_000;

/**
 * Returns the address of a hook. Whether its host has a public address is checked at each connection, because a name can get
 * another one.
 * @throws AppError `directory.valueInvalid`
 */
export function requireHookUrl(text: string): string {
  const url = text.length <= maxUrl && URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.username === '' && url.password === '' && url.hash === '';
  if (url?.protocol === 'https:' && isPlain) return url.href;
  const detail = `url must be an https address without credentials and fragment, of at most ${maxUrl} characters`;
  throw refusedValue('url', 'httpsAddress', detail, { most: maxUrl });
}
