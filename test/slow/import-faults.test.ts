import t from 'tap';
import { notRun } from '../../dev/not-run.js';
import { openStage } from '../../dev/stage/stage.js';
import { faultImport, faultUsers, strikeInTheMiddle } from '../support/migration/fault-import.js';
import { bcryptHash } from '../support/migration/imports.js';
import { makeCertificate } from '../support/network/certificate.js';
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

t.test('an import from a bucket outlives the end of its worker', { timeout }, async (t) => {
  const certificate = await makeCertificate(t);
  if (certificate === undefined) return;
  const clouds = [await startS3(t, certificate), await startAzure(t, certificate)];
  const hosts = clouds.map(({ front }) => front.host).join();
  const settings = { MUSTER_BUCKET_HOSTS: hosts, NODE_EXTRA_CA_CERTS: certificate.certFile };
  const stage = await openStage(t, { settings });
  if (stage === undefined) return;
  stage.keepSecret(bcryptHash);
  const api = await stage.startApi();
  let worker = await stage.startWorker();

  for (const { name, front, put, at } of clouds) {
    await t.test(`kill -9 of a worker: another one does the rest of an import from ${name}`, async (t) => {
      await strikeInTheMiddle(
        t,
        { stage, api },
        {
          word: name.toLowerCase(),
          begin: async (word) => {
            await put(word, faultImport(stage, word));
            front.fail({ instead: (to) => to.writeHead(503).end() }, { cutAfter: 100_000 });
            const json = { timeout: '1h', [`dataOrgs${name}`]: at(word) };
            const answer = await api.call('POST /admin/v1/import', {
              json,
              headers: { prefer: 'respond-async' },
            });
            if (answer.status !== 202) throw new Error(`The import is answered ${answer.status}`);
            return String(answer.headers.location).split('/').at(-1) ?? '';
          },
          strike: () => worker.crash(),
          mend: async () => {
            worker = await stage.startWorker();
          },
        },
      );
    });
  }
});
