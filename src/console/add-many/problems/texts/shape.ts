import type { ConversionProblem } from '#src/migration/convert/reading/conversion-problems.js';

/** What a person does about each problem of a conversion. */
export type ProblemTexts = Readonly<Record<ConversionProblem, string>>;
