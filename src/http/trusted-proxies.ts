import type { Config } from '#src/config.js';

/**
 * How much of X-Forwarded-For is trusted, in the form that Fastify takes: nothing, a number of proxies in
 * front of this process, or the proxies of some networks. Every proxy appends the address that it saw.
 * Counting from the end therefore stops before anything that a client wrote.
 */
export function trustedProxies({
  trustProxy,
}: Pick<Config, 'trustProxy'>): boolean | string | ((address: string, hop: number) => boolean) {
  if (trustProxy === 'false') return false;
  const hops = trustProxy === 'true' ? 1 : Number(trustProxy);
  return Number.isInteger(hops) ? (_address, hop) => hop < hops : trustProxy;
}
