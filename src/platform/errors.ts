/**
 * The error mechanism. Each room declares its errors once with {@link defineErrors}. An error has a stable
 * id, a kind that each protocol turns into its own status, and an English message that never contains a
 * secret.
 */

/** What went wrong, independent of the protocol that reports it. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotAllowed'
  | 'conflict'
  | 'preconditionFailed'
  | 'tooLarge'
  | 'requestTooSlow'
  | 'urlTooLong'
  | 'headersTooLarge'
  | 'unsupportedMedia'
  | 'rateLimited'
  | 'unavailable'
  | 'timedOut'
  | 'notImplemented'
  | 'internal';

/** One row of the error catalogue. */
export interface ErrorDefinition {
  /** Stable for clients: `room.name`, for example `directory.userNotFound`. */
  readonly id: string;
  readonly kind: ErrorKind;
  /** Untranslated message. */
  readonly message: string;
  /** RFC 7644 section 3.12. If it is absent, the SCIM room derives it from the kind. */
  readonly scimType?: ScimType;
  /** The attribute whose value is refused, if it is always the same one. */
  readonly at?: string;
}

/** What is wrong with one value of a request. */
export interface Violation {
  /** The names and positions that lead to the value. Empty for the request as a whole. */
  readonly path: readonly string[];
  /** Stable for clients: a rule for values, or the identifier of an error. */
  readonly id: string;
  /** What the rule compares with. It never contains a secret. */
  readonly params?: ViolationParams | undefined;
  /** English, and without secrets. */
  readonly detail: string;
}

export type ViolationParams = Readonly<Record<string, string | number | readonly string[]>>;

/** The most violations that one error names. They bound the body of a response, and the work for it. */
export const maxViolations = 30;

/** The `scimType` values of RFC 7644 table 9 that this service uses. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidCursor';

interface ErrorOptions {
  /** What exactly was wrong, for the person who sent the request. It never contains a secret. */
  readonly detail?: string;
  /** Seconds after which to try again (for the kinds `unavailable` and `rateLimited`). */
  readonly retryAfterSeconds?: number;
  /** The value of the header `WWW-Authenticate`, if it says more than that a bearer token is needed. */
  readonly challenge?: string;
  /** Each value that is refused, and why. */
  readonly violations?: readonly Violation[];
  readonly cause?: unknown;
}

/**
 * The only class of errors that rooms throw on purpose. Everything else is a fault, and is answered with 500.
 */
export class AppError extends Error {
  readonly definition: ErrorDefinition;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;
  /** Each value that is refused, and why. Empty if the error is about no value. */
  readonly violations: readonly Violation[];

  constructor(definition: ErrorDefinition, options: ErrorOptions = {}) {
    super(options.detail ?? definition.message, { cause: options.cause });
    this.name = 'AppError';
    this.definition = definition;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.challenge = options.challenge;
    this.violations = options.violations ?? violationsOf(definition, this.message);
  }
}

const none: readonly Violation[] = [];

function violationsOf({ at, id }: ErrorDefinition, detail: string): readonly Violation[] {
  return at === undefined ? none : [{ path: [at], id, detail }];
}

type ErrorTable = Record<string, Omit<ErrorDefinition, 'id'>>;

/**
 * All definitions of the process, in the order of their declaration. `docs/errors.md` is generated from them.
 */
export const errorCatalogue: ErrorDefinition[] = [];

/** Declares a room's errors: `defineErrors('directory', { userNotFound: { kind, message } })`. */
export function defineErrors<const T extends ErrorTable>(
  room: string,
  table: T,
): { readonly [K in keyof T]: ErrorDefinition } {
  const definitions = {} as { [K in keyof T]: ErrorDefinition };
  for (const [name, row] of Object.entries(table) as [keyof T & string, T[keyof T]][]) {
    const definition: ErrorDefinition = Object.freeze({
      ...(row as ErrorTable[string]),
      id: `${room}.${name}`,
    });
    errorCatalogue.push(definition);
    definitions[name] = definition;
  }
  return Object.freeze(definitions);
}
