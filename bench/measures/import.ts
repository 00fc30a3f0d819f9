import { addOrganization } from '#src/organizations/add-organization.js';
import { encodeServiceAccount } from '../../dev/storage/service-account.js';
import { type StorageServer, startStorageServer } from '../../dev/storage/storage-server.js';
import type { Pace } from '../compare.js';
import type { Cost } from '../growth.js';
import { median } from '../load.js';
import { startApi, startWorker } from '../programs.js';
import { compared, judged, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { peaksDuring } from './export.js';
import { importBody, nextWord, organizationsOf, perSecond, post, type Run } from './import-requests.js';

/** Sizes of the imports. */
export interface ImportSizes {
  readonly small: number;
  readonly large: number;
  /** Other sizes, for the table of costs. */
  readonly others: readonly number[];
}

/** The number of users per call of the peer. A part of an import has the same number. */
const together = 500;
/** The file that takes five minutes elsewhere, and the number of seconds that it may take here. */
const usualFile = { users: 5_000, seconds: 2 };
const bucket = 'bench';

/**
 * Users per second of an import of users with hashes (API and one worker), from the body and from a bucket. The peer is
 * a bare `insertMany` of the same documents into the same collection. Also measured:
 * - the rate with a second worker;
 * - the rate and the peak memory of both processes for a large import, compared with a small one.
 */
export async function measureImport(
  setting: Setting,
  { sizes, pace, costs }: { sizes: ImportSizes; pace: Pace; costs: Cost[] },
): Promise<Row[]> {
  const ends: (() => void)[] = [];
  const storage = await startStorageServer({ teardown: (end) => void ends.push(end as () => void) }, [
    bucket,
  ]);
  const env = { ...setting.env, STORAGE_EMULATOR_HOST: storage.endpoint };
  const processes = [await startApi({ ...setting, env }), await startWorker({ ...setting, env })];
  try {
    const run: Run = {
      setting,
      organization: await addOrganization(setting.container, { name: 'Import', editor }),
    };
    let small: SmallImports = { rates: [], seconds: [] };
    const smallPeaks = await peaksDuring(processes, async () => {
      small = await importSmall(run, storage, { size: sizes.small, rounds: pace.rounds });
    });
    const second = await startWorker({ ...setting, env });
    const two = await importRates(run, sizes.small, pace.rounds);
    await second.stop();
    let large = Number.NaN;
    const largePeaks = await peaksDuring(processes, async () => {
      large = await perSecond(sizes.large, () => importBody(run, sizes.large));
    });
    const tell = (users: number, rate: number) =>
      costs.push({ what: 'import, µs of one user', users, cost: 1_000_000 / rate });
    for (const size of sizes.others)
      tell(size, median(await importRates(run, size, size > sizes.small ? 1 : pace.rounds)));
    tell(sizes.large, large);
    return [
      ...rowsOfSmall(sizes.small, small),
      ...rowsOfMore(sizes, { one: median(small.rates.map(({ body }) => body)), two: median(two), large }),
      ...processes.map(({ name }, index) => {
        const [before = Number.NaN, after = Number.NaN] = [smallPeaks[index], largePeaks[index]];
        const row = {
          measure: `memory of the ${name} at its peak, import of ${at(sizes.large)}`,
          ours: `${Math.round(after)} MiB`,
          peer: `of ${at(sizes.small)}: ${Math.round(before)} MiB`,
        };
        return judged(row, after / before, { atMost: 1.3 });
      }),
    ];
  } finally {
    for (const running of processes.reverse()) await running.stop();
    for (const end of ends) end();
  }
}

/** What the rounds of small imports measured. */
interface SmallImports {
  /** Users per second: from the body, from a bucket, and by the bare write. */
  readonly rates: { readonly body: number; readonly object: number; readonly peer: number }[];
  /** The time of {@link usualFile}. */
  readonly seconds: number[];
}

async function importSmall(
  run: Run,
  storage: Pick<StorageServer, 'put'>,
  { size, rounds }: { size: number; rounds: number },
): Promise<SmallImports> {
  const measured: SmallImports = { rates: [], seconds: [] };
  await importBody(run, size);
  for (let round = 0; round < rounds; round++) {
    const body = await perSecond(size, () => importBody(run, size));
    const write = await preparePeer(run, size);
    const peer = await perSecond(size, write);
    storage.put(`${bucket}/import.json`, await writeObject(run, size));
    measured.rates.push({ body, peer, object: await perSecond(size, () => importObject(run, size)) });
    measured.seconds.push(
      usualFile.users / (await perSecond(usualFile.users, () => importBody(run, usualFile.users))),
    );
  }
  return measured;
}

/** Users per second of each of several imports of this size. */
async function importRates(run: Run, size: number, rounds: number): Promise<number[]> {
  const measured: number[] = [];
  for (let round = 0; round < rounds; round++) {
    measured.push(await perSecond(size, () => importBody(run, size)));
  }
  return measured;
}

function rowsOfSmall(size: number, { rates, seconds }: SmallImports): Row[] {
  const bare = `bare insertMany: ${rate(median(rates.map(({ peer }) => peer)), 'users/s')}`;
  const speed = (from: 'body' | 'object') =>
    judged(
      {
        measure: `import of ${at(size)} from ${from === 'body' ? 'the body' : 'a bucket'}`,
        ours: rate(median(rates.map((round) => round[from])), 'users/s'),
        peer: bare,
      },
      median(rates.map((round) => round[from] / round.peer)),
      { atLeast: 0.8 },
    );
  const usual = median(seconds);
  return [
    speed('body'),
    speed('object'),
    {
      measure: `import of ${at(usualFile.users)} in one request`,
      ours: `${usual.toFixed(2)} s`,
      peer: 'hosted services: 300 s',
      ratio: '',
      asked: `< ${usualFile.seconds} s`,
      met: usual < usualFile.seconds ? 'yes' : 'NO',
    },
  ];
}

/** @param rates users per second: of a small import by one worker and by two, and of the large one */
function rowsOfMore(
  sizes: ImportSizes,
  rates: { readonly one: number; readonly two: number; readonly large: number },
): Row[] {
  return [
    judged(
      {
        measure: `import of ${at(sizes.small)} by two workers (asked where two cores are free)`,
        ours: rate(rates.two, 'users/s'),
        peer: `by one: ${rate(rates.one, 'users/s')}`,
      },
      rates.two / rates.one,
      { atLeast: 1.6 },
    ),
    compared(
      {
        measure: `rate of an import of ${at(sizes.large)}`,
        ours: rate(rates.large, 'users/s'),
        peer: `of ${at(sizes.small)}: ${rate(rates.one, 'users/s')}`,
      },
      rates.large / rates.one,
    ),
  ];
}

function at(size: number): string {
  return `${size.toLocaleString('en')} users`;
}

/** The text of another import, for a bucket. */
async function writeObject({ organization }: Run, size: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of organizationsOf(organization.id, size, nextWord()))
    pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

async function importObject(run: Run, size: number): Promise<void> {
  const object = { bucket, path: 'import.json', serviceaccount_json: encodeServiceAccount() };
  const pieces = [JSON.stringify({ timeout: '5h', data_orgs_gcs: object })];
  await post(run, { to: 'import', pieces, expected: `"created":${size},` });
}

/** The documents of the last import under other names, and the bare write of them. */
async function preparePeer({ setting: { container }, organization: { id } }: Run, size: number) {
  const users = container.mongo.collection<{ _id: string; orgId: string }>('users');
  const found = await users.find({ orgId: id }).sort({ _id: -1 }).limit(size).toArray();
  const word = nextWord();
  const orgId = `${id}-${word}`;
  const documents = found.map((document) => ({ ...document, _id: `bare-${word}-${document._id}`, orgId }));
  return async () => {
    for (let first = 0; first < size; first += together) {
      await users.insertMany(documents.slice(first, first + together), { ordered: false });
    }
  };
}
