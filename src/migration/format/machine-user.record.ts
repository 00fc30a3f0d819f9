import Type, { type Static } from 'typebox';
import { datesRecord } from './dates.record.js';
import {
  clientKeyList,
  clientSecrets,
  federatedCredentials,
  identifier,
  singleAudience,
  text,
} from './values.js';

/** `orgs[].machineUsers[]`: service users. The file has their public keys, and none of their personal access tokens. */
export const machineUserRecord = Type.Object({
  userId: identifier,
  user: Type.Object({
    userName: text,
    ...datesRecord,
    /** If absent, the userName. */
    name: Type.Optional(text),
    description: Type.Optional(text),
    active: Type.Optional(Type.Boolean()),
    accessTokenType: Type.Optional(Type.Enum(['opaque', 'jwt'])),
    ignorePasswordOnCreate: Type.Optional(Type.Boolean()),
    ignorePasswords: Type.Optional(Type.Boolean()),
    plainScimErrors: Type.Optional(Type.Boolean()),
    singleAudience: Type.Optional(singleAudience),
    clientSecrets: Type.Optional(clientSecrets),
    clientKeys: Type.Optional(clientKeyList),
    federatedCredentials: Type.Optional(federatedCredentials),
  }),
});

export type MachineUserRecord = Static<typeof machineUserRecord>;
