import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Role } from '#src/directory/index.js';
import { chosenLanguage } from '#src/people/users/index.js';
import { callerOf } from './http/caller.js';
import { security, timestamp } from './http/schemas.js';
import type { AdminNeeds } from './needs/needs.js';

const me = Type.Object({
  userId: Type.String(),
  kind: Type.Enum(['person', 'serviceUser']),
  orgId: Type.String(),
  orgName: Type.String(),
  userName: Type.String(),
  displayName: Type.String(),
  preferredLanguage: Type.Optional(
    Type.String({
      description: 'The language tag that the person or a client chose; absent if nobody chose',
    }),
  ),
  timezone: Type.Optional(Type.String({ description: 'The IANA time zone of the profile' })),
  signedInAt: Type.Optional(
    Type.String({ ...timestamp, description: 'When the person signed in; absent for a service user' }),
  ),
  roles: Type.Array(
    Type.Object({
      role: Type.Unsafe<Role>(Type.String()),
      orgId: Type.Optional(Type.String({ description: 'Absent for a role in the instance' })),
    }),
  ),
  organizations: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
    description: 'The organizations that the roles name, at most 100 of them',
  }),
});

/** Names of more organizations would make each page of the console slower. */
const mostNamed = 100;

/** `GET /me`: the caller and its roles. */
export function meRoutes(
  deps: Pick<AdminNeeds, 'caches' | 'people' | 'revocations'>,
): FastifyPluginAsyncTypebox {
  const { caches, people } = deps;
  return async (app) => {
    app.get(
      '/me',
      {
        schema: {
          tags: ['memberships'],
          security,
          operationId: 'getCaller',
          summary: 'Read who the caller is, and its roles',
          description: 'A role in an organization names it. A role in the instance names none',
          response: { 200: me },
        },
      },
      async (request) => {
        const { userId, orgId, serviceUser, memberships, signedInAt } = callerOf(request);
        const stamp = serviceUser === undefined ? await deps.revocations.stampOf(userId) : undefined;
        const named = new Set(memberships.flatMap((held) => held.orgId ?? []));
        const [organization, person, ...organizations] = await Promise.all([
          caches.organizations.get(orgId),
          serviceUser === undefined ? people.find(orgId, userId, stamp) : undefined,
          ...[...named].slice(0, mostNamed).map((id) => caches.organizations.get(id)),
        ]);
        const { userName, displayName } = person ?? {
          userName: serviceUser?.userName ?? '',
          displayName: serviceUser?.name ?? '',
        };
        const language = person && chosenLanguage(person);
        return {
          userId,
          kind: serviceUser === undefined ? ('person' as const) : ('serviceUser' as const),
          orgId,
          orgName: organization?.name ?? '',
          userName,
          displayName,
          ...(language !== undefined && { preferredLanguage: language }),
          ...(person?.timezone !== undefined && { timezone: person.timezone }),
          ...(signedInAt !== undefined && { signedInAt: new Date(signedInAt * 1000).toISOString() }),
          roles: memberships.map((held) => ({
            role: held.role,
            ...(held.orgId !== undefined && { orgId: held.orgId }),
          })),
          organizations: organizations.flatMap((found) =>
            found === undefined ? [] : [{ id: found.id, name: found.name }],
          ),
        };
      },
    );
  };
}
