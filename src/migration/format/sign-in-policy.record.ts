import Type, { type TSchema } from 'typebox';
import {
  mostDemandGroups,
  mostDemands,
  policySettingNamed,
  type SignInPolicy,
  type SignInPolicySettingName,
  signInPolicySettingNames,
} from '#src/directory/index.js';
import { text } from './values.js';

const demand = Type.Object({
  of: text,
  groups: Type.Optional(Type.Array(text, { maxItems: mostDemandGroups })),
  acr: text,
  from: text,
});

/** The schema of a setting in a record. The rules of the directory check the values. */
function schemaOf(name: SignInPolicySettingName): TSchema {
  const setting = policySettingNamed(name);
  switch (setting.kind) {
    case 'flag':
      return Type.Boolean();
    case 'day':
      return text;
    case 'set':
      return Type.Array(text, { maxItems: setting.values.length });
    case 'number':
      return Type.Integer();
    case 'people':
      return Type.Array(text, { maxItems: setting.most });
    case 'demands':
      return Type.Array(demand, { maxItems: mostDemands });
  }
}

/** `orgs[].org.signInPolicy`. Groups are named by the identifiers that they keep. */
export const signInPolicyRecord = Type.Unsafe<SignInPolicy>(
  Type.Object(
    Object.fromEntries(signInPolicySettingNames.map((name) => [name, Type.Optional(schemaOf(name))])),
  ),
);
