import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import { convertAuth0 } from '#src/migration/convert/convert-auth0.js';
import { convertKeycloak } from '#src/migration/convert/convert-keycloak.js';
import { convertPeople, type PeopleFormat } from '#src/migration/convert/convert-people.js';
import type { BodyOptions } from '#src/migration/convert/import-body.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';
import type { Problems } from '#src/migration/convert/problems.js';
import { StartError } from '#src/platform/start-failure.js';

const providers = ['auth0', 'keycloak', ...Object.keys(peopleFormats)].sort();

type Options = Record<string, { type: 'string' | 'boolean'; default?: string | boolean }>;

const outputOptions = {
  org: { type: 'string' },
  output: { type: 'string', default: './importBody.json' },
  timeout: { type: 'string', default: '30m' },
  multiline: { type: 'boolean', default: false },
  'email-verified': { type: 'boolean', default: false },
  'skip-invalid': { type: 'boolean', default: false },
} as const satisfies Options;

/** Runs `muster convert`. Sets the exit code of the process. */
export async function convert([provider, ...args]: string[]): Promise<void> {
  const stop = new AbortController();
  const interrupt = () => stop.abort(new StartError('Interrupted; nothing was written.'));
  // Handle the signal each time. A wrapper and a terminal can both send it. If the second signal ended the process,
  // files with hashes would stay behind.
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  try {
    const people = Object.hasOwn(peopleFormats, provider ?? '') ? peopleFormats[provider ?? ''] : undefined;
    if (provider === 'auth0') await fromAuth0(args, stop.signal);
    else if (provider === 'keycloak') await fromKeycloak(args, stop.signal);
    else if (people !== undefined) await fromPeople(people, args, stop.signal);
    else throw new StartError(`muster convert ${providers.join(', ')}; see muster help`);
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}

async function fromAuth0(args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { ...outputOptions, users: { type: 'string' }, passwords: { type: 'string' } },
  });
  const body = readBodyOptions(values);
  const input = {
    users: required('users', values.users),
    passwords: required('passwords', values.passwords),
    emailVerified: values['email-verified'],
    skipInvalid: values['skip-invalid'],
    signal,
  };
  tell(await convertAuth0(input, body), body);
}

async function fromKeycloak(args: string[], signal: AbortSignal): Promise<void> {
  const options = { ...outputOptions, realm: { type: 'string', multiple: true } } as const;
  const { values } = parseArgs({ args, options });
  const body = readBodyOptions(values);
  const input = {
    realm: [required('realm', values.realm?.[0]), ...(values.realm?.slice(1) ?? [])].flatMap(filesOfRealm),
    emailVerified: values['email-verified'],
    skipInvalid: values['skip-invalid'],
    signal,
  };
  tell(await convertKeycloak(input, body), body);
}

/**
 * A file, or the files of a folder that `kc.sh export --dir` wrote.
 * @throws StartError when the folder has several realms, or none
 */
function filesOfRealm(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const names = readdirSync(path).sort();
  const realms = names.filter((name) => name.endsWith('-realm.json'));
  const [realm = ''] = realms;
  if (realms.length !== 1) {
    throw new StartError(
      `${path} has ${realms.length} realms (*-realm.json). Name the files of one, each with --realm`,
    );
  }
  const users = `${realm.slice(0, -'realm.json'.length)}users-`;
  return [realm, ...names.filter((name) => name.startsWith(users))].map((name) => join(path, name));
}

async function fromPeople(format: PeopleFormat, args: string[], signal: AbortSignal): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      ...outputOptions,
      users: { type: 'string', multiple: true },
      'hash-parameters': { type: 'string' },
      strict: { type: 'boolean', default: false },
    },
  });
  const body = readBodyOptions(values);
  const { users = [], 'hash-parameters': parameters } = values;
  required('users', users[0]);
  const input = {
    users,
    hashParameters: parameters === undefined ? undefined : readSmallFile(parameters),
    emailVerified: values['email-verified'],
    skipInvalid: values['skip-invalid'],
    strict: values.strict,
    signal,
  };
  tell(await convertPeople(format, input, body), body);
}

/** @throws StartError when the file cannot be read */
function readSmallFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
}

function readBodyOptions(values: {
  org?: string | undefined;
  output: string;
  timeout: string;
  multiline: boolean;
}): BodyOptions {
  const { output: path, timeout, multiline } = values;
  if (!/^(?:\d+(?:\.\d+)?(?:h|m|s|ms))+$/.test(timeout) || !/[1-9]/.test(timeout)) {
    throw new StartError(`--timeout ${timeout} is not a duration such as 30m or 1h30m`);
  }
  return { path, orgId: required('org', values.org), timeout, multiline };
}

function required(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw new StartError(`--${name} is required; see muster help`);
  return value;
}

/** Prints the problems and then one line of totals on standard error. */
function tell(report: ConversionReport, { path }: BodyOptions): void {
  const { users, withPassword, groups, memberships, problems, losses = [], written } = report;
  const lines = problems.list().map(({ file, line, severity, message }) => {
    return `${file}:${line}: ${severity}: ${message}`;
  });
  const unlisted = problems.count('error') + problems.count('note') - lines.length;
  if (unlisted > 0) lines.push(`... and ${unlisted} more`);
  for (const { path, records, file, line } of losses) {
    lines.push(`left out: ${path} of ${records} users, first at ${file}:${line}`);
  }
  const ofGroups = groups > 0 ? `; ${groups} groups, ${memberships} memberships` : '';
  lines.push(
    written
      ? `${path}: ${users} users, ${withPassword} with a password, ${users - withPassword} without${ofGroups}`
      : `${path} was not written`,
    counts(problems),
  );
  process.stderr.write(`${lines.join('\n')}\n`);
  if (!written || problems.count('error') > 0) process.exitCode = 1;
}

function counts(problems: Problems): string {
  return `${problems.count('error')} errors, ${problems.count('note')} notes`;
}
