import type { UploadFault, UploadKind } from '#src/migration/convert/upload/recognize-upload.js';

/** The texts of the pages that add many users, and of the export of an organization. */
export interface AddManyTexts {
  readonly title: string;
  readonly about: string;
  readonly fromFile: string;
  readonly fromCells: string;
  readonly kind: string;
  /** `auto`: the service looks what the file is. */
  readonly kinds: Readonly<Record<UploadKind | 'auto', string>>;
  readonly file: string;
  readonly fileHint: string;
  readonly cells: string;
  readonly cellsHint: string;
  readonly show: string;
  readonly faults: Readonly<Record<UploadFault, string>>;
  readonly gone: string;
  readonly other: string;
  readonly next: string;
  readonly dryRun: string;
  readonly dryRunHint: string;
  readonly update: string;
  readonly updateHint: string;
  readonly rules: string;
  readonly rulesHint: string;
  readonly withoutCredentials: string;
  readonly withoutCredentialsHint: string;
  readonly dropHashes: string;
  readonly dropHashesHint: string;
  readonly secondFactors: string;
  readonly factorDrop: string;
  readonly factorRefuse: string;
  readonly factorLink: string;
  readonly showAgain: string;
  readonly compare: string;
  readonly compareHint: string;
  readonly droppedHashes: string;
  readonly lostFactors: string;
  readonly differences: string;
  readonly noDifferences: string;
  readonly allDifferences: string;
  readonly record: string;
  readonly difference: string;
  readonly isMissing: string;
  readonly isDifferent: string;
  readonly isRefused: string;
  readonly isExtra: string;
  readonly toFile: string;
  readonly found: string;
  readonly people: string;
  readonly withPassword: string;
  readonly groups: string;
  readonly refused: string;
  readonly refusedHint: string;
  readonly columns: string;
  readonly column: string;
  readonly becomes: string;
  readonly leftOut: string;
  readonly lacksUserName: string;
  /** Words for targets of a mapping that no field of a user has. */
  readonly targets: Readonly<Record<string, string>>;
  readonly examples: string;
  readonly examplesHint: string;
  readonly person: (number: number) => string;
  readonly before: string;
  readonly after: string;
  readonly lost: string;
  readonly lostHint: string;
  readonly importNow: string;
  readonly importHint: string;
  readonly sendLinks: string;
  readonly sendLinksHint: string;
  readonly linksBegun: string;
  readonly errors: string;
  readonly who: string;
  readonly line: string;
  readonly problem: string;
  readonly whatToDo: string;
  /** What to do about an error of the import, by its code. */
  readonly todo: Readonly<Record<string, string>>;
  /** The texts that differ for groups and memberships. */
  readonly todoOfGroup: Readonly<Record<string, string>>;
  readonly otherTodo: string;
  readonly export: string;
  readonly exportHint: string;
}
