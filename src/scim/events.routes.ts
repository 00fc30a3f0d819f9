import type { FastifyPluginAsync } from 'fastify';
import { AppError } from '#src/platform/errors.js';
import { createKeyedSemaphore } from '#src/platform/work/keyed-semaphore.js';
import { createPacedSemaphore } from '#src/platform/work/paced-semaphore.js';
import { pollEvents } from './events/poll-events.js';
import { parsePollRequest } from './events/poll-request.js';
import { refuseOtherMethods } from './http/refuse-methods.js';
import { permitted, scimContextOf } from './http/scim-context.js';
import { scimOperation } from './http/scim-schema.js';
import type { ScimNeeds } from './needs/needs.js';
import { scimErrors } from './protocol/errors.js';

/** `POST /SecurityEvents`: security event tokens about users and groups (RFC 9967), which receivers poll for (RFC 8936). */
export function eventsRoutes(
  deps: Pick<ScimNeeds, 'clock' | 'config' | 'eventReceivers' | 'events' | 'signingKeys' | 'threads'>,
): FastifyPluginAsync {
  const schema = scimOperation('pollEvents', 'Polls for security event tokens', {
    description:
      'Tokens about changes of users and groups (RFC 9967), signed with the keys of `/oauth/v2/keys`. The first request begins the ' +
      'stream of the caller, 90 seconds before it. A token comes 90 seconds after its change, and again until `ack` names it (RFC 8936)',
    body: 'PollRequest',
    examples: 'poll',
    answer: 'PollResponse',
    isPlainJson: true,
  });
  // Polls of one caller pass over the same events, so more of them at once bring nothing.
  const polls = createKeyedSemaphore({
    ...{ atOnce: 2, waiting: 0, longestWaitMs: 0 },
    refuse: () => new AppError(scimErrors.tooManyPolls, { retryAfterSeconds: 1 }),
  });
  const ofOrganization = createPacedSemaphore({
    ...{ atOnce: 1, waiting: 100, longestWaitMs: 10_000 },
    refuse: () => new AppError(scimErrors.tooManyPolls, { retryAfterSeconds: 5 }),
  });
  return async (app) => {
    app.post(
      '/SecurityEvents',
      { config: { heavy: 'list', polled: true }, onRequest: permitted('user.read'), schema },
      async (request, reply) => {
        const context = scimContextOf(request);
        const poll = parsePollRequest(request.body);
        const orgId = context.organization.id;
        const answer = await polls.run(`${orgId} ${context.editor.userId}`, () =>
          ofOrganization.run(orgId, () => pollEvents(deps, context, poll)),
        );
        return reply.type('application/json').send(JSON.stringify(answer));
      },
    );
    refuseOtherMethods(app, '/SecurityEvents', ['POST']);
  };
}
