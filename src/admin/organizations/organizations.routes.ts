import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static, type TSchema } from 'typebox';
import type { Container } from '#src/container.js';
import { permissionsIn, permittedOnInstance } from '#src/directory/memberships/roles.js';
import { addOrganization } from '#src/directory/organizations/add-organization.js';
import { changeOrganization } from '#src/directory/organizations/change-organization.js';
import {
  leastPasswordLength,
  maxPasswordLength,
  type Organization,
} from '#src/directory/organizations/organization.js';
import { namePlaceOf } from '#src/directory/organizations/organizations.store.js';
import { requireOrganization } from '#src/directory/organizations/require-organization.js';
import { requireUniqueExternalIds } from '#src/directory/organizations/require-unique-external-ids.js';
import { type QuotaKind, quotaKinds, quotaLimits } from '#src/directory/quotas/quota.js';
import { requireVersion } from '#src/directory/require-version.js';
import { domainNameText, objectName, organizationId, pictureAddress } from '#src/directory/value-shapes.js';
import type { Principal } from '#src/http/auth/authenticate.js';
import { AppError } from '#src/platform/errors.js';
import { tokenErrors } from '#src/tokens/errors.js';
import { callerOf, editorOf, inOrganization, onInstance } from '../http/caller.js';
import { nameCursor, readNameCursor } from '../http/name-cursor.js';
import {
  answerKeyedPage,
  answerPage,
  expectedVersion,
  located,
  orgParams,
  pageOf,
  pageQuery,
  problems,
  security,
  shapedText,
  strictObject,
  timestamp,
  version,
} from '../schemas.js';

const policy = {
  minLength: Type.Integer({ minimum: leastPasswordLength, maximum: maxPasswordLength }),
  upper: Type.Boolean(),
  lower: Type.Boolean(),
  digit: Type.Boolean(),
  symbol: Type.Boolean(),
};

const quotaLimit = Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: '0 means no limit' });

const organization = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    domains: Type.Array(Type.String(), { description: 'The first is the primary one' }),
    passwordPolicy: Type.Object(policy),
    login: Type.Object({
      selfRegistration: Type.Boolean(),
      logoUrl: Type.Optional(Type.String()),
      faviconUrl: Type.Optional(Type.String()),
      brandColor: Type.Optional(Type.String()),
    }),
    plainScimErrors: Type.Boolean(),
    uniqueExternalId: Type.Boolean(),
    quotas: Type.Object(
      { ...quotasOf(quotaLimit) },
      { description: 'The largest numbers that apply, those of the instance included' },
    ),
    created: timestamp,
    lastModified: timestamp,
    version,
  },
  { title: 'Organization' },
);

const name = shapedText(1000, objectName);
const domains = Type.Array(shapedText(300, domainNameText), {
  maxItems: 100,
  description: 'Verified domains. The first is the primary one',
});
const passwordPolicy = strictObject(
  {
    minLength: Type.Optional(policy.minLength),
    upper: Type.Optional(policy.upper),
    lower: Type.Optional(policy.lower),
    digit: Type.Optional(policy.digit),
    symbol: Type.Optional(policy.symbol),
  },
  { description: 'Absent rules stay' },
);

const login = strictObject(
  {
    selfRegistration: Type.Optional(
      Type.Boolean({ description: 'Whether anyone may make an account of their own' }),
    ),
    logoUrl: Type.Optional(shapedText(2000, pictureAddress, 'https address of a picture; empty removes it')),
    faviconUrl: Type.Optional(
      shapedText(
        2000,
        pictureAddress,
        'https address of the icon that browsers show beside the title; empty removes it',
      ),
    ),
    brandColor: Type.Optional(
      Type.String({
        pattern: '^(#[0-9A-Fa-f]{6})?$',
        description:
          'Colour of buttons and links, such as #3047c8; empty removes it. Where its contrast with the page is below ' +
          '4.5:1, links get a darker or lighter shade, and buttons black or white text',
      }),
    ),
  },
  { description: 'Absent settings stay' },
);

const plainScimErrors = Type.Boolean({
  description:
    'Whether error bodies of SCIM have only schemas, status, scimType and detail (RFC 7644 section 3.12)',
});

const uniqueExternalId = Type.Boolean({
  description: 'Whether no two users may have the same externalId. Refused while two have',
});

const quotas = strictObject(quotasOf(Type.Optional(Type.Union([quotaLimit, Type.Null()]))), {
  description: 'Absent quotas stay, null is the quota of the instance. Only an instance owner changes them',
});

/** What a new organization may have, and what a change may name. */
const settings = {
  domains: Type.Optional(domains),
  passwordPolicy: Type.Optional(passwordPolicy),
  login: Type.Optional(login),
  plainScimErrors: Type.Optional(plainScimErrors),
  uniqueExternalId: Type.Optional(uniqueExternalId),
  quotas: Type.Optional(quotas),
};

const listQuery = Type.Object({
  ...pageQuery.properties,
  after: Type.Optional(Type.String({ maxLength: 2_000, description: 'The `next` of the page before' })),
  name: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Only organizations whose names begin with it, in any letter case. Empty matches all',
    }),
  ),
});

const tags = ['organizations'];

/** Routes for organizations. Owners of the instance add them, and owners of an organization change it. */
export function organizationRoutes(container: Container): FastifyPluginAsyncTypebox {
  const { organizations, caches, config } = container;

  return async (app) => {
    app.post(
      '/orgs',
      {
        onRequest: onInstance('org.create'),
        schema: {
          tags,
          security,
          operationId: 'addOrganization',
          summary: 'Add an organization',
          body: strictObject(
            {
              id: Type.Optional(
                Type.String({
                  description:
                    'An identifier to keep: 1 to 100 of A-Z a-z 0-9 . _ ~ -, the first a letter or digit',
                  ruled: organizationId,
                }),
              ),
              name,
              ...settings,
            },
            {
              examples: [
                { name: 'Northwind', domains: ['northwind.example'], passwordPolicy: { minLength: 12 } },
              ],
            },
          ),
          response: { 201: organization, ...problems(400, 409) },
          described: () => located,
        },
      },
      async (request, reply) => {
        const added = await addOrganization(container, { ...request.body, editor: editorOf(request) });
        reply.header('location', `${config.baseUrl}/admin/v1/orgs/${added.id}`);
        return reply.code(201).send(present(added));
      },
    );

    app.get(
      '/orgs',
      {
        schema: {
          tags,
          security,
          operationId: 'listOrganizations',
          summary: 'List the organizations that the caller may read. With `name`, in the order of names',
          description:
            'An owner of the instance reads all. Every other caller reads those that its roles reach',
          querystring: listQuery,
          response: { 200: pageOf(organization), ...problems(400) },
        },
      },
      async (request) => {
        const caller = callerOf(request);
        const { name: prefix, ...page } = request.query;
        if (prefix !== undefined) return answerByName(caller, prefix, page);
        const find = permittedOnInstance(caller.memberships, 'org.read')
          ? organizations.page
          : ownOrganizations(caller);
        return answerPage(page, find, present);
      },
    );

    app.get(
      '/orgs/:orgId',
      {
        onRequest: inOrganization(container, 'org.read'),
        schema: {
          tags,
          security,
          operationId: 'getOrganization',
          summary: 'Read an organization',
          params: orgParams,
          response: { 200: organization, ...problems(404) },
        },
      },
      async (request) => {
        return present(await requireOrganization(organizations.find, request.params.orgId));
      },
    );

    app.patch(
      '/orgs/:orgId',
      {
        onRequest: inOrganization(container, 'org.write'),
        schema: {
          tags,
          security,
          operationId: 'changeOrganization',
          summary:
            'Change an organization; absent properties stay. Only an instance owner changes domains and quotas',
          params: orgParams,
          body: strictObject(
            {
              name: Type.Optional(name),
              ...settings,
              version: expectedVersion,
            },
            { examples: [{ login: { selfRegistration: true }, quotas: { users: 5000 } }] },
          ),
          response: { 200: organization, ...problems(400, 404, 409, 412) },
        },
      },
      async (request) => {
        const { orgId } = request.params;
        const isOwner = permittedOnInstance(callerOf(request).memberships, 'instance.manage');
        const isForOwners = request.body.domains !== undefined || request.body.quotas !== undefined;
        if (isForOwners && !isOwner) throw new AppError(tokenErrors.permissionMissing);
        if (request.body.uniqueExternalId) {
          const current = await requireOrganization(organizations.find, orgId);
          await requireUniqueExternalIds(container.users, current, request.body);
        }
        const { version, ...wanted } = request.body;
        const change = (current: Organization) => {
          requireVersion(current, version);
          return wanted;
        };
        return present(await changeOrganization(container, { orgId, change, editor: editorOf(request) }));
      },
    );
  };

  /** Answers a page of the organizations whose names begin with a text, in the order of names. */
  function answerByName(caller: Principal, prefix: string, page: Static<typeof pageQuery>) {
    const { after: cursor, limit } = page;
    const after = cursor === undefined ? undefined : readNameCursor(cursor);
    const ids = permittedOnInstance(caller.memberships, 'org.read') ? undefined : ownIds(caller);
    const find = ({ limit: most }: { limit: number }) =>
      organizations.pageByName({ prefix, limit: most, ...(after && { after }), ...(ids && { ids }) });
    return answerKeyedPage({ ...(limit !== undefined && { limit }) }, find, {
      present,
      keyOf: (found) => nameCursor(namePlaceOf(found)),
    });
  }

  /** The identifiers of the organizations that the roles of the caller name, in order. */
  function ownIds({ memberships }: Principal): string[] {
    const ids = memberships
      .flatMap(({ orgId }) => (orgId === undefined ? [] : [orgId]))
      .filter((orgId) => permissionsIn(memberships, orgId)?.has('org.read'));
    if (ids.length === 0) throw new AppError(tokenErrors.permissionMissing);
    return [...new Set(ids)].sort();
  }

  /** Returns a page of the organizations that the roles of the caller name. */
  function ownOrganizations(caller: Principal) {
    const ordered = ownIds(caller);
    return async ({ after = '', limit }: { after?: string; limit: number }): Promise<Organization[]> => {
      const wanted = ordered.filter((orgId) => orgId > after).slice(0, limit);
      const found = await Promise.all(wanted.map((orgId) => caches.organizations.get(orgId)));
      return found.filter((candidate) => candidate !== undefined);
    };
  }

  function present({ id, created, lastModified, domains, ...rest }: Organization) {
    return {
      id,
      name: rest.name,
      domains: [...domains],
      passwordPolicy: rest.passwordPolicy,
      login: rest.login,
      plainScimErrors: rest.plainScimErrors ?? false,
      uniqueExternalId: rest.uniqueExternalId ?? false,
      quotas: quotaLimits(config, rest.quotas),
      created: created.toISOString(),
      lastModified: lastModified.toISOString(),
      version: rest.version,
    };
  }
}

/** The same schema for each quota. */
function quotasOf<T extends TSchema>(schema: T): Record<QuotaKind, T> {
  return Object.fromEntries(quotaKinds.map((kind) => [kind, schema])) as Record<QuotaKind, T>;
}
