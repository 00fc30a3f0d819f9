import { setTimeout as pause } from 'node:timers/promises';
import { BSON } from 'bson';
import type { Call } from './call.js';
import type { Faults } from './faults.js';
import { encode } from './wire.js';

interface Build {
  readonly namespace: string;
  readonly indexes: readonly BSON.Document[];
  readonly done: Promise<Buffer>;
}

/**
 * Builds of indexes that take time, as on a server with many documents. A build goes on when its client has gone. Lists name its
 * indexes before they are ready. Who asks for them again waits for the build.
 */
export class IndexBuilds {
  readonly #faults: Faults;
  readonly #running = new Set<Build>();

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  /** Runs createIndexes. */
  async build(call: Call, run: () => Promise<Buffer>): Promise<Buffer> {
    const namespace = `${call.db}.${call.target}`;
    const indexes = (BSON.deserialize(call.spec)['indexes'] ?? []) as BSON.Document[];
    const names = new Set(indexes.map(({ name }) => name));
    const same = [...this.#running].filter(
      (one) => one.namespace === namespace && one.indexes.some(({ name }) => names.has(name)),
    );
    await Promise.all(same.map(({ done }) => done));
    const { indexBuildMs } = this.#faults;
    if (indexBuildMs === 0 || same.length > 0) return run();
    const build = { namespace, indexes, done: pause(indexBuildMs).then(run) };
    this.#running.add(build);
    try {
      return await build.done;
    } finally {
      this.#running.delete(build);
    }
  }

  /** The reply to listIndexes, with the indexes of unfinished builds. */
  listed(call: Call, page: Buffer): Buffer {
    const namespace = `${call.db}.${call.target}`;
    const building = [...this.#running].filter((one) => one.namespace === namespace);
    if (building.length === 0) return page;
    const reply = BSON.deserialize(page, { promoteValues: false });
    const listed = reply['cursor']['firstBatch'] as BSON.Document[];
    listed.push(...building.flatMap(({ indexes }) => indexes));
    return encode(reply);
  }
}
