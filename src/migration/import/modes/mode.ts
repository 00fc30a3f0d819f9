import type { QuotaKind } from '#src/directory/index.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Quotas } from '#src/organizations/quotas/index.js';
import type { PartComparison } from '../../digest/part-comparison.js';
import type { RecordSums } from '../../digest/record-sums.js';
import type {
  ImportSection,
  ImportSections,
  Outcome,
  SectionContext,
  SectionPlan,
} from '../lists/section/section.js';
import type { ConfinedIdentifierDeps } from '../records/confined-identifiers.js';
import type { ImportOrganizationsStore } from '../stores/import-organizations.store.js';
import type { ImportPart, ImportPartsStore, PartCounts } from '../stores/import-parts.store.js';
import type { ImportResultsStore, PartResult } from '../stores/import-results.store.js';
import type { ImportDetails } from '../stores/imports.store.js';
import type { FinishVerificationDeps } from '../verify/finish-verification.js';

/** A part of an import, and how the records of its list are imported. */
export interface PartOfImport {
  readonly part: ImportPart;
  readonly details: ImportDetails;
  readonly section: ImportSection;
}

/** Where a mode reads what earlier parts have reserved. */
export interface ReserveDeps extends ConfinedIdentifierDeps {
  readonly importParts: Pick<ImportPartsStore, 'find'>;
  readonly importOrganizations: Pick<ImportOrganizationsStore, 'range'>;
  readonly importResults: Pick<ImportResultsStore, 'findAliases' | 'findReserved' | 'findReserving'>;
  readonly importSections: Pick<ImportSections, 'before'>;
  readonly staging: StagingStore;
}

export interface ComparerDeps {
  readonly recordSums: Pick<RecordSums, 'of'>;
}

export interface AdmitDeps {
  readonly importParts: Pick<ImportPartsStore, 'countCreated'>;
  readonly quotas: Pick<Quotas, 'upTo' | 'left'>;
}

/** Records of a part that the service is asked to create, of a kind that has a quota. */
interface WantedCreations {
  readonly kind: QuotaKind;
  readonly orgId: string;
  readonly count: number;
}

/**
 * Commits a part with at most so many creations. The records of the others fail.
 * @param quotaOf the quota for which later parts of a dry run count the creations: see `PartEnd`
 * @returns how many records it creates
 */
export type CommitUpTo = (allowed: number, quotaOf?: string) => Promise<number>;

/** Compares the records of one organization in a part with the service, or does nothing. */
export interface PartComparer {
  /** Receives from the section what each record was compared with. @param placeOf the index in the part of a planned record */
  listen(placeOf: (record: number) => number): SectionContext['compared'];
  /** Sums up both sides after the records were planned. Undefined if the mode does not compare. */
  end(
    records: readonly { readonly value?: unknown }[],
    outcomes: readonly Outcome[],
  ): Promise<PartComparison | undefined>;
}

/** What a plan does in its transaction and after it. */
export type PlanEffects = Pick<SectionPlan, 'write' | 'tried' | 'written'>;

/** What a part leaves for later parts and for the end of the import. */
type PartNotes = Pick<PartResult, 'reservations' | 'comparison'>;

/** How an attempt to finish an import went. `over`: the job ended before. `stopped`: a later attempt goes on. */
export type Finish = 'done' | 'over' | 'stopped';

/**
 * What an import is for. It writes its records (write.ts), says what it would write (rehearse.ts), or compares them with the service
 * (verify.ts). The methods are in the order in which an import asks them.
 */
export interface ImportMode {
  /** Whether its outcomes take place. Only then the metrics count them. */
  readonly isReal: boolean;
  /** Whether all parts of a small import may be one transaction: see run-small-import.ts. */
  readonly joinsParts: boolean;
  /** Whether a part depends on earlier parts of its phase, so that the parts run one after the other. */
  readonly isInOrder: boolean;
  /** Whether it reads the records of an organization that cannot be imported. */
  readonly readsRefused: boolean;
  /** Whether the report names a record that would be added as the file does, and not as it would be stored. */
  readonly namesAsGiven: boolean;
  /** The records of a list that are planned at a time. Undefined if all of a part are. */
  sliceOf(section: ImportSection): number | undefined;
  /** What the records of a part learn from earlier parts that nobody has written. */
  reserve(deps: ReserveDeps, of: PartOfImport): Pick<SectionContext, 'findReserved' | 'findReservingRecords'>;
  /** What compares the records of one organization in a part. @param of `list`: the key of the section */
  compare(deps: ComparerDeps, of: { readonly list: string; readonly orgId: string }): PartComparer;
  /** Calls `commit` once, with the number of creations that the quota of the organization allows. */
  admit(deps: AdmitDeps, of: PartOfImport, wanted: WantedCreations, commit: CommitUpTo): Promise<void>;
  /** What takes place of a plan with these outcomes. */
  effectsOf(plan: SectionPlan, outcomes: PartCounts): PlanEffects;
  /** What the result of a part keeps of its plan. */
  note(plan: PartNotes): PartNotes;
  /** Does what is left to do after the last part. */
  finish(
    deps: FinishVerificationDeps,
    of: { readonly details: ImportDetails; readonly stagingId: string; readonly stopping: AbortSignal },
  ): Promise<Finish>;
  /** What the report says of records that are done. */
  readonly done: 'imported' | 'compared';
  /** Whether an import that has ended did all that it was for. @param remaining records that no part has reached */
  isWhole(details: ImportDetails, remaining: number): boolean;
}
