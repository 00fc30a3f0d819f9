import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { openStage } from '../../dev/stage/stage.js';
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

t.test('an import outlives the end of its worker and the death of its stores', { timeout }, async (t) => {
  const stage = await openStage(t, { ownStores: true });
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  const scene = { stage, api };
  let worker = await stage.startWorker();

  await t.test('SIGTERM of a worker: another one does the rest', (t) =>
    strikeInTheMiddle(t, scene, {
      word: 'term',
      strike: async () => {
        worker.signal('SIGTERM');
        t.equal(await worker.exitCode, 0);
      },
      mend: async () => {
        worker = await stage.startWorker();
      },
    }),
  );

  await t.test('kill -9 of a worker during a list of groups', (t) =>
    strikeInTheMiddle(t, scene, {
      word: 'group',
      list: ofGroups,
      strike: () => worker.crash(),
      mend: async () => {
        worker = await stage.startWorker();
      },
    }),
  );

  await t.test('kill -9 of a worker during service users, their roles and their metadata', (t) =>
    strikeInTheMiddle(t, scene, {
      word: 'robot',
      list: ofServiceUsers,
      strike: () => worker.crash(),
      mend: async () => {
        worker = await stage.startWorker();
      },
    }),
  );

  for (const [store, names] of [
    ['Redis', ['redis-server']],
    ['MongoDB', stage.storeProcesses.filter((name) => name !== 'redis-server')],
  ] as const) {
    await t.test(`kill -9 of ${store}`, async (t) => {
      if (!names.every((name) => stage.storeProcesses.includes(name)) || names.length === 0) {
        notRun(t, `${store} is no process of ours`);
        return;
      }
      await strikeInTheMiddle(t, scene, {
        word: store.toLowerCase(),
        strike: () => stage.crashStore(...names),
        mend: () => stage.restoreStores({ emptyRedis: store === 'Redis' }),
      });
    });
  }
});

t.test(
  'an import outlives the death of Redis while an object of a bucket is read',
  { timeout },
  async (t) => {
    const certificate = await makeCertificate(t);
    if (certificate === undefined) return;
    const { front, put, at } = await startS3(t, certificate);
    const stage = await openStage(t, {
      ownStores: true,
      settings: { MUSTER_BUCKET_HOSTS: front.host, NODE_EXTRA_CA_CERTS: certificate.certFile },
    });
    if (stage === undefined) return;
    if (!stage.storeProcesses.includes('redis-server')) return notRun(t, 'Redis is no process of ours');
    stage.keepSecret(bcryptHash);
    const api = await stage.startApi();
    await stage.startWorker();
    const word = 'read';
    await put(word, faultImport(stage, word));
    let release = () => {};
    const struck = new Promise<void>((resolve) => {
      release = resolve;
    });
    front.fail({ method: 'GET', stallAfter: 100_000, until: struck });
    const id = await beginWith(api, { timeout: '1h', dataOrgsS3: at(word) });
    await until(() => front.requests.some((request) => request.startsWith('GET')));
    await stage.crashStore('redis-server');
    release();
    await stage.restoreStores({ emptyRedis: true });
    await expectImportedOnce(t, { stage, api }, { word, id });
  },
);

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

  /** Each source first refuses, and then breaks off. They return the property of the request. */
  const sources: Record<string, (word: string) => Promise<object>> = {
    async Google(word) {
      google.put(`moves/${word}`, faultImport(stage, word));
      google.fail({ on: 'download', status: 503 }, { on: 'download', cutAfter: 100_000 });
      return { dataOrgsGcs: { bucket: 'moves', path: word, serviceaccountJson: encodeServiceAccount() } };
    },
    async https(word) {
      const text = faultImport(stage, word);
      let asked = 0;
      host.respond = (_request, response) => {
        asked++;
        if (asked === 1) response.writeHead(503).end();
        else if (asked > 2) response.end(text);
        else response.write(text.slice(0, 100_000), () => setImmediate(() => response.destroy()));
      };
      return { dataOrgsHttps: { url: host.url } };
    },
  };
  for (const { name, front, put, at } of clouds) {
    sources[name] = async (word) => {
      await put(word, faultImport(stage, word));
      front.fail({ instead: (to) => to.writeHead(503).end() }, { cutAfter: 100_000 });
      return { [`dataOrgs${name}`]: at(word) };
    };
  }

  for (const [name, prepare] of Object.entries(sources)) {
    await t.test(`kill -9 of a worker: another one does the rest of an import from ${name}`, (t) =>
      strikeInTheMiddle(
        t,
        { stage, api },
        {
          word: name.toLowerCase(),
          begin: async (word) => beginWith(api, { timeout: '1h', ...(await prepare(word)) }),
          strike: () => worker.crash(),
          mend: async () => {
            worker = await stage.startWorker();
          },
        },
      ),
    );
  }
});
