import type { Editor } from '#src/audit/event.js';
import { directoryErrors, refusedValue } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { newId } from '#src/platform/ids.js';
import { newPersonalAccessToken } from '#src/tokens/personal-access-token.js';
import type { PersonalAccessTokensStore } from './personal-access-tokens.store.js';
import type { PersonalAccessToken } from './service-user.js';
import { type WriteServiceUserDeps, writeServiceUser } from './write-service-user.js';

const dayMs = 24 * 3600 * 1000;
/** Life of a token if the caller names none, in milliseconds. */
const defaultLifeMs = 90 * dayMs;
/** Longest life of a token, in milliseconds. A year and a day, so that "one year from now" always fits. */
const maxLifeMs = 366 * dayMs;
/** The most tokens of one service user that have not expired. They are removed in one transaction with it. */
const maxTokens = 100;

interface Given {
  readonly orgId: string;
  readonly userId: string;
  readonly expires?: Date;
  /** Life of the token in milliseconds, instead of `expires`. */
  readonly lifeMs?: number;
  readonly editor: Editor;
}

/**
 * Gives a service user a personal access token. Returns the text this once. The store has only its hash.
 * @throws AppError `directory.valueInvalid`, `directory.personalAccessTokenLimit` and the errors of {@link writeServiceUser}
 */
export async function addPersonalAccessToken(
  deps: WriteServiceUserDeps & { personalAccessTokens: PersonalAccessTokensStore },
  { orgId, userId, editor, ...given }: Given,
): Promise<{ stored: PersonalAccessToken; token: string }> {
  const created = deps.clock.now();
  const expires = requireExpiry(
    given.expires ?? new Date(created.getTime() + (given.lifeMs ?? defaultLifeMs)),
    created,
  );
  const id = newId();
  const { token, hash } = newPersonalAccessToken(id);
  const stored = { id, userId, orgId, hash, created, expires };
  await writeServiceUser(deps, { orgId, id: userId, editor }, (current) => ({
    next: current,
    happened: [['user.token.added', { tokenId: id, expires: expires.toISOString() }]],
    alongside: async (transaction) => {
      const held = await deps.personalAccessTokens.countOf(orgId, { userId, now: created }, transaction);
      if (held >= maxTokens) throw new AppError(directoryErrors.personalAccessTokenLimit);
      await deps.personalAccessTokens.insert(orgId, stored, transaction);
    },
  }));
  return { stored, token };
}

function requireExpiry(expires: Date, now: Date): Date {
  const life = expires.getTime() - now.getTime();
  if (life > 0 && life <= maxLifeMs) return expires;
  const detail = 'expires must be in the future and at most 366 days away';
  throw life <= 0
    ? refusedValue('expires', 'notFuture', detail)
    : refusedValue('expires', 'tooLate', detail, { days: maxLifeMs / dayMs });
}
