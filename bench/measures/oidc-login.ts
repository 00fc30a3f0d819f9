import autocannon from 'autocannon';
import { addApplication } from '#src/clients/applications/add-application.js';
import type { Organization } from '#src/directory/organization.js';
import type { User } from '#src/directory/user.js';
import { newUser } from '#src/people/users/new-user.js';
import { type Comparison, fullPace, type Pace } from '../compare.js';
import { median } from '../load.js';
import { firstNumbers, profileOf } from '../people.js';
import { type Running, untilSettled } from '../processes.js';
import { startHashAlone } from '../programs.js';
import { compared, judged, milliseconds, type Row, rate } from '../report.js';
import { editor, type Setting } from '../setting.js';
import { settings } from './oidc-own-side.js';
import { authorize, redirectUri } from './oidc-side.js';

const people = 200;
export const passwordOfPeople = 'a password to be verified';
const connections = 16;
/**
 * A factor for the length of rounds. A login lasts about as long as the hashes before it in the queue, so the end of a
 * short round would cut many logins.
 */
export const longerLogins = 3;
/** At so few requests per second, it takes most of a minute until V8 has compiled everything. */
const warmUps = 8;

/**
 * People who sign in with their password, from the application's redirect to the code, compared with the hash alone.
 * The rate is that of these cores, which the load generator and the stores also use. The cost is the processor time of
 * the API process for one login. In production the API process has its own cores.
 */
export async function measureLogin(setting: Setting, api: Running, pace: Pace): Promise<Row[]> {
  const ceiling = await startHashAlone(setting);
  const seconds = pace.seconds * (pace === fullPace ? longerLogins : 1);
  const ceilingRate = async () =>
    Number(await (await fetch(`${ceiling.url}/verify/${seconds}/${connections}`)).json());
  const logInFor = await peopleOf(setting, setting.organization);
  const ownRate = () => logInFor(seconds);
  /** The rate, and the processor time in milliseconds that one login costs the process. */
  const measured = async (process: Running, rateOf: () => Promise<number>) => {
    // Otherwise the ceiling would share the cores with hashes of sign-ins that the end of our round cut.
    await untilSettled(api);
    const before = await process.processorTime();
    const rate = await rateOf();
    return { rate, cost: ((await process.processorTime()) - before) / (rate * seconds) };
  };
  try {
    for (let times = 0; times < (pace === fullPace ? warmUps : 1); times++) await ownRate();
    await ceilingRate();
    const rounds: { ours: Measured; alone: Measured }[] = [];
    for (let round = 0; round < pace.rounds; round++) {
      rounds.push({ ours: await measured(api, ownRate), alone: await measured(ceiling, ceilingRate) });
    }
    const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
    const row = {
      measure: 'password login: authorize, page, form, callback, code',
      ours: rate(
        of(({ ours }) => ours.rate),
        'logins/s',
      ),
      peer: `argon2id alone, same bounds: ${rate(
        of(({ alone }) => alone.rate),
        'hashes/s',
      )}`,
    };
    const cost = {
      measure: 'password login, processor time of the api for one',
      ours: milliseconds(of(({ ours }) => ours.cost)),
      peer: `argon2id alone: ${milliseconds(of(({ alone }) => alone.cost))}`,
    };
    return [
      judged(
        row,
        of(({ ours, alone }) => ours.rate / alone.rate),
        { atLeast: 0.85 },
      ),
      compared(
        cost,
        of(({ ours, alone }) => alone.cost / ours.cost),
      ),
    ];
  } finally {
    await ceiling.stop();
  }
}

interface Measured {
  readonly rate: number;
  readonly cost: number;
}

/** Logins per second, over this many seconds, of people in an organization to one of its applications. */
type LogInFor = (seconds: number) => Promise<number>;

export async function peopleOf(setting: Setting, organization: Organization): Promise<LogInFor> {
  const orgId = organization.id;
  const { application } = await addApplication(setting.container, { orgId, settings, editor });
  const prove = byPassword(await addPeopleWithPassword({ ...setting, organization }));
  return (seconds) => logIn(setting.baseUrl, { anyClient: () => application.id, prove, seconds });
}

/** Milliseconds per login while many run at once. Both sides are measured in turn. */
export async function compareLogins(
  ours: LogInFor,
  peer: LogInFor,
  { rounds, seconds, warmUpSeconds }: Pace,
): Promise<Comparison> {
  const took = async (logInFor: LogInFor) => 1000 / (await logInFor(seconds));
  await ours(warmUpSeconds);
  await peer(warmUpSeconds);
  const many: number[] = [];
  const few: number[] = [];
  for (let round = 0; round < rounds; round++) {
    many.push(await took(ours));
    few.push(await took(peer));
  }
  const ratios = many.map((one, round) => one / (few[round] ?? Number.NaN));
  return { ours: median(many), peer: median(few), ratio: median(ratios) };
}

/** The state of one browser. */
interface Browser {
  cookie?: string;
  location?: string;
  page?: string;
}

/** How a browser fills in the login page: where its form goes, and the fields beside its own. */
export type Prove = (page: string) => { readonly path: string; readonly fields: Record<string, string> };

/** Each sign-in is that of the next person. */
export function byPassword(signingIn: readonly LoginPerson[]): Prove {
  let turn = 0;
  return () => {
    const loginName = signingIn[turn++ % signingIn.length]?.userName ?? '';
    return { path: '/login', fields: { loginName, password: passwordOfPeople } };
  };
}

interface Logins {
  /** The application that sends the browser to the login. */
  readonly anyClient: () => string;
  readonly prove: Prove;
  readonly seconds: number;
}

/** Logins per second of this many parallel browsers. Each begins without a cookie. */
export async function logIn(url: string, { anyClient, prove, seconds }: Logins): Promise<number> {
  const follow = ({ location = '/none', cookie = '' }: Browser) => ({
    method: 'GET' as const,
    path: location.replace(url, ''),
    headers: { cookie },
    body: '',
  });
  const learn = (browser: object, headers: Record<string, unknown>) => {
    const cookie = [headers['set-cookie'] ?? []].flat().map(String)[0]?.split(';')[0];
    Object.assign(browser, { location: headers['location'], ...(cookie !== undefined && { cookie }) });
  };
  let done = 0;
  const form = ({ location = '', cookie = '', page = '' }: Browser) => {
    const request = new URLSearchParams(location.split('?')[1]).get('request') ?? '';
    const csrf = csrfIn(page) ?? '';
    const { path, fields } = prove(page);
    return {
      method: 'POST' as const,
      path,
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ csrf, request, ...fields }).toString(),
    };
  };
  const wrong: string[] = [];
  const expect = (right: boolean, step: string) => {
    if (!right) wrong.push(step);
    return right;
  };
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        setupRequest: (request) => ({ ...request, ...authorize(anyClient(), '') }),
        onResponse: (status, _body, browser, headers = {}) => {
          if (expect(status === 303, `authorize ${status}`))
            learn(browser, headers as Record<string, unknown>);
        },
      },
      {
        setupRequest: (request, browser) => ({ ...request, ...follow(browser as Browser) }),
        onResponse: (status, body, browser) => {
          expect(csrfIn(body) !== undefined, `login page ${status}`);
          Object.assign(browser, { page: body });
        },
      },
      {
        setupRequest: (request, browser) => ({ ...request, ...form(browser as Browser) }),
        onResponse: (status, _body, browser, headers = {}) => {
          if (expect(status === 303, `form ${status}`)) learn(browser, headers as Record<string, unknown>);
        },
      },
      {
        setupRequest: (request, browser) => ({ ...request, ...follow(browser as Browser) }),
        onResponse: (status, _body, _browser, headers = {}) => {
          const { location } = headers as Record<string, unknown>;
          if (expect(String(location).startsWith(`${redirectUri}?code=`), `callback ${status} ${location}`))
            done += 1;
        },
      },
    ],
  });
  if (result.errors > 0 || wrong.length > 0) {
    throw new Error(`Logging in: ${result.errors} errors, ${[...new Set(wrong)].join(', ')}`);
  }
  return done / result.duration;
}

const csrfIn = (page: string) => /name="csrf" value="([^"]+)"/.exec(page)?.[1];

let peopleAdded = 0;

/** A person who signs in. */
export type LoginPerson = Pick<User, 'id' | 'userName'>;

/** @returns the added people */
export async function addPeopleWithPassword({ container, organization }: Setting): Promise<LoginPerson[]> {
  const hash = await container.passwords.hash(passwordOfPeople, { purpose: 'other', orgId: 'bench' });
  const offset = peopleAdded;
  peopleAdded += people;
  const added = await Promise.all(
    Array.from({ length: people }, async (_, n) => {
      const profile = profileOf(firstNumbers.login + offset + n);
      const prepared = await newUser(container, organization, { profile });
      return { ...prepared, password: { hash, changed: container.clock.now() } };
    }),
  );
  await container.mongo.transaction((transaction) =>
    container.users.insert(organization.id, added, transaction),
  );
  return added.map(({ user }) => user);
}
