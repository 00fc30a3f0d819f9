import type { JsonObject } from '#src/platform/json/json-object.js';
import { openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { textIn } from '../base/answers.js';
import { endWith } from '../base/exit-codes.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { findConnection, type NamedConnection, objectIn, onePath } from './find-connection.js';
import { readJsonFile } from './read-settings.js';

interface PreviewOptions extends ServiceOptions {
  readonly claims?: string | undefined;
  readonly file?: string | undefined;
}

/** Outcomes by which nobody would be signed in. */
const refusals: readonly string[] = ['refused', 'ambiguous'];

const outcomes: Readonly<Record<string, string>> = {
  known: 'The identity is linked to a user, who would be signed in.',
  provisioned: 'The user whom the program of the connection provisioned would be linked and signed in.',
  domain: 'The user with the address would be linked and signed in.',
  asked: 'The person would be asked to prove an account, or to say that there is none.',
  created: 'A new user would be added.',
  refused: 'The sign-in would be refused.',
  ambiguous: 'Several users have the identifier or the address. The sign-in would be refused.',
};

/** Runs `muster connections preview`. Sets the exit code of the process to 1 if the sign-in would be refused. */
export async function previewNamedConnection(
  named: NamedConnection,
  options: PreviewOptions,
  output: Output,
): Promise<void> {
  const claims = options.claims === undefined ? undefined : await readJsonFile(options.claims);
  const { mapping, claims: claimNames } = options.file === undefined ? {} : await readJsonFile(options.file);
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const path = `${onePath(named.orgId, await findConnection(client, named))}/preview`;
  const asked = { mapping, claimNames, ...(claims !== undefined && { claims: JSON.stringify(claims) }) };
  const { body } = await client.read(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify(asked),
  });
  output.print(tell(body));
  output.result(body);
  if (refusals.includes(textIn(body, 'outcome'))) endWith('failed');
}

function tell(preview: JsonObject): string {
  const [outcome, reason, userId, time] = ['outcome', 'reason', 'userId', 'time'].map((name) =>
    textIn(preview, name),
  ) as [string, string, string, string];
  const lists = {
    joins: 'Joins the groups',
    leaves: 'Leaves the groups',
    leftOut: 'Left out by the provider',
  };
  const rows = Object.entries(objectIn(preview, 'values')).map(([name, value]) => [
    name,
    plainWord(String(value)),
  ]);
  return [
    ...(time === '' ? [] : [`Claims of the sign-in of ${plainWord(time)}.`]),
    outcomes[outcome] ?? plainWord(outcome),
    ...(reason === '' ? [] : [`Reason: ${plainWord(reason)}`]),
    ...(userId === '' ? [] : [`User: ${plainWord(userId)}`]),
    ...Object.entries(lists).flatMap(([name, label]) => {
      const all = preview[name];
      return Array.isArray(all) && all.length > 0 ? [`${label}: ${plainWord(all.join(', '))}`] : [];
    }),
    ...(rows.length === 0 ? [] : [table(['attribute', 'value'], rows)]),
  ].join('\n');
}
