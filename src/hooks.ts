import type { FastifyInstance } from 'fastify';
import type { Rooms } from '#src/rooms.js';
import { answerUnknown } from './http/answer-unknown.js';
import { answerWithProblems } from './http/base/problem.js';
import { holdBodies } from './http/bodies/hold-bodies.js';
import { lingerAfterRefusals } from './http/bodies/linger.js';
import { closeConnectionsAtShutdown } from './http/close-connections.js';
import { boundAddresses } from './http/limits/bound-addresses.js';
import { boundPipelines } from './http/limits/bound-pipelines.js';
import { limitRate } from './http/limits/rate-limit.js';
import { refuseAmbiguous } from './http/limits/refuse-ambiguous.js';
import { reportLateness } from './http/limits/report-lateness.js';
import { shedLoad } from './http/limits/shed-load.js';
import { cutOffSlowClients } from './http/limits/slow-clients.js';
import { logRequests } from './http/log-requests.js';
import { observeRequests } from './http/observe-requests.js';
import { publishOpenapi } from './http/openapi/publish-openapi.js';
import { readMessagesFirst } from './http/read-messages-first.js';
import { compressResponses } from './http/responses/compress-responses.js';
import { holdResponses } from './http/responses/hold-responses.js';
import { demandSafeHeaders } from './http/safe-headers.js';

/** Something that happens to all requests, whatever route takes them. */
interface SharedHook {
  readonly add: (app: FastifyInstance, rooms: Rooms) => void | Promise<void>;
  /** The hooks of Fastify, the events of the server, or the handlers that it uses. */
  readonly when: string;
  readonly why: string;
}

/**
 * What every request passes, in this order: for one hook of Fastify, the functions run in the order in which they were added. `app.ts` adds
 * them before the routes.
 */
export const sharedHooks: readonly SharedHook[] = [
  {
    add: boundPipelines,
    when: 'request of the server',
    why: 'A client that reads nothing could otherwise make the process begin many responses.',
  },
  {
    add: readMessagesFirst,
    when: 'onRequest',
    why: 'What other processes have said before this request came must be known to it.',
  },
  {
    add: (app, { logger }) => logRequests(app, logger),
    when: 'onRequest, onResponse',
    why: 'Each response is one log line. It is early, so that a refused request is logged too.',
  },
  {
    add: observeRequests,
    when: 'onRequest, preValidation, onResponse, onRequestAbort',
    why: 'The measured time has all hooks that follow.',
  },
  {
    add: (app, { config }) => demandSafeHeaders(app, config),
    when: 'onRequest',
    why: 'Every response has them, also one of the hooks that follow.',
  },
  {
    add: (app, { config }) => closeConnectionsAtShutdown(app, config),
    when: 'preClose, onSend, onResponse',
    why: 'No request is lost at a shutdown, and none delays the end.',
  },
  {
    add: answerWithProblems,
    when: 'error handler',
    why: 'An error is a problem document (RFC 9457), unless the routes have another form.',
  },
  {
    add: (app, { config }) => answerUnknown(app, config),
    when: 'handler for unknown routes, onRoute, preParsing',
    why: 'It collects the routes, so it comes before them.',
  },
  {
    add: (app, { config }) => holdBodies(app, config),
    when: 'preParsing, onSend, onResponse',
    why: 'The bodies in memory are bounded.',
  },
  {
    add: lingerAfterRefusals,
    when: 'onSend',
    why: 'A client that still sends its body sees why it was refused.',
  },
  {
    add: compressResponses,
    when: 'onSend',
    why: 'Only routes without secrets are compressed. It is before the next, which counts what is sent.',
  },
  {
    add: holdResponses,
    when: 'onSend',
    why: 'The responses that clients have not taken are bounded.',
  },
  {
    add: (app, { config }) => publishOpenapi(app, config),
    when: 'onRoute',
    why: 'It describes all routes, so it comes before them.',
  },
  {
    add: limitRate,
    when: 'onRequest',
    why: 'An address is counted before anything is looked up for it.',
  },
  {
    add: refuseAmbiguous,
    when: 'onRequest',
    why: 'A balancer could read such a request in another way. It is refused after it was counted.',
  },
  {
    add: boundAddresses,
    when: 'onRequest',
    why: 'The path and the query have bounds. They are refused after they were counted.',
  },
  {
    add: shedLoad,
    when: 'onReady, onRequest',
    why: 'A late event loop refuses heavy work first.',
  },
  {
    add: reportLateness,
    when: 'onRoute, handler of each route',
    why: 'Workers give way while requests are late.',
  },
  {
    add: cutOffSlowClients,
    when: 'timeout of the server, preParsing, onResponse',
    why: 'A client that sends or reads a byte now and then keeps no connection.',
  },
];
