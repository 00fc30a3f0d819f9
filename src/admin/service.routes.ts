import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type Config, settings } from '#src/config.js';
import { answers } from '#src/http/health.js';
import { onInstance } from './http/caller.js';
import { problems, security } from './http/schemas.js';
import type { AdminNeeds } from './needs/needs.js';
import { readVersions } from './versions.js';

/** The settings that the service shows. None is a secret, and none is an address with a password in it. */
export const shownSettings = [
  'baseUrl',
  'signingAlgorithm',
  'signingKeyRotationSeconds',
  'accessTokenSeconds',
  'serviceUserTokenSeconds',
  'idTokenSeconds',
  'refreshTokenIdleSeconds',
  'refreshTokenSeconds',
  'refreshTokenGraceSeconds',
  'codeSeconds',
  'sessionIdleSeconds',
  'sessionAbsoluteSeconds',
  'freshSignInSeconds',
  'loginMaxFailures',
  'loginMaxFailuresPerAddress',
  'loginLockSeconds',
  'requestTimeoutSeconds',
  'drainSeconds',
  'shutdownSeconds',
  'rateLimitPerAddress',
  'rateLimitRefused',
  'rateLimitPerClient',
  'rateLimitPerOrganization',
  'rateLimitPerPerson',
  'scimScanLimit',
  'shedDelayMilliseconds',
  'headersTimeoutSeconds',
  'bodyTimeoutSeconds',
  'bodyMemoryMib',
  'responseMemoryMib',
  'maxConnections',
  'hashConcurrency',
  'hashQueue',
  'importMaxBytes',
  'quotaUsers',
  'quotaGroups',
  'quotaServiceUsers',
  'quotaProjects',
  'quotaApplications',
  'quotaConnections',
  'quotaMetadata',
  'quotaOpenJobs',
  'workerConcurrency',
] as const satisfies readonly (keyof Config)[];

const service = Type.Object({
  versions: Type.Object({
    muster: Type.String(),
    node: Type.String(),
    mongodb: Type.Optional(Type.String({ description: 'Absent if MongoDB does not answer' })),
    redis: Type.Optional(Type.String({ description: 'Absent if Redis does not answer' })),
  }),
  checks: Type.Object(
    { mongodb: Type.Boolean(), redis: Type.Boolean(), jobQueue: Type.Boolean() },
    { description: 'Whether each answers within 2 seconds' },
  ),
  queue: Type.Array(Type.Object({ kind: Type.String(), state: Type.String(), count: Type.Integer() }), {
    description: 'Jobs in the queue: `waiting`, `active` and `delayed`',
  }),
  settings: Type.Array(
    Type.Object({
      name: Type.String({ description: 'Environment variable' }),
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean()]),
      isDefault: Type.Boolean(),
      about: Type.String(),
    }),
  ),
});

/** `GET /service`: the process that answers, its stores, and the limits in force. */
export function serviceRoutes(
  deps: Pick<AdminNeeds, 'config' | 'jobQueue' | 'mongo' | 'redis'>,
): FastifyPluginAsyncTypebox {
  const { config, mongo, redis, jobQueue } = deps;
  return async (app) => {
    app.get(
      '/service',
      {
        onRequest: onInstance('instance.manage'),
        schema: {
          tags: ['service'],
          security,
          operationId: 'getService',
          summary:
            'Read versions, the health of the stores, the depth of the queue, and the settings in force',
          response: { 200: service, ...problems() },
        },
      },
      async () => {
        const [versions, counts, ofMongo, ofRedis, ofQueue] = await Promise.all([
          readVersions({ mongo, redis }),
          jobQueue.counts().catch(() => []),
          answers(mongo.ping()),
          answers(redis.ping()),
          answers(jobQueue.ping()),
        ]);
        return {
          versions,
          checks: { mongodb: ofMongo, redis: ofRedis, jobQueue: ofQueue },
          queue: counts,
          settings: shownSettings.map((name) => toResponse(config, name)),
        };
      },
    );
  };
}

function toResponse(
  config: Pick<Config, (typeof shownSettings)[number]>,
  name: (typeof shownSettings)[number],
) {
  const { env, about, ...setting } = settings[name];
  const value = config[name];
  return { name: env, value, isDefault: 'default' in setting && setting.default === value, about };
}
