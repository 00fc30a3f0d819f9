import type { ImportCode } from '#src/migration/import/lists/section/import-codes.js';

/** What is wrong with a record of an import, by the code with which its message begins. */
export type CodeTexts = Readonly<Record<ImportCode, string>>;
