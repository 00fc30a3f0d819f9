export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Sends mail. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
  close(): void;
  /** The mail that was not sent but kept, if this is a trial without a mail server. */
  readonly unsent?: MailKeeper;
}

/** A mail that would have been sent. */
export interface KeptMail extends Mail {
  readonly id: string;
  readonly date: Date;
}

/** Mail that would have been sent, the newest first. */
export interface MailKeeper {
  all(): Promise<readonly KeptMail[]>;
  find(id: string): Promise<KeptMail | undefined>;
}
