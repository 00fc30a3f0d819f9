import { AppError, type ErrorDefinition } from '#src/platform/errors.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { directoryErrors } from '../errors.js';
import type { IdentifierKind, IdentifiersStore } from './identifiers.store.js';

/** The part of the rooms with which identifiers are looked up and reserved. */
export interface IdentifierDeps {
  readonly identifiers: IdentifiersStore;
}

/** The state of identifiers that a caller chose. */
export interface IdentifierSurvey {
  /**
   * Identifiers that an object of any kind has, or that an object of another kind had. A project keeps its identifier after
   * its removal: only its own organization can use it again.
   */
  readonly taken: ReadonlySet<string>;
  /**
   * Reserves identifiers that are not taken, in the transaction that adds their objects.
   * @returns false if another caller was faster. The duplicate-key error of MongoDB means the same.
   */
  reserve(ids: readonly string[], transaction: Transaction): Promise<boolean>;
}

/**
 * Looks up who has identifiers that a caller chose. Two callers that choose an identifier at the same time, for any kinds,
 * reserve it in the same collection. So one of them fails.
 * @param wanted `orgId` is the organization of the new objects, and `kind` their kind
 */
export async function surveyIdentifiers(
  deps: IdentifierDeps,
  { orgId, kind, ids }: { orgId: string; kind: IdentifierKind; ids: readonly string[] },
): Promise<IdentifierSurvey> {
  const { owners, holders } = await deps.identifiers.lookUp(ids);
  const ofOtherKinds = [...owners].filter(([, owner]) => owner.kind !== kind).map(([id]) => id);
  const held = holders.filter(({ removedIn }) => kind !== 'project' || removedIn !== orgId);
  return {
    taken: new Set([...held.map(({ id }) => id), ...ofOtherKinds]),
    async reserve(chosen, transaction) {
      const unknown = chosen.filter((id) => !owners.has(id));
      await deps.identifiers.insert(orgId, { kind, ids: unknown }, transaction);
      for (const id of chosen) {
        const from = owners.get(id)?.orgId ?? orgId;
        if (from !== orgId && !(await deps.identifiers.move(orgId, { kind, id, from }, transaction))) {
          return false;
        }
      }
      return true;
    },
  };
}

/**
 * Reserves one identifier that a caller chose, in the transaction that adds its object.
 * @throws AppError of this definition if the identifier is taken, and the duplicate-key error of MongoDB
 */
export async function reserveIdentifier(
  deps: IdentifierDeps,
  {
    id,
    failure = directoryErrors.identifierTaken,
    ...wanted
  }: {
    orgId: string;
    kind: IdentifierKind;
    id: string;
    failure?: ErrorDefinition;
  },
  transaction: Transaction,
): Promise<void> {
  const survey = await surveyIdentifiers(deps, { ...wanted, ids: [id] });
  if (survey.taken.has(id) || !(await survey.reserve([id], transaction))) throw new AppError(failure);
}
