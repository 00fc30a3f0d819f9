import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#src/config.js';

/**
 * A cookie that only this very host can set. With https its name begins with `__Host-`, so browsers refuse it from another host of the
 * same domain (RFC 6265bis section 4.1.3.2).
 */
export interface HostCookie {
  /** The value. Undefined if the browser sends no such cookie, or two: then one of them is not ours. */
  read(request: FastifyRequest): string | undefined;
  /** Sets the cookie with the response, instead of one of the same name. @param maxAge in seconds; 0 removes it */
  write(reply: FastifyReply, value: string, maxAge: number): void;
}

/** @param name without its prefix */
export function hostCookie({ baseUrl }: Pick<Config, 'baseUrl'>, name: string): HostCookie {
  const isHttps = baseUrl.startsWith('https:');
  const fullName = isHttps ? `__Host-${name}` : name;
  return {
    read: (request) => cookieValue(request.headers.cookie ?? '', fullName),
    write(reply, value, maxAge) {
      const line = `${fullName}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${isHttps ? '; Secure' : ''}`;
      const others = [reply.getHeader('set-cookie') ?? []].flat().map(String);
      reply.removeHeader('set-cookie');
      reply.header('set-cookie', [...others.filter((other) => !other.startsWith(`${fullName}=`)), line]);
    },
  };
}

/**
 * The value of a cookie in a header `Cookie`. Only spaces and tabs may stand before a name. JavaScript's own trimming removes further
 * bytes, such as 0xA0, and another host of the domain can set a cookie whose name begins with such a byte and goes on with `__Host-`.
 */
function cookieValue(header: string, name: string): string | undefined {
  const values = header.split(';').flatMap((pair) => {
    const equals = pair.indexOf('=');
    return equals >= 0 && pair.slice(0, equals).replace(/^[ \t]+/, '') === name
      ? [pair.slice(equals + 1)]
      : [];
  });
  return values.length === 1 ? values[0] : undefined;
}
