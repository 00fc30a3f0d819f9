import type { JsonObject } from '#src/platform/json/json-object.js';
import { type AdminClient, openAdminClient, type ServiceOptions } from '../base/admin-client.js';
import { objectsIn, textIn } from '../base/answers.js';
import type { Output } from '../terminal/output.js';
import { table } from '../terminal/table.js';
import { findConnection, type NamedConnection, onePath } from './find-connection.js';

interface LinkOptions extends ServiceOptions {
  readonly provider: string;
  readonly dryRun?: true | undefined;
}

/** The most people that are printed. `--json` has the counts of all, too. */
const mostPrinted = 1_000;

/** What the outcomes of the service mean, in the order in which they are counted. */
const meanings = {
  linked: 'linked',
  had: 'linked before',
  taken: 'not linked: another person has the identity',
  full: 'not linked: the person has 20 identities',
  hasRole: 'not linked: the person has a role, and links the identity on the account page',
  gone: 'not linked: there is no such person',
  unreadable: 'not linked: the metadata has another form',
} as const;

/** Runs `muster connections link-metadata`. It may be repeated: who is linked stays so. */
export async function linkMetadata(
  named: NamedConnection,
  options: LinkOptions,
  output: Output,
): Promise<void> {
  const { dryRun = false } = options;
  const client = await openAdminClient(options, output.note);
  await client.connect();
  const path = `${onePath(named.orgId, await findConnection(client, named))}/link-waiting`;
  const counts = new Map<string, number>();
  const shown: JsonObject[] = [];
  let after: string | undefined;
  do {
    const page = await readPage(client, path, { provider: options.provider, dryRun, after });
    for (const item of page.items) {
      const outcome = textIn(item, 'outcome');
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
      if (shown.length < mostPrinted) shown.push(item);
    }
    after = page.next;
  } while (after !== undefined);
  const columns = ['userId', 'subject', 'outcome'] as const;
  if (shown.length > 0)
    output.print(
      table(
        ['user', 'subject', 'outcome'],
        shown.map((item) => columns.map((name) => textIn(item, name))),
      ),
    );
  for (const [outcome, meaning] of Object.entries(meanings)) {
    const count = counts.get(outcome);
    if (count !== undefined)
      output.print(`${count} ${dryRun && outcome === 'linked' ? 'would be linked' : meaning}`);
  }
  if (counts.size === 0) output.note(`No identity of ${options.provider} waits.`);
  output.result({ dryRun, counts: Object.fromEntries(counts), items: shown });
}

async function readPage(
  client: AdminClient,
  path: string,
  query: { provider: string; dryRun: boolean; after: string | undefined },
): Promise<{ items: JsonObject[]; next: string | undefined }> {
  const { body } = await client.read(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: () => JSON.stringify(query),
  });
  const next = textIn(body, 'next');
  return { items: objectsIn(body, 'items'), next: next === '' ? undefined : next };
}
