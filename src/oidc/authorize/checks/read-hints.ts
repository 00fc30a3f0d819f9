import type { ReadIdTokenHint } from '../../issuance/read-id-token-hint.js';
import type { AuthorizeParameters } from '../request/authorize-parameters.js';

/** No login name is longer. */
const maxLoginHint = 320;
const maxLocales = 10;

/** Parameters that help the pages and never make a request fail (OpenID Connect Core section 3.1.2.1). */
interface Hints {
  readonly hintedUserId?: string;
  readonly loginHint?: string;
  /** The connection of the organization by which the person should sign in. No specification has this parameter. */
  readonly connectionId?: string;
  readonly uiLocales: readonly string[];
}

/** Reads the hints. A broken id_token_hint is ignored. An expired one still names its person. */
export async function readHints(
  readIdTokenHint: ReadIdTokenHint,
  parameters: AuthorizeParameters,
): Promise<Hints> {
  const idToken = parameters.get('id_token_hint');
  const hint = idToken === undefined ? undefined : await readIdTokenHint(idToken);
  const loginHint = parameters.get('login_hint')?.trim();
  const connectionId = parameters.get('connection');
  const locales = (parameters.get('ui_locales') ?? '').split(' ');
  return {
    ...(hint !== undefined && { hintedUserId: hint.userId }),
    ...(loginHint && loginHint.length <= maxLoginHint && { loginHint }),
    ...(connectionId !== undefined && { connectionId }),
    uiLocales: locales.filter((tag) => /^[a-z]{2,8}(-[a-z\d]{1,8}){0,5}$/i.test(tag)).slice(0, maxLocales),
  };
}
