import {
  type IdentifierDeps,
  type IdentifierKind,
  type IdentifierSurvey,
  surveyIdentifiers,
} from '#src/directory/identifiers/index.js';
import type { Transaction } from '#src/platform/mongo/mongo.js';
import { PlanOutdated } from '../section/record-failure.js';
import { identifierReservations } from '../section/reservations.js';
import type { SectionContext } from '../section/section.js';

/** The part of {@link SectionDeps} with which a section asks for identifiers. */
export type TakenIdentifiersDeps = IdentifierDeps;

/** The identifiers of records that are taken, those taken after the parts of a dry run included. */
export interface TakenIdentifiers {
  readonly taken: ReadonlySet<string>;
  /** Reserves the identifiers of new objects, in the transaction that adds them. @throws PlanOutdated and duplicate keys */
  reserve(ids: readonly string[], transaction: Transaction): Promise<void>;
}

/** {@link surveyIdentifiers} for the records of a part. */
export async function takenIdentifiers(
  deps: TakenIdentifiersDeps,
  {
    orgId,
    findReserved,
    ids,
    kind,
  }: Pick<SectionContext, 'orgId' | 'findReserved'> & { ids: readonly string[]; kind: IdentifierKind },
): Promise<TakenIdentifiers> {
  const [survey, reserved]: [IdentifierSurvey, ReadonlySet<string>] = await Promise.all([
    surveyIdentifiers(deps, { orgId, kind, ids }),
    findReserved(ids.flatMap(identifierReservations)),
  ]);
  return {
    taken: new Set([
      ...survey.taken,
      ...ids.filter((id) => identifierReservations(id).some((name) => reserved.has(name))),
    ]),
    async reserve(chosen, transaction) {
      if (!(await survey.reserve(chosen, transaction))) throw new PlanOutdated();
    },
  };
}
