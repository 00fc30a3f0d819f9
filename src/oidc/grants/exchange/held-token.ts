import type { Actor, TokenOrigin } from '#src/tokens/access-token-claims.js';
import type { Subject } from '../../issuance/subject.js';

/** What a token that a client shows for exchange proves and permits. */
export interface HeldToken {
  readonly subject: Subject;
  readonly audience: readonly string[];
  readonly scopes: ReadonlySet<string>;
  readonly act?: Actor | undefined;
  readonly familyId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly authTime?: Date | undefined;
  /** When the first actor authenticated, if an actor acts for the subject. */
  readonly actorAuthTime?: Date | undefined;
  readonly amr?: readonly string[] | undefined;
  /** This token and every token that it came of. The revocation of any of them revokes it. */
  readonly origins: readonly TokenOrigin[];
  /** Seconds since 1970. Tokens that the exchange issues end then at the latest. */
  readonly expiresAt: number;
}
