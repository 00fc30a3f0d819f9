import Type, { type TSchema } from 'typebox';
import type { PolicyTrial } from '#src/authentication/sign-in-policy/index.js';
import {
  demandedLevels,
  demandScopes,
  mostDemandGroups,
  mostDemands,
  objectIdentifier,
  policyDay,
  policySettingNamed,
  type SignInPolicy,
  type SignInPolicySettingName,
  signInPolicySettingNames,
} from '#src/directory/index.js';
import { expectedVersion, shapedText, strictObject, version } from '../http/schemas.js';

const identifier = Type.String({ minLength: 1, maxLength: 200, ruled: objectIdentifier });

/** Only a demand on the members of groups names groups. */
const groupsOfDemand = {
  anyOf: [
    { properties: { of: { const: 'groups' }, groups: { minItems: 1 } }, required: ['groups'] },
    {
      properties: {
        of: { enum: demandScopes.filter((scope) => scope !== 'groups') },
        groups: { maxItems: 0 },
      },
    },
  ],
};

const demand = strictObject(
  {
    of: Type.Enum([...demandScopes], {
      description:
        'Everybody, people with a role in an organization or the instance, or the members of groups',
    }),
    groups: Type.Optional(
      Type.Array(identifier, {
        maxItems: mostDemandGroups,
        description: 'Identifiers of groups of the organization. Only with `of: groups`',
      }),
    ),
    acr: Type.Enum([...demandedLevels], {
      description: '2: two factors. phr: two factors, of which one resists phishing, as a passkey does',
    }),
    from: shapedText(10, policyDay, 'The day from which it holds, from midnight UTC. It may be past'),
  },
  { ruled: groupsOfDemand },
);

/** Longer lists of people are refused before a rule looks at them. */
const mostSent = 100;

/** The schema of a setting in bodies and responses. */
function schemaOf(name: SignInPolicySettingName): TSchema {
  const setting = policySettingNamed(name);
  const { description } = setting;
  switch (setting.kind) {
    case 'flag':
      return Type.Boolean({ description });
    case 'day':
      return shapedText(10, policyDay, description);
    case 'set':
      return Type.Array(Type.Enum([...setting.values]), {
        maxItems: setting.values.length,
        ...(name === 'firstFactors' && { ruled: { minItems: 1 } }),
        description,
      });
    case 'number':
      // The rule tells wrong values together with those of other settings.
      return Type.Integer({ ruled: { minimum: setting.least, maximum: setting.most }, description });
    case 'people':
      return Type.Array(identifier, {
        ruled: { maxItems: setting.most },
        maxItems: mostSent,
        description,
      });
    case 'demands':
      return Type.Array(demand, { maxItems: mostDemands, description });
  }
}

const settings = Object.fromEntries(
  signInPolicySettingNames.map((name) => [name, Type.Optional(schemaOf(name))]),
);

const examples = [{ demands: [{ of: 'roles', acr: '2', from: '2026-12-01' }], sessionIdleSeconds: 3600 }];

/** The day from which first factors hold goes with them. */
const ruled = {
  anyOf: [{ properties: { firstFactorsFrom: false } }, { required: ['firstFactors'] }],
};

/** A policy to try. */
export const triedPolicy = Type.Unsafe<SignInPolicy>(strictObject(settings, { examples, ruled }));

/** The policy that a body gives, whole. */
export const policyBody = Type.Unsafe<SignInPolicy & { version?: number }>(
  strictObject({ ...settings, version: expectedVersion }, { examples, ruled }),
);

const number = Type.Integer({ minimum: 0 });
const named = { id: Type.String(), name: Type.String() };

/** What a policy would do. */
export const shownTrial = Type.Unsafe<PolicyTrial>(
  Type.Object(
    {
      people: Type.Object(
        { meets: number, mustEnrol: number, lockedOut: number },
        {
          description:
            'Active people: who meets the policy, who needs another factor by a day of it, and who could not sign in at once',
        },
      ),
      administrators: Type.Array(
        Type.Object({
          userId: Type.String(),
          userName: Type.String(),
          outcome: Type.Enum(['mustEnrol', 'lockedOut']),
        }),
        { description: 'People with roles who do not meet the policy, at most 100' },
      ),
      applications: Type.Array(Type.Object(named), {
        description:
          'Applications that people sign in to, at most 100, among the first 10,000 of the organization',
      }),
      serviceUsers: Type.Array(Type.Object(named), {
        description:
          'Service users that may send passwords, which are then refused, at most 100. They are looked for among the first 10,000 roles in the organization ' +
          'and in the instance',
      }),
    },
    { title: 'SignInPolicyTrial' },
  ),
);

/** The policy as responses have it. */
export const shownPolicy = Type.Unsafe<SignInPolicy & { version: number }>(
  Type.Object({ ...settings, version }, { title: 'SignInPolicy' }),
);
