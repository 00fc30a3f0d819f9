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
  /** Tells the former address that it was replaced. */
  readonly changed: {
    readonly subject: string;
    readonly text: (organization: string) => string;
    readonly warning: string;
  };
}
