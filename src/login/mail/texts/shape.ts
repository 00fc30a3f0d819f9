import type { NoticeKind } from '#src/notices/notice.js';

/** The texts of mail. The names of an organization come from the organization of the person alone. */
export interface MailTexts {
  readonly hello: string;
  /** Below a button, before its address. */
  readonly orOpen: string;
  readonly sentBy: (host: string) => string;
  /** A link with which a person sets a password. */
  readonly reset: {
    readonly subject: string;
    readonly text: (organization: string) => string;
    readonly button: string;
    readonly valid: string;
    readonly ignore: string;
  };
  /** A code that confirms an address. Its receiver may be a stranger. */
  readonly confirm: {
    readonly subject: string;
    readonly text: (host: string) => string;
    readonly valid: string;
    readonly ignore: string;
  };
  /** The same code, for a person who must prove the address before a session begins. */
  readonly signInCode: (host: string) => string;
  /** A code for the second factor of a sign-in. */
  readonly factor: MailTexts['confirm'];
  /** A link that signs in at the browser that asked for it. */
  readonly signInLink: {
    readonly subject: string;
    readonly text: (host: string) => string;
    readonly button: string;
    readonly valid: string;
    readonly ignore: string;
  };
  /** Tells a person what happened to the account. Nothing in it was written by anybody else. */
  readonly notice: {
    readonly subject: string;
    readonly text: (host: string) => string;
    readonly kinds: Readonly<Record<Exclude<NoticeKind, 'newBrowser'>, string>>;
    readonly newBrowser: (browser: string, system: string) => string;
    readonly unknownBrowser: string;
    readonly unknownSystem: string;
    readonly address: (address: string) => string;
    /** How often, and when for the last time. */
    readonly times: (count: number) => string;
    readonly more: (count: number) => string;
    readonly button: string;
    readonly warning: string;
  };
}
