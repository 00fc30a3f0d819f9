import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';

const checkTimeoutMs = 2_000;

const readiness = Type.Object({
  ready: Type.Boolean(),
  checks: Type.Record(Type.String(), Type.Boolean()),
});

interface Pinged {
  ping(): Promise<unknown>;
}

interface HealthDeps {
  readonly mongo: Pinged;
  readonly redis: Pinged;
  readonly jobQueue: Pinged;
}

/**
 * `/healthz` answers 200 while the process runs. `/readyz` answers 200 while both stores and the job queue answer and
 * the process is not closing, and 503 otherwise. Neither needs a token, and neither tells more than yes or no.
 */
export function healthRoutes(deps: HealthDeps): FastifyPluginAsync {
  return async (app) => {
    app.get(
      '/healthz',
      {
        config: { probe: true, needsNoStore: true },
        schema: {
          tags: ['service'],
          operationId: 'isAlive',
          summary: 'Whether the process runs',
          description: 'It asks no store. Without an answer, the process must be started again',
          response: { 200: Type.Object({ alive: Type.Boolean() }) },
        },
      },
      () => ({
        alive: true,
      }),
    );

    app.get(
      '/readyz',
      {
        config: { probe: true },
        schema: {
          tags: ['service'],
          operationId: 'isReady',
          summary: 'Whether the process answers requests: its stores answer, and it is not closing',
          description: 'A balancer sends requests only to processes that answer 200',
          response: { 200: readiness, 503: readiness },
        },
      },
      async (_, reply) => {
        const [mongodb, redis, jobQueue] = await Promise.all([
          answers(deps.mongo.ping()),
          answers(deps.redis.ping()),
          answers(deps.jobQueue.ping()),
        ]);
        const checks = { mongodb, redis, jobQueue, accepting: !app.isClosing() };
        const ready = Object.values(checks).every(Boolean);
        return reply.code(ready ? 200 : 503).send({ ready, checks });
      },
    );
  };
}

/** Whether a check succeeds within {@link checkTimeoutMs}. */
export function answers(check: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), checkTimeoutMs);
    check
      .then(
        () => resolve(true),
        () => resolve(false),
      )
      .finally(() => clearTimeout(timer));
  });
}
