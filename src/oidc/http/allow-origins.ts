import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Cache } from '#src/platform/redis/cache.js';

interface AllowOriginsDeps {
  readonly caches: {
    /** Whether an active application has a redirect URI of this origin. Undefined if too many origins are looked up. */
    readonly origins: Pick<Cache<boolean | undefined>, 'get'>;
  };
}

/** How long a browser may cache the answer to a preflight request, in seconds. */
const preflightSeconds = 86_400;

/** The longest time for finding out whether an origin is registered, in milliseconds. After it, it counts as unknown. */
const lookUpMs = 500;

/** What a page may always send: credentials, forms, and what tracing and older libraries add (W3C Trace Context, Baggage). */
const usualHeaders = [
  'authorization',
  'content-type',
  'traceparent',
  'tracestate',
  'baggage',
  'x-requested-with',
];

/**
 * The names of headers that a preflight asks for (Fetch section 4.8): tokens (RFC 9110 section 5.6.2) with commas. At most 2,000
 * characters, because the answer repeats them.
 */
const askedHeaders = /^[\w!#$%&'*+.^`|~, \t-]{1,2000}$/;

/** What a page may read of a response beside its body. */
const exposedHeaders = 'www-authenticate, retry-after, x-error-id';

/** A serialized http or https origin (RFC 6454 section 6.2). */
const originForm = /^https?:\/\/[\w.:[\]-]{1,300}$/;

/**
 * Lets pages of every origin call the endpoints of this scope, for applications that run in a browser (Fetch section 3.2). An
 * origin that an application has registered is reflected, and may send credentials: some libraries always ask for them, and
 * browsers then refuse `*`. A page may send every header that its preflight asks for: libraries for tracing and SDKs add headers of
 * their own, and these endpoints read none of them. Use it only for endpoints that read no cookie. Call it before the routes are added.
 */
export function allowOrigins(scope: FastifyInstance, { caches }: AllowOriginsDeps): void {
  scope.addHook('onRequest', ({ headers: { origin } }, reply, done) => {
    reply.header('vary', 'Origin').header('access-control-expose-headers', exposedHeaders);
    if (origin === undefined || !originForm.test(origin)) {
      allow(reply, '*');
      return done();
    }
    const answer = (isRegistered: boolean | undefined) => {
      if (isAnswered) return;
      isAnswered = true;
      clearTimeout(late);
      allow(reply, isRegistered ? origin : '*');
      done();
    };
    let isAnswered = false;
    // The key set and discovery come from memory. They do not wait for a store that is away, or elects its primary.
    const late = setTimeout(answer, lookUpMs, false);
    // The request itself reports that the store is away.
    caches.origins.get(origin).then(answer, () => answer(false));
  });
  const asked = new Set<string>();
  scope.addHook('onRoute', ({ url, method }) => {
    if (method === 'OPTIONS' || asked.has(url)) return;
    asked.add(url);
    scope.options(url, { schema: { hide: true } }, ({ headers }, reply) =>
      reply
        .code(204)
        .header('vary', 'Origin, Access-Control-Request-Headers')
        .header('access-control-allow-methods', 'GET, POST')
        .header('access-control-allow-headers', allowedHeaders(headers['access-control-request-headers']))
        .header('access-control-max-age', String(preflightSeconds))
        .send(),
    );
  });
}

/** The headers that a page may send: the usual ones, and those that its preflight asks for. */
function allowedHeaders(asked = ''): string {
  const names = askedHeaders.test(asked) ? asked.split(',').map((name) => name.trim().toLowerCase()) : [];
  return [...new Set([...usualHeaders, ...names])].filter((name) => name !== '').join(', ');
}

function allow(reply: FastifyReply, origin: string): void {
  reply.header('access-control-allow-origin', origin);
  if (origin !== '*') reply.header('access-control-allow-credentials', 'true');
}
