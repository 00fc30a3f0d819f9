import type { Config } from '#src/config.js';

/**
 * Which part of X-Forwarded-For is believed, as Fastify takes it: nothing, as many proxies as stand in front of this
 * process, or the proxies of some networks. Every proxy appends the address that it saw, so that counting from the end
 * stops before whatever a client wrote itself.
 */
export function trustedProxies({
  trustProxy,
}: Pick<Config, 'trustProxy'>): boolean | string | ((address: string, hop: number) => boolean) {
  if (trustProxy === 'false') return false;
  const hops = trustProxy === 'true' ? 1 : Number(trustProxy);
  return Number.isInteger(hops) ? (_address, hop) => hop < hops : trustProxy;
}
