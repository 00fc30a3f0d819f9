import type { FastifyPluginAsync } from 'fastify';
import Type from 'typebox';
import type { Container } from '#src/container.js';

const checkTimeoutMs = 2_000;

const readiness = Type.Object({
  ready: Type.Boolean(),
  checks: Type.Record(Type.String(), Type.Boolean()),
});

/**
 * `/healthz`: the process runs. `/readyz`: it can serve, because both stores and the job queue answer and it is
 * not closing.
 * Neither needs a token; neither tells more than yes or no.
 */
export function healthRoutes(
  container: Pick<Container, 'mongo' | 'redis' | 'jobQueue'>,
  { isClosing }: { isClosing: () => boolean },
): FastifyPluginAsync {
  return async (app) => {
    app.get(
      '/healthz',
      {
        config: { probe: true },
        schema: { tags: ['health'], response: { 200: Type.Object({ alive: Type.Boolean() }) } },
      },
      () => ({
        alive: true,
      }),
    );

    app.get(
      '/readyz',
      { config: { probe: true }, schema: { tags: ['health'], response: { 200: readiness, 503: readiness } } },
      async (_, reply) => {
        const [mongodb, redis, jobQueue] = await Promise.all([
          answers(container.mongo.ping()),
          answers(container.redis.ping()),
          answers(container.jobQueue.ping()),
        ]);
        const accepting = !isClosing();
        const ready = mongodb && redis && jobQueue && accepting;
        const checks = { mongodb, redis, jobQueue, accepting };
        return reply.code(ready ? 200 : 503).send({ ready, checks });
      },
    );
  };
}

/** Whether a check succeeds in time. */
function answers(check: Promise<unknown>): Promise<boolean> {
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
