import type { Kind, ServiceRecord, Started } from './record.js';

/** One way to get a service. It gives null where it does not apply, and throws where it should have worked. */
export interface Source {
  kind: Kind;
  /** What `up` prints as the path that served. */
  via: string;
  /** What to do for this path to serve, as the last sentence tells it. */
  choice: string;
  /** A failure here ends the search, since the caller asked for exactly this. */
  binding?: boolean;
  start(): Promise<Started | null>;
}

/** No path served; the message is one sentence with the choices. */
export class NothingServes extends Error {}

const NAMES: Record<Kind, string> = { mongodb: 'MongoDB', redis: 'Redis' };

/** Takes the first source that serves, in the order given. */
export async function findService(
  kind: Kind,
  sources: readonly Source[],
  log: (message: string) => void,
): Promise<ServiceRecord> {
  const mine = sources.filter((source) => source.kind === kind);
  for (const source of mine) {
    try {
      const found = await source.start();
      if (found !== null) {
        return { ...found, via: source.via };
      }
    } catch (error) {
      if (source.binding) {
        throw error;
      }
      log(`${NAMES[kind]} by ${source.via} did not work: ${(error as Error).message}`);
    }
  }
  throw new NothingServes(
    `No ${NAMES[kind]} is to be had here: ${mine.map((source) => source.choice).join(', or ')}.`,
  );
}
