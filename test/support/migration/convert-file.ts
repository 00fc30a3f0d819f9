import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { convertPeople, type PeopleInput } from '#src/migration/convert/convert-people.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';

/** A folder that is removed with the test. */
export function folderOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-convert-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  return folder;
}

type ConversionOptions = Partial<PeopleInput> & { readonly system?: string; readonly orgId?: string };

/** Writes a file, and converts it. */
export async function conversion(t: Test, given: string | Buffer, options: ConversionOptions = {}) {
  const folder = folderOf(t);
  const path = join(folder, 'in.csv');
  writeFileSync(path, given);
  return convertFile(path, options);
}

/** Converts a file. The default is a table in CSV. Returns the report and what was written. */
export async function convertFile(
  path: string,
  { system = 'csv', orgId = 'o', ...options }: ConversionOptions = {},
) {
  const format = peopleFormats[system];
  if (format === undefined) throw new Error(`There is no ${system}`);
  const target = `${path}.out`;
  const input = { users: [path], emailVerified: false, skipInvalid: false, strict: false, ...options };
  const report = await convertPeople(format, input, {
    path: target,
    orgId,
    timeout: '30m',
    multiline: false,
  });
  const body = report.written ? JSON.parse(readFileSync(target, 'utf8')) : undefined;
  return {
    ...report,
    body,
    org: (body?.dataOrgs ?? body?.dataOrgsv1)?.orgs[0],
    told: report.problems.list().map(({ line, severity, message }) => `${line} ${severity} ${message}`),
    lost: (report.losses ?? []).map(({ path, records }) => `${path} ${records}`),
  };
}
