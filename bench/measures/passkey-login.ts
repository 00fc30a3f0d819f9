import { addPasskey } from '#src/authentication/passkeys/index.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { freePort } from '../../dev/free-port.js';
import { fetchLts, newestLts } from '../../dev/lts.js';
import { BenchAuthenticator } from '../authenticator.js';
import { fullPace, type Pace } from '../compare.js';
import { withCoreOfItsOwn } from '../core-of-its-own.js';
import { median } from '../load.js';
import { processorTimes, storeKinds } from '../process-kinds.js';
import { untilSettled } from '../processes.js';
import { startApi } from '../programs.js';
import { compared, judged, milliseconds, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { addPeopleWithPassword, byPassword, type LoginPerson, logIn, type Prove } from './oidc-login.js';
import { settings } from './oidc-own-side.js';

/** A factor for the length of rounds, and the rounds before: as for logins with a password. */
const longer = 3;
const warmUps = 8;
/** The longest round in which nobody signs in, in seconds. Then something is wrong. */
const longestSeconds = 240;

/** What one kind of sign-in did in a round. */
interface Measured {
  /** Sign-ins per second. */
  readonly rate: number;
  /** Processor time of the API process for one, in milliseconds. */
  readonly cost: number;
  /** That of Redis and of the database. */
  readonly ofStores: number;
}

interface Round {
  readonly passkey: Measured;
  readonly password: Measured;
}

/**
 * People who sign in with a passkey, beside people who sign in with a password, at one process in turn: from the application's redirect to the
 * code. The load generator signs for the authenticators on the same cores, which costs the rate of passkeys. That time has a row of its own.
 * The process runs on the Node.js of the image, because no production process runs on that of this machine (decision 13). A hash takes as
 * long on both.
 */
export async function measurePasskeyLogin(setting: Setting, pace: Pace): Promise<Row[]> {
  const { container, organization } = setting;
  const port = String(await freePort());
  // Browsers keep passkeys for names alone.
  const baseUrl = `http://localhost:${port}`;
  const env = { ...setting.env, PORT: port, MUSTER_BASE_URL: baseUrl };
  const { application } = await addApplication(container, { orgId: organization.id, settings, editor });
  const people = await addPeopleWithPassword(setting);
  const { prove, signing } = byPasskey(await enrol(setting, people, baseUrl), baseUrl);
  const node = await fetchLts(newestLts, (message) => console.error(message));
  const api = await startApi({ ...setting, env, baseUrl }, 'api-passkeys', node);
  const seconds = pace.seconds * longer;
  const signIn = (by: Prove, during = seconds) =>
    logIn(baseUrl, { anyClient: () => application.id, prove: by, seconds: during });
  // On a busy machine, a round may be shorter than the hashes of the first passwords, which wait for each other.
  const measured = async (by: Prove, during = seconds): Promise<Measured> => {
    await untilSettled(api);
    const [before, storesBefore] = [await api.processorTime(), await timeOfStores()];
    const perSecond = await signIn(by, during);
    if (perSecond === 0 && during > longestSeconds) throw new Error('Nobody was signed in within a round');
    if (perSecond === 0) return measured(by, 2 * during);
    const [after, storesAfter] = [await api.processorTime(), await timeOfStores()];
    const count = perSecond * during;
    return {
      rate: perSecond,
      cost: (after - before) / count,
      ofStores: (storesAfter - storesBefore) / count,
    };
  };
  const passwords = byPassword(people);
  try {
    for (let times = 0; times < (pace === fullPace ? warmUps : 1); times++) await signIn(prove);
    await signIn(passwords);
    const inTurn = async (): Promise<Round[]> => {
      const rounds: Round[] = [];
      for (let round = 0; round < pace.rounds; round++)
        rounds.push({ passkey: await measured(prove), password: await measured(passwords) });
      return rounds;
    };
    const rounds = await inTurn();
    const rows = [
      judged(...rateOf('passkey login: authorize, page, form, callback, code', rounds), { atLeast: 10 }),
      costRow('passkey login, processor time of the api for one', rounds, ({ cost }) => cost),
      costRow('passkey login, processor time of api and stores for one', rounds, sumOf),
    ];
    await withCoreOfItsOwn('api', async () => {
      rows.push(
        compared(...rateOf('passkey login, the api and its hashes on a core of their own', await inTurn())),
      );
    });
    return [
      ...rows,
      {
        measure: 'passkey login, time in which the load generator signs for one',
        ours: milliseconds(signing.milliseconds / signing.signatures),
        ...{ peer: '', ratio: '', asked: '', met: '' },
      },
    ];
  } finally {
    await api.stop();
  }
}

/** The rates for a row, and their ratio. */
function rateOf(measure: string, rounds: readonly Round[]) {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  const perSecond = (value: (round: Round) => number) => rate(of(value), 'logins/s');
  const ours = perSecond(({ passkey }) => passkey.rate);
  const peer = `with a password: ${perSecond(({ password }) => password.rate)}`;
  return [{ measure, ours, peer }, of(({ passkey, password }) => passkey.rate / password.rate)] as const;
}

function costRow(measure: string, rounds: readonly Round[], cost: (measured: Measured) => number): Row {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  return compared(
    {
      measure,
      ours: milliseconds(of(({ passkey }) => cost(passkey))),
      peer: `with a password: ${milliseconds(of(({ password }) => cost(password)))}`,
    },
    of(({ passkey, password }) => cost(password) / cost(passkey)),
  );
}

const sumOf = ({ cost, ofStores }: Measured) => cost + ofStores;

async function timeOfStores(): Promise<number> {
  return [...(await processorTimes(storeKinds)).values()].reduce((sum, ms) => sum + ms, 0);
}

/** Each sign-in is that of the next person. `signing` sums up the time of the signatures. */
function byPasskey(keys: readonly BenchAuthenticator[], origin: string) {
  const signing = { signatures: 0, milliseconds: 0 };
  const prove: Prove = (page) => {
    const [, json = '{}'] = /name="response" value="([^"]*)" data-passkey="get"/.exec(page) ?? [];
    const { challenge = '', rpId = '' } = JSON.parse(json.replaceAll('&quot;', '"'));
    const began = performance.now();
    const response = keys[signing.signatures++ % keys.length]?.get({ challenge, rpId, origin }) ?? '';
    signing.milliseconds += performance.now() - began;
    return { path: '/login/passkey', fields: { page: 'login', response } };
  };
  return { prove, signing };
}

/** Gives each of the people a passkey, as the account page does. */
async function enrol(
  { container, organization: { id: orgId } }: Setting,
  people: readonly LoginPerson[],
  origin: string,
): Promise<BenchAuthenticator[]> {
  const rpId = new URL(origin).hostname;
  const keys: BenchAuthenticator[] = [];
  for (const { id } of people) {
    const key = new BenchAuthenticator();
    const binding = { purpose: 'enrol', agent: 'bench', orgId, userId: id } as const;
    const challenge = container.passkeyChallenges.make(binding, key.userHandle);
    const response = key.create({ challenge, rpId, origin });
    const party = { id: rpId, origin };
    const made = await addPasskey(container, {
      ...{ orgId, id, editor, party, binding, response },
      usualLabel: 'Passkey',
    });
    if (made === undefined) throw new Error('The passkey was not added');
    keys.push(key);
  }
  return keys;
}
