import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import type { Pace } from '../compare.js';
import { median } from '../load.js';
import { processorTimeOfEnded } from '../processes.js';
import { compared, type Row } from '../report.js';

/** The numbers of users of the two converted tenants. */
export interface ConvertSizes {
  readonly small: number;
  readonly large: number;
}

/** The result of a run of a program. */
export interface Run {
  readonly seconds: number;
  /** The processor time of all its threads. Other load on the machine changes it less than the seconds. */
  readonly processorSeconds: number;
  /** The peak memory, in MiB. */
  readonly peak: number;
}

const asked = 50;

/** Reads lines and parses them. Every conversion has to do this. */
const bareParser = `
  const { createReadStream } = require('node:fs');
  const { createInterface } = require('node:readline');
  (async () => {
    let known = 0;
    for (const path of process.argv.slice(1)) {
      for await (const line of createInterface({ input: createReadStream(path) })) {
        if (JSON.parse(line).email !== undefined) known++;
      }
    }
    console.log(known);
  })();`;

/**
 * Megabytes of input per second that `muster convert auth0` reads, including the start of its process. The peer is a
 * program that only parses each line. Also measured: the memory for many users compared with few.
 */
export async function measureConvert(sizes: ConvertSizes, pace: Pace): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-convert-'));
  try {
    const small = await writeTenant(folder, sizes.small);
    const large = await writeTenant(folder, sizes.large);
    const rounds: { ours: Run; peer: Run }[] = [];
    for (let round = 0; round < Math.min(pace.rounds, 3); round++) {
      rounds.push({ ours: await convert(folder, large), peer: await parse(large) });
    }
    const few = await convert(folder, small);
    const speed = (runs: readonly Run[]) => large.megabytes / median(runs.map(({ seconds }) => seconds));
    const [ours, peer] = [speed(rounds.map((round) => round.ours)), speed(rounds.map((round) => round.peer))];
    const users = `${sizes.large.toLocaleString('en')} users`;
    const peak = median(rounds.map((round) => round.ours.peak));
    return [
      {
        measure: `muster convert auth0, ${users}`,
        ours: `${Math.round(ours)} MB/s`,
        peer: `only parsing each line: ${Math.round(peer)} MB/s`,
        ratio: (ours / peer).toFixed(2),
        asked: `>= ${asked} MB/s`,
        met: ours >= asked ? 'yes' : 'NO',
      },
      compared(
        {
          measure: `memory of muster convert at its peak, ${users}`,
          ours: `${Math.round(peak)} MiB`,
          peer: `with ${sizes.small.toLocaleString('en')}: ${Math.round(few.peak)} MiB`,
        },
        peak / few.peak,
      ),
    ];
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Tenant {
  readonly users: string;
  readonly passwords: string;
  readonly megabytes: number;
}

/** Files as Auth0 exports them. The hashes have another order than the users. */
export async function writeTenant(folder: string, count: number): Promise<Tenant> {
  const users = await writeObjects(join(folder, `users-${count}`), count, (n) => ({
    user_id: `auth0|${idOf(n)}`,
    email: `person${n}@example.com`,
    email_verified: n % 2 === 0,
    given_name: `Given${n}`,
    family_name: `Family${n}`,
    nickname: `person${n}`,
    name: `Given${n} Family${n}`,
    picture: `https://pictures.example.com/avatar/${idOf(n)}?size=480&rating=pg`,
    identities: [{ connection: 'Username-Password-Authentication', provider: 'auth0', user_id: idOf(n) }],
    created_at: '2021-03-05T16:35:16.775Z',
    updated_at: '2021-03-05T16:35:16.775Z',
    logins_count: n % 100,
  }));
  const passwords = await writeObjects(join(folder, `passwords-${count}`), count, (n) => ({
    _id: { $oid: idOf(count - 1 - n) },
    email_verified: n % 2 === 0,
    email: `person${count - 1 - n}@example.com`,
    passwordHash: `$2b$10$${String(n).padStart(53, '.')}`,
    password_set_date: { $date: '2021-03-05T16:35:16.775Z' },
    tenant: 'bench',
    connection: 'Username-Password-Authentication',
  }));
  return { users, passwords, megabytes: (statSync(users).size + statSync(passwords).size) / 1e6 };
}

function writeObjects(path: string, count: number, of: (n: number) => object): Promise<string> {
  return writeLines(path, count, (n) => JSON.stringify(of(n)));
}

function idOf(n: number): string {
  return (0x5f00000000 + n).toString(16).padStart(24, '6');
}

/** Writes lines that are made one by one. Returns the path. */
export async function writeLines(
  path: string,
  count: number,
  lineOf: (n: number) => string,
): Promise<string> {
  const file = createWriteStream(path);
  for (let n = 0; n < count; n++) {
    if (!file.write(`${lineOf(n)}\n`)) await once(file, 'drain');
  }
  await finished(file.end());
  return path;
}

function convert(folder: string, { users, passwords }: Tenant): Promise<Run> {
  const files = ['--users', users, '--passwords', passwords, '--output', join(folder, 'body.json')];
  const flags = ['--org', '1', '--email-verified'];
  return runProgram([resolve('dist/src/cli/main.js'), 'convert', 'auth0', ...flags, ...files]);
}

function parse({ users, passwords }: Tenant): Promise<Run> {
  return runProgram(['-e', bareParser, users, passwords]);
}

/** Runs Node.js with these arguments to its end. No other program that this one started may end meanwhile. */
export async function runProgram(args: string[]): Promise<Run> {
  const before = await processorTimeOfEnded();
  const started = performance.now();
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(look);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  const seconds = (performance.now() - started) / 1000;
  return { seconds, processorSeconds: ((await processorTimeOfEnded()) - before) / 1000, peak };
}

function peakOf(pid: number | undefined): number {
  try {
    const kibibytes = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kibibytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
