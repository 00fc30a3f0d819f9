import { clearText, type ImportContents } from '#src/migration/plan/read-contents.js';
import type { MeasuredSample } from './measure-sample.js';

/** What is known of a migration before it begins. */
export interface Plan {
  readonly path: string;
  readonly contents: ImportContents;
  /** Absent if it could not be measured. */
  readonly sample: MeasuredSample | undefined;
  /** The outcomes of the dry run. */
  readonly created: number;
  readonly skipped: number;
  readonly failed: number;
  readonly errors: ReadonlyMap<string, number>;
  readonly losses: readonly { readonly path: string; readonly count: number }[];
}

/** The steps of a migration, in their order. */
export function planSteps(plan: Plan): string[] {
  const { path, contents, created, skipped, failed, losses } = plan;
  const { withoutPassword, withoutPasswordAndMail, hashes } = contents;
  const byMail = withoutPassword - withoutPasswordAndMail;
  const others = [...hashes.keys()].filter((kind) => kind !== '$argon2id$' && kind !== clearText);
  const steps: (string | false)[] = [
    failed > 0 &&
      `Mend ${failed} records that the service would refuse. \`muster import ${path} --dry-run --errors FILE\` writes all errors.`,
    losses.length > 0 &&
      `Decide about the values at ${losses.length} paths, which would reach nothing. A mapping of \`muster convert\` can keep them.`,
    `Import: \`muster import ${path}\` creates ${created} records${skipped > 0 ? ` and skips ${skipped} that exist` : ''}. ${timeOf(plan)}`,
    `Compare: \`muster verify ${path}\`.`,
    withoutPassword > 0 &&
      `Give links to ${withoutPassword} people without a password: \`POST /admin/v1/orgs/{orgId}/one-time-links\`. ${byMail} of them can get theirs by mail. The other ${withoutPasswordAndMail} have no verified address.`,
    'Before the cut-over, import a last export of the old system: `muster import FILE --update` adds people who are new, and takes over changes.',
    'After that update: `muster verify FILE --extra` names what differs, and which people, members and grants are gone in the old system. Nothing removes these here: remove them yourself.',
    others.length > 0 &&
      `After the cut-over, each person's first sign-in replaces the hash of another kind (${others.join(', ')}).`,
  ];
  return steps.filter((step) => step !== false);
}

function timeOf({ sample, created }: Plan): string {
  if (sample === undefined) return 'The time was not measured, because no sample could be imported.';
  const perSecond = sample.people / sample.seconds;
  const measured = `${sample.people} people took ${sample.seconds.toFixed(1)} s here`;
  return `Expect about ${durationOf(created / perSecond)}: ${measured}.`;
}

function durationOf(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} seconds`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} minutes` : `${(seconds / 3_600).toFixed(1)} hours`;
}
