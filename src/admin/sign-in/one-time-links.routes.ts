import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { createOneTimeLinkRounds, type LinkOutcome } from '#src/authentication/index.js';
import type { User } from '#src/directory/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { orgParams, problems, security, strictObject } from '../http/schemas.js';
import type { PieceReply } from '../http/send-pieces.js';
import type { AdminNeeds } from '../needs/needs.js';
import { linkDelivery, shownLink } from './link-delivery.js';

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

const description =
  'Lines have userId, userName, and url with expires, mailed, or skipped with the reason. The last line has done. ' +
  'A line with error ends the answer before. Earlier links of the users stop working';

/** `POST /orgs/{orgId}/one-time-links`: a link for everybody without a password. The answer goes on while links are made. */
export function oneTimeLinksRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const rounds = createOneTimeLinkRounds(deps);

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
          description,
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
        const editor = editorOf(request);
        const round = await rounds.begin({ orgId, delivery, withoutLink, editor });
        const stream = Readable.from(linesOf(deps, orgId, round.outcomes), { objectMode: false });
        // Also if the client went away before the first line, when the generator does not begin.
        stream.once('close', round.end);
        reply
          .header('cache-control', 'no-store')
          .header('content-type', 'application/x-ndjson; charset=utf-8');
        // Fastify applies no response schema to a stream.
        return (reply as PieceReply).send(stream as never) as never;
      },
    );
  };
}

/** Yields the outcomes as lines of JSON. The last line says that all are done, or which error ended them. */
async function* linesOf(
  { config, logger }: Pick<Deps, 'config' | 'logger'>,
  orgId: string,
  outcomes: AsyncIterable<{ readonly user: User; readonly outcome: LinkOutcome }>,
): AsyncGenerator<string> {
  const counts = { links: 0, skipped: 0 };
  try {
    for await (const { user, outcome } of outcomes) {
      counts['skipped' in outcome ? 'skipped' : 'links']++;
      const { id: userId, userName } = user;
      yield `${JSON.stringify({ userId, userName, ...toResponse(config, outcome) })}\n`;
    }
    yield `${JSON.stringify({ done: true, ...counts })}\n`;
  } catch (error) {
    logger.error({ err: error, orgId }, 'one-time links were not made for all users');
    yield `${JSON.stringify({ error: error instanceof AppError ? error.definition.id : 'internal', ...counts })}\n`;
  }
}

function toResponse(config: Pick<AdminNeeds['config'], 'baseUrl'>, outcome: LinkOutcome) {
  return 'secret' in outcome ? shownLink(config, outcome) : outcome;
}
