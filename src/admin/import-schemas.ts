import Type from 'typebox';

/** An element of `errors`. */
const importError = Type.Object(
  {
    type: Type.String(),
    id: Type.String({ description: 'The record, as far as it can be told' }),
    message: Type.String({ description: 'Begins with a stable code; docs/errors.md lists them' }),
  },
  { title: 'ImportError' },
);

const names = Type.Array(Type.String());

/** The report of an import. */
export const importResult = Type.Object(
  {
    errors: Type.Optional(Type.Array(importError, { description: 'Absent when nothing failed' })),
    success: Type.Object({
      orgs: Type.Array(
        Type.Object({
          orgId: Type.String(),
          humanUserIds: names,
          machineUserIds: names,
          groupIds: names,
          projectIds: names,
          oidcAppIds: names,
          apiAppIds: names,
          groupMembers: names,
          orgMembers: names,
          userMetadata: names,
          domains: names,
        }),
      ),
    }),
    summary: Type.Object({
      created: Type.Integer(),
      skipped: Type.Integer(),
      failed: Type.Integer(),
      total: Type.Integer(),
    }),
    jobId: Type.String(),
  },
  { title: 'ImportReport' },
);
