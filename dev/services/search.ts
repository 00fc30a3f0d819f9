import type { Kind, ServiceRecord, Started } from './record.js';

/** One way to get a service. It returns null if it does not apply here, and throws if it should have worked. */
export interface Source {
  kind: Kind;
  /** The name of this way, as `up` prints it. */
  via: string;
  /** What the developer can do to make this way work. The last sentence of the error lists these choices. */
  choice: string;
  /** A failure here ends the search, because the caller asked for exactly this way. */
  binding?: boolean;
  start(): Promise<Started | null>;
}

/** No way worked. The message is one sentence with the choices. */
export class NothingServes extends Error {}

const NAMES: Record<Kind, string> = { mongodb: 'MongoDB', redis: 'Redis' };

/** Takes the first source that works, in the given order. */
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
