import { Resolver } from 'node:dns/promises';

/** What a resolver says of the TXT records of a name. `failed`: it did not answer, or could not find out. */
export type TxtAnswer =
  | { readonly kind: 'found'; readonly texts: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed' };

/** Looks up the TXT records of a name (RFC 1035 section 3.3.14). It never throws. @param name without a dot at its end */
export type LookUpTxt = (name: string) => Promise<TxtAnswer>;

/** The time of the first try, in milliseconds. The resolver doubles it for the second. */
const timeoutMs = 2_000;
const tries = 2;
/** The most records of a name that are read, and the longest one, in characters. */
const mostRecords = 100;
const longestRecord = 1_000;

/** Codes of answers that say that there is no such record (RFC 1035 section 4.1.1, RFC 2308 section 2). */
const absences = ['ENOTFOUND', 'ENODATA'];

/**
 * Makes the look-up. Each call asks one question of the resolver, which must be recursive.
 * @param servers addresses of resolvers, with a port if it is not 53. Empty: those of the system
 */
export function createTxtLookUp(servers: readonly string[]): LookUpTxt {
  return async (name) => {
    // A resolver of its own, so that slow names of one organization do not wait for those of another.
    const resolver = new Resolver({ timeout: timeoutMs, tries });
    if (servers.length > 0) resolver.setServers(servers);
    try {
      const records = await resolver.resolveTxt(name);
      const texts = records.slice(0, mostRecords).map((chunks) => chunks.join(''));
      return { kind: 'found', texts: texts.filter(({ length }) => length <= longestRecord) };
    } catch (error) {
      const { code = '' } = error as { code?: string };
      return { kind: absences.includes(code) ? 'absent' : 'failed' };
    }
  };
}
