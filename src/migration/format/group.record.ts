import Type, { type Static } from 'typebox';
import { datesRecord } from './dates.record.js';
import { identifier, roleNames, text } from './values.js';

/** `orgs[].groups[]`: a group without its members. `roles` are those that every member has in the organization. */
export const groupRecord = Type.Object({
  groupId: identifier,
  group: Type.Object({
    displayName: text,
    ...datesRecord,
    externalId: Type.Optional(text),
    roles: Type.Optional(roleNames),
  }),
});

/** `orgs[].groupMembers[]`: one user of one group. */
export const groupMemberRecord = Type.Object({ groupId: identifier, userId: identifier });

export type GroupRecord = Static<typeof groupRecord>;
export type GroupMemberRecord = Static<typeof groupMemberRecord>;
