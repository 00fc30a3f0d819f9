import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type Static } from 'typebox';
import { mayNameNewProject, onlyStopsApplication } from '#src/access/authority/index.js';
import type { Editor } from '#src/audit/event.js';
import {
  type Application,
  addApplication,
  algorithmChoice,
  applicationTypes,
  approveApplication,
  changeApplication,
  markForAdministration,
  type SortedApplication,
} from '#src/clients/applications/index.js';
import { directoryErrors } from '#src/directory/index.js';
import type { KnownAlgorithms, SigningNow } from '#src/keys/known-algorithms.js';
import { removeApplication } from '#src/removal/index.js';
import {
  callerOf,
  editorOf,
  inOrganization,
  onInstance,
  overApplication,
  requireFreshCaller,
} from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { type RouteScope, resourceRoutes } from '../http/resource-routes.js';
import { applicationParams, located, noContent, orgParams, problems, security } from '../http/schemas.js';
import { decodeSearchCursor, encodeSearchCursor } from '../http/search-cursor.js';
import { signingToResponse } from '../http/signing-now.js';
import type { AdminNeeds } from '../needs/needs.js';
import { addedApplication, application, applicationChange, newApplication } from './application-schemas.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'applicationGrants'
  | 'applications'
  | 'caches'
  | 'clock'
  | 'config'
  | 'consents'
  | 'events'
  | 'groups'
  | 'identifiers'
  | 'mongo'
  | 'organizations'
  | 'projects'
  | 'quotas'
  | 'serviceUsers'
  | 'signingKeys'
  | 'users'
>;

const tags = ['applications'];

/** An application, and what signs its ID tokens as long as clients may not know the keys of the chosen algorithm. */
type Found = Application & Partial<SortedApplication> & { readonly signing?: SigningNow };

const sortFields = { name: 'nameKey', created: 'created' } as const;
const sortNames = Object.keys(sortFields) as (keyof typeof sortFields)[];

const narrowed = Type.Object({
  type: Type.Optional(Type.Enum(applicationTypes, { description: 'Only applications of this type' })),
  projectId: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only the applications of this project' }),
  ),
  active: Type.Optional(
    Type.Enum(['true', 'false'], { description: 'Only applications that are active, or that are not' }),
  ),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        'The beginning of the name. Letter case does not matter, and names are found in other ways of writing: Bücher as Buecher ' +
        'and Bucher',
    }),
  ),
  sort: Type.Optional(Type.Enum(sortNames, { description: 'The order, by identifier if it is absent' })),
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'The direction of `sort`' })),
  after: Type.Optional(Type.String({ maxLength: 4_000, description: 'The `next` of the page before' })),
});
type Narrowed = Static<typeof narrowed>;

/** What a narrowed list has. The query has other parameters too. */
function onlyThose({ type, projectId, active, search }: Narrowed) {
  return {
    ...(type !== undefined && { type }),
    ...(projectId !== undefined && { projectId }),
    ...(active !== undefined && { active: active === 'true' }),
    ...(search !== undefined && { text: search.trim() }),
  };
}

/** @throws AppError `directory.valueInvalid` for an `after` of another order */
function portionsOf(
  { applications }: Pick<Deps, 'applications'>,
  orgId: string,
  { after, limit, ...query }: Narrowed & { readonly limit: number },
): AsyncIterable<Found[]> {
  const { sort, order } = query;
  const only = onlyThose(query);
  if (sort === undefined)
    return applications.portions(orgId, { ...(after !== undefined && { after }), limit, only });
  const position = after === undefined ? undefined : decodeSearchCursor(after, sort === 'created').after;
  const direction = order === 'desc' ? -1 : 1;
  return applications.sortedPortions(orgId, {
    only,
    limit,
    after: position,
    sort: { field: sortFields[sort], direction },
  });
}

/** The cursor behind an application. */
function cursorOf({ id, sortValue }: Found): string {
  return sortValue === undefined ? id : encodeSearchCursor({ step: 0, after: { value: sortValue, id } });
}

/** Routes for applications, the clients of the OpenID provider. */
export function applicationRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { applications, signingKeys } = deps;
  const withSigning = async (found: Promise<Application>) => signedBy(await found, await signingKeys.known());
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  const mayChange = [mayWrite, overApplication(deps)];

  return async (app) => {
    addApplicationRoute(app, deps);
    const routes = resourceRoutes(app, {
      tags,
      all: { path: '/orgs/:orgId/applications', params: orgParams },
      one: { path: '/orgs/:orgId/applications/:id', params: applicationParams },
      shown: application,
      toResponse,
    });
    routes.list({
      onRequest: mayRead,
      operationId: 'listApplications',
      summary: 'List the applications of an organization',
      narrowed,
      async *page({ orgId }, page, query) {
        const known = await signingKeys.known();
        for await (const portion of portionsOf(deps, orgId, { ...query, ...page }))
          yield portion.map((found) => signedBy(found, known));
      },
      keyOf: cursorOf,
      count: ({ orgId }, query) => applications.count(orgId, onlyThose(query)),
    });
    routes.get({
      onRequest: mayRead,
      operationId: 'getApplication',
      summary: 'Read an application',
      find: ({ orgId, id }) =>
        withSigning(orNotFound(applications.find(orgId, id), directoryErrors.applicationNotFound)),
    });
    routes.change({
      onRequest: mayChange,
      operationId: 'changeApplication',
      summary: 'Change an application; absent properties stay',
      body: applicationChange,
      fails: [400, 404, 409, 412],
      run(target, body, request) {
        if (!onlyStopsApplication(body)) requireFreshCaller(deps, request);
        const mayAddProject = mayNameNewProject(callerOf(request).memberships);
        return withSigning(changeApplication(deps, target, body, { mayAddProject }));
      },
    });
    addMarkRoutes(app, deps, {
      mark: 'approval',
      on: {
        operationId: 'approveApplication',
        summary:
          'Approve an open application: it serves the people of every organization without asking each of them',
      },
      off: { operationId: 'removeApplicationApproval', summary: 'Take the approval back' },
      set: approveApplication,
    });
    addMarkRoutes(app, deps, {
      mark: 'administration',
      on: {
        operationId: 'allowAdministration',
        summary:
          'Let people of its organization administer through the application: it may request the scope urn:service:iam:admin',
      },
      off: {
        operationId: 'removeAdministration',
        summary: 'Refuse the scope urn:service:iam:admin to the application, and its tokens with it',
      },
      set: markForAdministration,
    });
    routes.remove({
      onRequest: mayChange,
      operationId: 'removeApplication',
      summary: 'Remove an application with its secrets and keys',
      run: (target) => removeApplication(deps, target),
    });
  };
}

/** Only this answer has the client secret, and the application has an address. */
function addApplicationRoute(app: RouteScope, deps: Deps): void {
  app.post(
    '/orgs/:orgId/applications',
    {
      onRequest: inOrganization(deps, 'org.write'),
      schema: {
        tags,
        security,
        operationId: 'addApplication',
        summary: 'Add an application; a client secret is shown only in this answer',
        params: orgParams,
        body: newApplication,
        response: { 201: addedApplication, ...problems(400, 404, 409) },
        described: () => located,
      },
    },
    async (request, reply) => {
      const { orgId } = request.params;
      const { application, clientSecret } = await addApplication(deps, {
        orgId,
        settings: request.body,
        mayAddProject: mayNameNewProject(callerOf(request).memberships),
        editor: editorOf(request),
      });
      const address = `${deps.config.baseUrl}/admin/v1/orgs/${orgId}/applications/${application.id}`;
      return reply
        .code(201)
        .header('location', address)
        .send({
          ...toResponse(signedBy(application, await deps.signingKeys.known())),
          ...(clientSecret !== undefined && { clientSecret }),
        });
    },
  );
}

/** A mark that an application has or not. PUT sets it, and DELETE takes it away. */
interface Mark {
  readonly mark: string;
  readonly on: { readonly operationId: string; readonly summary: string };
  readonly off: { readonly operationId: string; readonly summary: string };
  readonly set: (
    deps: Deps,
    target: { orgId: string; id: string; editor: Editor },
    isSet: boolean,
  ) => Promise<unknown>;
}

/** Only owners of the instance set marks. */
function addMarkRoutes(app: RouteScope, deps: Deps, { mark, on, off, set }: Mark): void {
  for (const method of ['PUT', 'DELETE'] as const) {
    const isSet = method === 'PUT';
    app.route({
      method,
      url: `/orgs/:orgId/applications/:id/${mark}`,
      onRequest: [inOrganization(deps, 'org.write'), onInstance('instance.manage')],
      schema: {
        tags,
        security,
        ...(isSet ? on : off),
        params: applicationParams,
        response: { 204: noContent, ...problems(404) },
      },
      async handler(request, reply) {
        await set(deps, { ...request.params, editor: editorOf(request) }, isSet);
        return reply.code(204).send(null);
      },
    });
  }
}

function signedBy(application: Application, known: KnownAlgorithms): Found {
  const choice = algorithmChoice(application);
  const signing = known.signing(choice);
  return choice.wanted === undefined || signing.alg === choice.wanted
    ? application
    : { ...application, signing };
}

/** Returns the application without its secrets and keys. */
function toResponse({ signing, ...found }: Found) {
  const {
    secrets: _secrets,
    keys: _keys,
    singleAudience: _singleAudience,
    sortValue: _sorted,
    ...rest
  } = found;
  const { formerIdTokenAlg: _former, projectId, ...shown } = rest;
  return {
    ...shown,
    clientId: found.id,
    approved: found.approved ?? false,
    administers: found.administers ?? false,
    ...(projectId !== undefined && { projectId }),
    ...(signing && { idTokenSigning: signingToResponse(signing) }),
    redirectUris: [...found.redirectUris],
    postLogoutRedirectUris: [...found.postLogoutRedirectUris],
    responseTypes: [...found.responseTypes],
    grantTypes: [...found.grantTypes],
    created: found.created.toISOString(),
    lastModified: found.lastModified.toISOString(),
  };
}
