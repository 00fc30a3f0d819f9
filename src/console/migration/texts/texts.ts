import type { Language } from '#src/http/pages/language.js';
import { de } from './de.js';
import { en } from './en.js';
import { es } from './es.js';
import { fr } from './fr.js';
import { it } from './it.js';

export interface MigrationTexts {
  readonly about: string;
  readonly import: string;
  readonly export: string;
  readonly allJobs: string;
  readonly aboutJobs: string;
  readonly none: string;
  readonly noJobs: string;
  readonly running: string;
  readonly history: string;
  readonly importAbout: string;
  readonly fromFile: string;
  readonly fromBucket: string;
  readonly file: string;
  readonly fileHint: string;
  readonly dryRun: string;
  readonly dryRunHint: string;
  readonly form: string;
  readonly formInstance: string;
  readonly formExternal: string;
  readonly bucket: string;
  readonly path: string;
  readonly serviceAccount: string;
  readonly serviceAccountHint: string;
  readonly timeout: string;
  readonly timeoutHint: string;
  readonly start: string;
  readonly exportAbout: string;
  readonly organizations: string;
  readonly organizationsHint: string;
  readonly otherOrganizations: string;
  readonly otherOrganizationsHint: string;
  readonly secrets: string;
  readonly secretsHint: string;
  readonly withPasswords: string;
  readonly withOtp: string;
  readonly target: string;
  readonly toDownload: string;
  readonly toBucket: string;
  readonly state: string;
  readonly cancel: string;
  readonly cancelHint: string;
  readonly resume: string;
  readonly result: string;
  readonly bytes: string;
  readonly download: string;
  readonly downloadHint: string;
  readonly errors: string;
  readonly allErrors: string;
  readonly errorType: string;
  readonly record: string;
  readonly message: string;
  readonly firstErrors: (count: string) => string;
  /** Words for the numbers of a result. Others are shown by their names. */
  readonly counts: Readonly<Record<string, string>>;
}

/** The texts of imports, exports and jobs. A missing one is a type error. */
export const migrationTexts: Readonly<Record<Language, MigrationTexts>> = { en, de, fr, es, it };
