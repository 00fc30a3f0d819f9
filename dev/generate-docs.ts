import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { freshActs, plainActs } from '#src/access/authority/fresh-acts.js';
import { exitCodes } from '#src/cli/base/exit-codes.js';
import { type Setting, settings } from '#src/config.js';
import { ruleId, rulesOfValues, type ValueRule } from '#src/directory/index.js';
import type { ApiDocument } from '#src/http/openapi/api-document.js';
import { mappingSchema } from '#src/migration/convert/mapping/mapping-schema.js';
import { importCodes } from '#src/migration/import/lists/section/import-codes.js';
import { statusOfKind } from '#src/platform/error-status.js';
import { errorCatalogue } from '#src/platform/errors.js';
import { describeApi } from './docs/describe-api.js';
import { describeCommands } from './docs/describe-commands.js';
import { table } from './docs/markdown-table.js';
import { repository } from './repository.js';

/** The generated documents. Each is made from the code that it describes. */
async function documents(): Promise<Record<string, string>> {
  // This comes first, because building the application declares the errors of every room.
  const api = await describeApi();
  return {
    'docs/openapi.json': `${JSON.stringify(api, undefined, 2)}\n`,
    'docs/errors.md': errorsPage(),
    'docs/configuration.md': configurationPage(),
    'docs/fresh-sign-in.md': freshSignInPage(api),
    'docs/cli.md': commandsPage(),
    'docs/mapping.schema.json': `${JSON.stringify(mappingDocument, undefined, 2)}\n`,
  };
}

/** The schema of `muster convert --map`, for editors and checks. */
const mappingDocument = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A mapping of muster convert --map',
  ...mappingSchema,
};

function errorsPage(): string {
  const rows = [...errorCatalogue]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, kind, scimType = '', message }) => [
      `\`${id}\``,
      statusOfKind(kind),
      kind,
      scimType,
      message,
    ]);
  return page(
    'Errors',
    'The `id` is stable: clients may rely on it. Every response with an error has it in the header `X-Error-Id`. A SCIM ' +
      'response also has it in the ErrorDetail extension, unless the organization or the service user wants plain errors. ' +
      'Any other response, except those of OAuth, has it in its problem details. The header of an error of OAuth has ' +
      '`oauth.` and the code of the error, such as `oauth.invalid_grant`. The message is not translated. The `detail` ' +
      'of a response may say more. Where the table has no scimType, the SCIM response derives one or has none.',
    `${table(['id', 'status', 'kind', 'scimType', 'message'], rows)}
## Values that are refused

An error that is about values of the request names each of them: up to 30, with the \`id\` of a rule or of an error, and what the rule compares
with in \`params\`. The identifiers are stable. They let a program place its own texts at its own fields.

- Problem details have them in \`errors\`: \`{ "pointer": "#/login/brandColor", "id": "value.color", "detail": "..." }\`. The pointer is a JSON
  pointer in the form of a URI fragment (RFC 6901 section 6), with names in lowerCamelCase.
- An error of SCIM has them in \`errors\` of the ErrorDetail extension if the request has the header \`Prefer: all-errors\`:
  \`{ "path": "emails.value", "id": "value.emailAddress", "message": "..." }\`. Without the header, the body has what it has always had.

All values that break the schema of a request are named together. Rules that the schema cannot say are checked after it, and are named together too.

${table(
  ['id', 'meaning'],
  (Object.keys(rulesOfValues) as ValueRule[]).map((rule) => [`\`${ruleId(rule)}\``, rulesOfValues[rule]]),
)}

## Records of an import

The \`message\` of an element of \`errors\` begins with one of these codes. The codes are stable too.

${table(
  ['code', 'meaning'],
  Object.entries(importCodes).map(([code, meaning]) => [`\`${code}\``, meaning]),
)}`,
  );
}

function configurationPage(): string {
  const rows = (Object.values(settings) as Setting[]).map((setting) => [
    `\`${setting.env}\``,
    setting.defaultText ??
      (setting.default === undefined ? '**required**' : `\`${String(setting.default)}\``),
    setting.secret ? 'yes' : '',
    setting.about,
  ]);
  return page(
    'Configuration',
    'The API and the workers read their settings from the environment at start. They refuse to start if a setting ' +
      'is missing or malformed. They never print a secret.',
    table(['variable', 'default', 'secret', 'about'], rows),
  );
}

function freshSignInPage(api: ApiDocument): string {
  const summaries = new Map(
    Object.values(api.paths)
      .flatMap((methods) => Object.values(methods))
      .map(({ operationId, summary }) => [operationId, summary]),
  );
  const named = (operationId: string) => [`\`${operationId}\``, String(summaries.get(operationId) ?? '')];
  const sections = [...new Set(freshActs.map(({ because }) => because))].map((because) => {
    const acts = freshActs.filter((act) => act.because === because);
    const rows = acts.map((act) => [
      ...named(act.operationId),
      act.if === undefined ? 'always' : `if ${act.if}`,
    ]);
    return `## ${because}\n\n${table(['operation', 'what it does', 'when'], rows)}`;
  });
  const others = [...plainActs].map(([operationId, because]) => [...named(operationId), because]);
  return page(
    'Fresh sign-in',
    'A person must have signed in within `MUSTER_FRESH_SIGN_IN_SECONDS` (15 minutes by default) for each operation on this page. A ' +
      'stolen session can then do none of them. A service user proves itself with each token, so it needs no sign-in.',
    `- Muster answers a person whose sign-in is older with 401 and the error \`tokens.signInTooOld\`. The header is
  \`WWW-Authenticate: Bearer error="insufficient_user_authentication", max_age="900"\` (RFC 9470). An application then sends the person
  to the authorization endpoint with \`max_age\` or \`prompt=login\`, and repeats the request with the new token.
- The console asks the person for the password again, and for the second factor if the person has one. It says what the person is
  about to do. Where a page is for such an operation alone, it asks before it shows the page. Nobody else can sign in at that page.
- The time is the \`auth_time\` of the access token. A refresh or an exchange keeps it.
- Deactivating a user, a service user or an application needs none, because it takes access away and can be undone. Activating one needs it.
- A Bulk that responds later is judged by the sign-in at the time of the request.
- The token endpoint answers \`invalid_request\` instead, because it names no other error for a token exchange (RFC 8693).
- A person changes the own password, address and second factor at \`/account\`. There Muster asks for the present password instead. A
  person with a second factor also enters a code to change the password, to remove the second factor or to get recovery codes.

${sections.join('\n')}
## No fresh sign-in

These operations change something, or have another method than GET, and need none.

${table(['operation', 'what it does', 'why it needs none'], others)}`,
  );
}

function commandsPage(): string {
  const codes = Object.values(exitCodes).map(({ code, meaning }) => [`${code}`, meaning]);
  return page(
    'The muster command',
    '`muster` runs a server, administers a service and moves users. `muster help` lists the commands. `muster COMMAND --help` describes ' +
      'one. In the image it is on the `PATH`. In a checkout it is `node dist/src/cli/main.js`.',
    `- Commands that run a server read [its settings](configuration.md) from the environment.
- Commands that call a service take its address from \`MUSTER_BASE_URL\` or \`--base-url URL\`, and a token from \`MUSTER_TOKEN\` or
  \`--token-file FILE\`. A token is never an argument, because every user of the machine can read those.
- With \`--json\`, standard output gets one JSON document: the result, or \`{ "error": { "message", "exitCode" } }\`. Progress and notes
  go to standard error.
- An unknown command or option is answered with the nearest one.
- A service that does not answer is told within 10 seconds. After the first answer, a command tries again when the service is away
  for a while, and tells each attempt.
- At a terminal, progress is a bar. Elsewhere it is a line for each tenth.
- Control characters of names and errors are printed as escapes such as \`\\u001b\`.

## Exit codes

${table(['code', 'meaning'], codes)}
${describeCommands()}`,
  );
}

function page(title: string, introduction: string, body: string): string {
  return `<!-- Made by dev/generate-docs.ts; change the code, then run \`make docs\`. -->\n\n# ${title}\n\n${introduction}\n\n${body}`;
}

/** Writes the documents. With `--check` it only names the documents that differ from the code. */
async function main(args: string[]): Promise<number> {
  const check = args.includes('--check');
  const drifted: string[] = [];
  for (const [path, text] of Object.entries(await documents())) {
    const file = join(repository, path);
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue;
    drifted.push(path);
    if (check) continue;
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  }
  for (const path of drifted) {
    console.log(
      check ? `${path} is not what the code says; run \`make docs\`` : `wrote ${relative('.', path)}`,
    );
  }
  return check && drifted.length > 0 ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
