import t, { type Test } from 'tap';
import { notRun } from '../../dev/not-run.js';
import { openStage, type Stage } from '../../dev/stage/stage.js';
import { encodeServiceAccount } from '../../dev/storage/service-account.js';
import { startStorageServer } from '../../dev/storage/storage-server.js';
import { until } from '../../dev/until.js';
import {
  beginWith,
  expectImportedOnce,
  faultImport,
  faultUsers,
  ofGroups,
  ofServiceUsers,
  strikeInTheMiddle,
} from '../support/migration/fault-import.js';
import { bcryptHash } from '../support/migration/imports.js';
import { makeCertificate } from '../support/network/certificate.js';
import { startHookServer } from '../support/network/hook-server.js';
import { startAzure, startS3 } from '../support/storage/clouds.js';

const timeout = 400_000 + faultUsers * 150;
/** So many bytes of an object arrive before a fault. */
const firstBytes = 100_000;

/** The stores, and those of their processes that are ours to kill. */
function storesOf({ storeProcesses }: Stage): [store: string, names: string[]][] {
  const isRedis = (name: string) => name === 'redis-server';
  return [
    ['Redis', storeProcesses.filter(isRedis)],
    ['MongoDB', storeProcesses.filter((name) => !isRedis(name))],
  ];
}

t.test('an import outlives the end of its worker and the death of its stores', { timeout }, async (t) => {
  const stage = await openStage(t, { ownStores: true });
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  const scene = { stage, api };
  let worker = await stage.startWorker();
  const startWorker = async () => {
    worker = await stage.startWorker();
  };

  await t.test('SIGTERM of a worker: another one does the rest', (t) =>
    strikeInTheMiddle(t, scene, {
      word: 'term',
      worker: () => worker,
      strike: async () => {
        worker.signal('SIGTERM');
        worker.signal('SIGCONT');
        t.equal(await worker.exitCode, 0);
      },
      mend: startWorker,
    }),
  );

  for (const [word, records] of Object.entries({ groups: ofGroups, ...ofServiceUsers })) {
    await t.test(`kill -9 of a worker during a list of ${word}`, (t) =>
      strikeInTheMiddle(t, scene, {
        word,
        records,
        worker: () => worker,
        strike: () => worker.crash(),
        mend: startWorker,
      }),
    );
  }

  for (const [store, names] of storesOf(stage)) {
    await t.test(`kill -9 of ${store}`, async (t) => {
      if (names.length === 0) return notRun(t, `${store} is no process of ours`);
      await strikeInTheMiddle(t, scene, {
        word: store.toLowerCase(),
        worker: () => worker,
        strike: () => stage.crashStore(...names),
        mend: () => stage.restoreStores({ emptyRedis: store === 'Redis' }),
      });
    });
  }
});

t.test('an import outlives a fault while an object of a bucket is read', { timeout }, async (t) => {
  const certificate = await makeCertificate(t);
  if (certificate === undefined) return;
  const { front, put, at } = await startS3(t, certificate);
  const stage = await openStage(t, {
    ownStores: true,
    settings: { MUSTER_BUCKET_HOSTS: front.host, NODE_EXTRA_CA_CERTS: certificate.certFile },
  });
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  let worker = await stage.startWorker();

  /** Strikes when the first bytes are sent. The rest is sent after it, and before what was struck is there again. */
  const strikeInARead = async (
    t: Test,
    word: string,
    { strike, mend }: { strike: () => Promise<void>; mend: () => Promise<void> },
  ) => {
    const content = faultImport(stage, word);
    t.ok(Buffer.byteLength(content) > 2 * firstBytes, 'more of the object is to come');
    await put(word, content);
    let release = () => {};
    const struck = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isHalfRead = false;
    const stalled = () => {
      isHalfRead = true;
    };
    front.reset();
    front.fail({ method: 'GET', stallAfter: firstBytes, stalled, until: struck });
    const id = await beginWith(api, { timeout: '1h', dataOrgsS3: at(word) });
    await until(() => isHalfRead);
    await strike();
    release();
    await mend();
    await expectImportedOnce(t, { stage, api }, { word, id });
  };

  await t.test('kill -9 of the worker that reads it', (t) =>
    strikeInARead(t, 'reader', {
      strike: () => worker.crash(),
      mend: async () => {
        worker = await stage.startWorker();
      },
    }),
  );

  for (const [store, names] of storesOf(stage)) {
    await t.test(`kill -9 of ${store}`, async (t) => {
      if (names.length === 0) return notRun(t, `${store} is no process of ours`);
      await strikeInARead(t, store.toLowerCase(), {
        strike: () => stage.crashStore(...names),
        mend: () => stage.restoreStores({ emptyRedis: store === 'Redis' }),
      });
    });
  }
});

t.test('an import from elsewhere outlives the end of its worker', { timeout }, async (t) => {
  const certificate = await makeCertificate(t);
  if (certificate === undefined) return;
  const clouds = [await startS3(t, certificate), await startAzure(t, certificate)];
  const google = await startStorageServer(t, ['moves']);
  const host = await startHookServer(t, certificate);
  const stage = await openStage(t, {
    settings: {
      MUSTER_BUCKET_HOSTS: clouds.map(({ front }) => front.host).join(),
      MUSTER_IMPORT_HOSTS: new URL(host.url).host,
      NODE_EXTRA_CA_CERTS: certificate.certFile,
      STORAGE_EMULATOR_HOST: google.endpoint,
    },
  });
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  let worker = await stage.startWorker();

  interface Source {
    /** The property of the request. */
    readonly from: object;
    /** The number of faults that have not happened. */
    readonly pending: () => number;
  }

  /** Each source first refuses, and then breaks off. */
  const sources: Record<string, (word: string) => Promise<Source>> = {
    async Google(word) {
      google.put(`moves/${word}`, faultImport(stage, word));
      google.fail({ on: 'download', status: 503 }, { on: 'download', cutAfter: firstBytes });
      const dataOrgsGcs = { bucket: 'moves', path: word, serviceaccountJson: encodeServiceAccount() };
      return { from: { dataOrgsGcs }, pending: google.pending };
    },
    async https(word) {
      const text = faultImport(stage, word);
      let asked = 0;
      host.respond = (_request, response) => {
        asked++;
        if (asked === 1) response.writeHead(503).end();
        else if (asked > 2) response.end(text);
        else response.write(text.slice(0, firstBytes), () => setImmediate(() => response.destroy()));
      };
      return { from: { dataOrgsHttps: { url: host.url } }, pending: () => Math.max(0, 2 - asked) };
    },
  };
  for (const { name, front, put, at } of clouds) {
    sources[name] = async (word) => {
      await put(word, faultImport(stage, word));
      front.fail({ instead: (to) => to.writeHead(503).end() }, { cutAfter: firstBytes });
      return { from: { [`dataOrgs${name}`]: at(word) }, pending: front.pending };
    };
  }

  for (const [name, prepare] of Object.entries(sources)) {
    await t.test(`kill -9 of a worker: another one does the rest of an import from ${name}`, (t) => {
      let pending = () => Number.NaN;
      return strikeInTheMiddle(
        t,
        { stage, api },
        {
          word: name.toLowerCase(),
          begin: async (word) => {
            const source = await prepare(word);
            pending = source.pending;
            return beginWith(api, { timeout: '1h', ...source.from });
          },
          worker: () => worker,
          strike: async () => {
            t.equal(pending(), 0, 'the source has refused and broken off');
            await worker.crash();
          },
          mend: async () => {
            worker = await stage.startWorker();
          },
        },
      );
    });
  }
});
