import { addOrganization } from '#src/directory/add-organization.js';
import type { Organization } from '#src/directory/organization.js';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { startApi, startWorker } from '../programs.js';
import { judged, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { peaksDuring } from './export.js';

/** Sizes of the two imports. */
export interface ImportSizes {
  readonly small: number;
  readonly large: number;
}

/** Users that the peer writes in one call, as a part of an import has. */
const together = 500;
/** Users of one piece of a body. */
const piece = 200;

let imports = 0;

/**
 * Users per second of an import of users with hashes (API and one worker) beside a bare `insertMany` of the same
 * documents into the same collection, and the peak memory of both processes for a large import beside that for a small
 * one.
 */
export async function measureImport(
  setting: Setting,
  { sizes, pace }: { sizes: ImportSizes; pace: Pace },
): Promise<Row[]> {
  const organization = await addOrganization(setting.container, { name: 'Import', editor });
  const processes = [await startApi(setting), await startWorker(setting)];
  try {
    const rates: { ours: number; peer: number }[] = [];
    const smallPeaks = await peaksDuring(processes, async () => {
      await importOnce(setting, organization, sizes.small);
      for (let round = 0; round < pace.rounds; round++) {
        const ours = await perSecond(sizes.small, () => importOnce(setting, organization, sizes.small));
        const write = await preparePeer(setting, organization, sizes.small);
        rates.push({ ours, peer: await perSecond(sizes.small, write) });
      }
    });
    const largePeaks = await peaksDuring(processes, () => importOnce(setting, organization, sizes.large));
    const at = (size: number) => `${size.toLocaleString('en')} users`;
    const speed = {
      measure: `import of ${at(sizes.small)}`,
      ours: rate(median(rates.map(({ ours }) => ours)), 'users/s'),
      peer: `bare insertMany: ${rate(median(rates.map(({ peer }) => peer)), 'users/s')}`,
    };
    return [
      judged(speed, median(rates.map(({ ours, peer }) => ours / peer)), { atLeast: 0.5 }),
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
  }
}

async function importOnce({ baseUrl, client }: Setting, { id }: Organization, size: number): Promise<void> {
  imports += 1;
  const answer = await fetch(`${baseUrl}/admin/v1/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.personalAccessToken}`, 'content-type': 'application/json' },
    body: ReadableStream.from(bodyOf(id, size, imports)).pipeThrough(new TextEncoderStream()),
    duplex: 'half',
  });
  if (answer.body === null) throw new Error('The import has no answer');
  let end = '';
  const text = answer.body.pipeThrough(new TextDecoderStream());
  for await (const chunk of text) end = (end + chunk).slice(-500);
  if (!end.includes(`"created":${size},`)) throw new Error(`The import answers ${answer.status}: ${end}`);
}

/** A body in pieces: it is never whole on this side either. */
async function* bodyOf(orgId: string, size: number, number: number): AsyncGenerator<string> {
  yield `{"timeout":"5h","dataOrgs":{"orgs":[{"orgId":${JSON.stringify(orgId)},"humanUsers":[`;
  for (let first = 0; first < size; first += piece) {
    const users = Array.from({ length: Math.min(piece, size - first) }, (_, index) =>
      JSON.stringify(person(`${number}-${first + index}`)),
    );
    yield `${first === 0 ? '' : ','}${users.join(',')}`;
  }
  yield ']}]}}';
}

function person(word: string) {
  return {
    userId: `import-${word}`,
    user: {
      userName: `person-${word}`,
      profile: { firstName: 'Given', lastName: `Family ${word}`, displayName: `Given Family ${word}` },
      email: { email: `person-${word}@example.com`, isEmailVerified: true },
      hashedPassword: { value: '$2b$12$hFFF7RyifKx4QcK9L0Bk2.BFeTNZng0gIcIMrRdDwgu7Rip.nE3GS' },
    },
  };
}

/** The documents of the last import under other names, and the bare way to write them. */
async function preparePeer({ container }: Setting, { id }: Organization, size: number) {
  const users = container.mongo.collection<{ _id: string; orgId: string }>('users');
  const found = await users.find({ orgId: id }).sort({ _id: -1 }).limit(size).toArray();
  const orgId = `${id}-${imports}`;
  const documents = found.map((document) => ({ ...document, _id: `bare-${imports}-${document._id}`, orgId }));
  return async () => {
    for (let first = 0; first < size; first += together) {
      await users.insertMany(documents.slice(first, first + together), { ordered: false });
    }
  };
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return count / ((performance.now() - started) / 1000);
}
