import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { requireAuthority } from '#src/access/authority/index.js';
import type { Editor } from '#src/audit/event.js';
import { makeOneTimeLink, usersWithoutPassword } from '#src/authentication/index.js';
import { directoryErrors, type Organization, type User } from '#src/directory/index.js';
import { requireOrganization } from '#src/organizations/index.js';
import { AppError } from '#src/platform/errors.js';
import { callerOf, editorOf, inOrganization } from '../http/caller.js';
import { orgParams, problems, security, strictObject } from '../http/schemas.js';
import type { PieceReply } from '../http/send-pieces.js';
import type { AdminNeeds } from '../needs/needs.js';
import { linkDelivery, tryMailing } from './link-delivery.js';

/** What these routes use. */
type Deps = Pick<
  AdminNeeds,
  | 'accounts'
  | 'caches'
  | 'clock'
  | 'config'
  | 'events'
  | 'logger'
  | 'mailLink'
  | 'mongo'
  | 'oneTimeLinks'
  | 'projectMembers'
  | 'users'
>;

/** The time between two mails, in milliseconds. Mail servers refuse a flood. */
const mailPauseMs = 200;

const body = strictObject(
  {
    delivery: linkDelivery('`answer` returns the links. `mail` sends them, five a second, and returns none'),
    withoutLink: Type.Optional(
      Type.Boolean({
        description: 'Leave out users who have a valid link, as after an answer that broke off',
      }),
    ),
  },
  { examples: [{ delivery: 'answer', withoutLink: true }] },
);
const line = Type.Object({}, { description: 'One JSON object on each line' });

type Line = Record<string, string | number | boolean>;

/** `POST /orgs/{orgId}/one-time-links`: a link for everybody without a password. The answer goes on while links are made. */
export function oneTimeLinksRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const underWay = new Set<string>();

  return async (app) => {
    app.post(
      '/orgs/:orgId/one-time-links',
      {
        onRequest: inOrganization(deps, 'user.write'),
        schema: {
          tags: ['users'],
          security,
          operationId: 'addOneTimeLinks',
          summary: 'Make links with which all active users without a password set one',
          description:
            'Lines have userId, userName, and url with expires, mailed, or skipped with the reason. The last line has done. ' +
            'A line with error ends the answer before. Earlier links of the users stop working',
          params: orgParams,
          body,
          response: {
            200: {
              description: 'A line for each user',
              content: { 'application/x-ndjson': { schema: line } },
            },
            ...problems(404, 409),
          },
        },
      },
      async (request, reply) => {
        const { orgId } = request.params;
        const { delivery = 'answer', withoutLink = false } = request.body;
        const organization = await requireOrganization(deps.caches.organizations.get, orgId);
        if (delivery === 'mail' && deps.mailLink === undefined)
          throw new AppError(directoryErrors.mailMissing);
        if (underWay.has(orgId)) throw new AppError(directoryErrors.linksUnderWay);
        underWay.add(orgId);
        const deliver = delivery === 'mail' ? mailed : shown;
        const lines = linesFor({
          organization,
          withoutLink,
          callerId: callerOf(request).userId,
          deliver: (user) => deliver(user, { organization, editor: editorOf(request) }),
        });
        const stream = Readable.from(lines, { objectMode: false });
        // Also if the client went away before the first line, when the generator does not begin.
        stream.once('close', () => underWay.delete(orgId));
        reply
          .header('cache-control', 'no-store')
          .header('content-type', 'application/x-ndjson; charset=utf-8');
        // Fastify applies no response schema to a stream.
        return (reply as PieceReply).send(stream as never) as never;
      },
    );
  };

  async function* linesFor(work: {
    organization: Organization;
    withoutLink: boolean;
    callerId: string;
    deliver: (user: User) => Promise<Line>;
  }): AsyncGenerator<string> {
    const { organization, withoutLink, callerId, deliver } = work;
    const orgId = organization.id;
    const counts = { links: 0, skipped: 0 };
    try {
      for await (const user of usersWithoutPassword(deps, orgId, { withoutLink })) {
        const { id: userId, userName } = user;
        const rights = { callerId, orgId, userId, purpose: 'credentials' } as const;
        const told = await requireAuthority(deps, rights).then(() => deliver(user), skippedBy);
        counts['skipped' in told ? 'skipped' : 'links']++;
        yield `${JSON.stringify({ userId, userName, ...told })}\n`;
      }
      yield `${JSON.stringify({ done: true, ...counts })}\n`;
    } catch (error) {
      deps.logger.error({ err: error, orgId }, 'one-time links were not made for all users');
      yield `${JSON.stringify({ error: error instanceof AppError ? error.definition.id : 'internal', ...counts })}\n`;
    }
  }

  async function shown(user: User, { editor }: { editor: Editor }): Promise<Line> {
    const link = await makeOneTimeLink(deps, { orgId: user.orgId, userId: user.id, editor });
    const url = `${deps.config.baseUrl}/login/password?token=${link.secret}`;
    return { url, expires: link.expires.toISOString() };
  }

  async function mailed(user: User, by: { organization: Organization; editor: Editor }): Promise<Line> {
    const refused = await tryMailing(deps, { user, ...by });
    if (refused !== undefined) return { skipped: refused };
    await setTimeout(mailPauseMs);
    return { mailed: true };
  }
}

/** @throws every error but that of a user with more rights than the caller */
function skippedBy(error: unknown): Line {
  if (error instanceof AppError && error.definition === directoryErrors.userOutranksCaller)
    return { skipped: 'outranksCaller' };
  throw error;
}
