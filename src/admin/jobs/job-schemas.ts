import Type from 'typebox';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import type { JobState } from '#src/jobs/job.js';
import { pageQuery, timestamp } from '../http/schemas.js';

/** Who may read and cancel a job, for the description of the API. */
export const jobReaders =
  'The caller asked for the job, or is an owner of its organization or of the instance';

/** The identifier in the path of a job. */
export const jobParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });

const states: JobState[] = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'];

const summary = {
  id: Type.String(),
  kind: Type.String(),
  orgId: Type.String(),
  state: Type.Unsafe<JobState>(Type.Enum(states)),
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'Of an import or a verification: whether it is a dry run, which changes nothing',
    }),
  ),
  progress: Type.Object({
    processed: Type.Integer(),
    total: Type.Integer(),
    errors: Type.Integer(),
    perSecond: Type.Optional(Type.Number({ description: 'Records a second, while it runs' })),
    remainingSeconds: Type.Optional(Type.Integer({ description: 'Estimate, while it runs' })),
  }),
  created: timestamp,
  finished: Type.Optional(timestamp),
};
/** A job in a list. */
export const listedJob = Type.Object(summary, { title: 'JobSummary' });
/** A job with its result. */
export const job = Type.Object(
  {
    ...summary,
    result: Type.Optional(
      Type.Unknown({
        description:
          'The result, once the job has ended: for an import or a verification its report, for a Bulk the BulkResponse',
      }),
    ),
  },
  { title: 'Job' },
);

/** How much of the result a request wants. */
export const jobQuery = Type.Object({
  result: Type.Optional(
    Type.Unsafe<'full' | 'summary'>(
      Type.Enum(['full', 'summary'], {
        default: 'full',
        description: '`summary` leaves out of the result what may be long: the names and errors of an import',
      }),
    ),
  ),
});

/** Some of the values, with commas between them. An unknown value fits no job. */
const someOf = (values: readonly string[]) =>
  Type.Optional(
    Type.String({
      pattern: '^[a-z-]{1,40}(,[a-z-]{1,40}){0,9}$',
      description: `Only these, with commas between them: ${values.join(', ')}`,
    }),
  );
/** The query of the list of jobs. */
export const jobsQuery = Type.Object({
  ...pageQuery.properties,
  kind: someOf(Object.keys(jobCatalogue)),
  state: someOf(states),
});
