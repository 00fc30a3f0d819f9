import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#src/platform/json/json-object.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import { argumentSegment } from '../base/argument-segment.js';
import { endWith } from '../base/exit-codes.js';
import type { Output } from '../terminal/output.js';
import { plainWord } from '../terminal/plain-text.js';
import { table } from '../terminal/table.js';
import { findConnection, type NamedConnection, onePath } from './find-connection.js';

/** The time between two questions whether somebody has signed in, in milliseconds. */
const pauseMs = 2_000;

/** Runs `muster connections test`. Sets the exit code of the process. */
export async function testNamedConnection(
  named: NamedConnection,
  options: ServiceOptions & { readonly signIn?: boolean | undefined },
  output: Output,
): Promise<void> {
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const path = onePath(named.orgId, await findConnection(client, named));
  const { body: tested } = await client.read(`${path}/test`, { method: 'POST' });
  const isUsable = textIn(tested, 'outcome') === 'usable';
  const reason = textIn(tested, 'reason');
  output.print(isUsable ? 'The provider can be used.' : `The provider cannot be used: ${plainWord(reason)}`);
  if (options.signIn !== true || !isUsable) {
    output.result(tested);
    if (!isUsable) endWith('failed');
    return;
  }
  const signIn = await trySignIn(client, path, output);
  output.print(tell(signIn));
  output.result({ ...tested, signIn });
  if (textIn(signIn, 'outcome') === 'refused') endWith('failed');
}

/** Prints the address, and waits until somebody has signed in there, or until the service has forgotten the test. */
async function trySignIn(client: AdminClient, path: string, output: Output): Promise<JsonObject> {
  const { body: begun } = await client.read(`${path}/sign-in-tests`, { method: 'POST', tries: 1 });
  output.note(`Sign in at the provider with a browser: ${plainWord(textIn(begun, 'address'))}`);
  const one = `${path}/sign-in-tests/${argumentSegment(textIn(begun, 'id'))}`;
  for (;;) {
    const { body } = await client.read(one);
    if (textIn(body, 'state') === 'done') return body;
    await pause(pauseMs);
  }
}

const outcomes: Readonly<Record<string, string>> = {
  known: 'The identity is linked to a user, who would be signed in.',
  linked: 'A rule would link a user, who would be signed in.',
  created: 'A new user would be added.',
  refused: 'The sign-in would be refused.',
};

function tell(signIn: JsonObject): string {
  const [outcome, reason, detail, userId] = ['outcome', 'reason', 'detail', 'userId'].map((name) =>
    textIn(signIn, name),
  ) as [string, string, string, string];
  const rows = objectsIn(signIn, 'claims').map((claim) => {
    const { goesTo } = claim;
    return [
      textIn(claim, 'name'),
      textIn(claim, 'value'),
      Array.isArray(goesTo) && goesTo.length > 0 ? goesTo.join(', ') : '-',
    ];
  });
  const { notes } = signIn;
  return [
    outcomes[outcome] ?? plainWord(outcome),
    ...(reason === '' ? [] : [`Reason: ${plainWord(`${reason} ${detail}`.trim())}`]),
    ...(userId === '' ? [] : [`User: ${plainWord(userId)}`]),
    ...(Array.isArray(notes) ? notes.map((note) => `Note: ${plainWord(String(note))}`) : []),
    ...(rows.length === 0 ? [] : [table(['claim', 'value', 'goes to'], rows)]),
  ].join('\n');
}
