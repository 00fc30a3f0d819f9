import { upserted } from './duplicate-key.js';
import type { Mongo } from './mongo.js';
import type { Upgrade } from './upgrade-documents.js';

interface UpgradeRecord {
  _id: string;
  position?: string;
  started: Date;
  finished?: Date;
}

interface RunUpgradesOptions {
  /** Runs finished upgrades again, because processes of the earlier version may have written in between. */
  readonly again?: boolean;
  readonly now: () => Date;
  readonly log: (message: string) => void;
}

/**
 * Runs the upgrades that are not finished, in order and in batches. An interrupted upgrade continues where it
 * stopped. Two processes may run the same upgrade at once.
 */
export async function runUpgrades(
  mongo: Mongo,
  upgrades: readonly Upgrade[],
  { again = false, now, log }: RunUpgradesOptions,
): Promise<void> {
  const records = mongo.collection<UpgradeRecord>('upgrades');
  for (const { name, next } of upgrades) {
    const record = await records.findOne({ _id: name });
    if (record?.finished !== undefined && !again) continue;
    if (record === null) {
      const begun = { $setOnInsert: { started: now() } };
      await upserted(() => records.updateOne({ _id: name }, begun, { upsert: true }));
    }
    log(`${name}: begins${record?.position === undefined ? '' : ' where it was interrupted'}`);
    let batches = 0;
    let position = record?.position;
    let isSomethingLeft: boolean;
    do {
      // Documents may be left before the position where the upgrade was interrupted, and wherever other
      // processes wrote in between.
      isSomethingLeft = position !== undefined;
      for (let step = await next(position); step !== undefined; step = await next(step.position)) {
        await records.updateOne({ _id: name }, { $set: { position: step.position } });
        isSomethingLeft ||= step.changed;
        batches++;
      }
      position = undefined;
    } while (isSomethingLeft);
    await records.updateOne({ _id: name }, { $set: { finished: now() }, $unset: { position: '' } });
    log(`${name}: done, ${batches} batches`);
  }
}
