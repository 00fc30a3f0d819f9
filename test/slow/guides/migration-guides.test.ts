import t from 'tap';
import { openGuide } from '../../support/docs/follow-guide.js';
import { startMusterOfReader } from '../../support/docs/muster-of-reader.js';
import { requirePage, UserAgent } from '../../support/oidc/user-agent.js';
import { checkExamples, type Expectation } from '../../support/processes/run-examples.js';

/** The guides about moving people: their commands and scripts run, and a person signs in with the old password. */

const muster = await startMusterOfReader(t, { workers: true });

/** The table of `muster import`: created, skipped, failed, total. */
const counts = (output: string) => /^(?: *\d+){4,5}$/m.exec(output)?.[0].trim().split(/ +/).map(Number);
const withoutFolders = (output: string) => output.split('\n').map((line) => line.replace(/\S*\//g, ''));
const nothing = (output: string) => output;

interface MigrationGuide {
  readonly name: string;
  /** Who signs in afterwards, by default with the password that the people of the other guides have. */
  readonly loginName: string | Readonly<Record<string, string>>;
  readonly expectations: readonly Expectation[];
}

/** What a conversion says, and the counts of the import after it. */
const conversionAndCounts = (output: string) => {
  const lines = withoutFolders(output);
  const end = lines.findIndex((line) => /^\d+ errors/.test(line));
  return [...lines.slice(0, end + 1), counts(output)];
};

/** A display name alone becomes a first and a last name. */
const splitName =
  '1 person has a name that the export does not have: made by the rule "names": "split" of the mapping';

const guides: readonly MigrationGuide[] = [
  {
    name: 'migrate.md',
    loginName: { 'ada@example.org': 'test', 'maria@example.com': 'user1password', johnny123: 'test' },
    expectations: [
      [
        'one person of Ory Kratos',
        withoutFolders,
        [
          'left out: schema_id of 1 records, first at kratos.json:2',
          'left out: traits.newsletter of 1 records, first at kratos.json:2',
          'importBody.json: 1 users, 1 with a password, 0 without',
          '0 errors, 0 notes',
        ],
      ],
      [
        'With `--strict` nothing is written',
        (output) => withoutFolders(output).slice(-4),
        [
          '{"acceptedLosses":["schema_id","traits.newsletter"]}',
          'strict.json was not written',
          '0 errors, 0 notes',
          'exit code 1',
        ],
      ],
      [
        'to accept these losses',
        withoutFolders,
        [
          'left out (accepted): schema_id of 1 records, first at kratos.json:2',
          'left out (accepted): traits.newsletter of 1 records, first at kratos.json:2',
          'strict.json: 1 users, 1 with a password, 0 without',
          '0 errors, 0 notes',
        ],
      ],
      ['Import her', counts, [1, 0, 0, 1]],
      [
        'Copy the hash parameters',
        conversionAndCounts,
        [
          splitName,
          'importBody.json: 1 users, 1 with a password, 0 without',
          '0 errors, 0 notes',
          [1, 0, 0, 1],
        ],
      ],
      [
        'The API tells no hashes',
        conversionAndCounts,
        [
          'left out: data.favoriteColor of 1 records, first at fusionauth.json:1',
          splitName,
          'importBody.json: 1 users, 1 with a password, 0 without',
          '0 errors, 0 notes',
          [1, 0, 0, 1],
        ],
      ],
      [
        'Okta tells no hashes',
        conversionAndCounts,
        [
          'left out (accepted): credentials.provider.name of 1 records, first at okta.json:1',
          'left out (accepted): credentials.provider.type of 1 records, first at okta.json:1',
          'importBody.json: 1 users, 0 with a password, 1 without',
          '0 errors, 0 notes',
          // Isaac and his metadata are new. The organization is there.
          [2, 1, 0, 3],
        ],
      ],
      [
        'Cognito tells\nno hashes',
        conversionAndCounts,
        [
          'left out: Attributes.custom:plan of 1 records, first at cognito.json:1',
          'left out: UserStatus of 1 records, first at cognito.json:1',
          'importBody.json: 1 users, 0 with a password, 1 without',
          '0 errors, 0 notes',
          [1, 0, 0, 1],
        ],
      ],
      [
        'Entra tells neither hashes',
        conversionAndCounts,
        [
          'left out: officeLocation of 1 records, first at entra.json:1',
          'importBody.json: 1 users, 0 with a password, 1 without',
          '0 errors, 0 notes',
          [1, 0, 0, 1],
        ],
      ],
      ['Delete the files', nothing, ''],
    ],
  },
  {
    name: 'migrate-keycloak.md',
    loginName: 'ida.kc',
    expectations: [
      [
        'a realm with one person',
        withoutFolders,
        [
          'left out: realmRoles[] of 1 records, first at realm.json:4',
          'left out: (realm) bruteForceProtected of 1 records, first at realm.json:2',
          'importBody.json: 1 users, 1 with a password, 0 without; 1 groups, 1 memberships',
          '0 errors, 0 notes',
        ],
      ],
      [
        'Accept these losses',
        withoutFolders,
        [
          'left out (accepted): realmRoles[] of 1 records, first at realm.json:4',
          'left out (accepted): (realm) bruteForceProtected of 1 records, first at realm.json:2',
          'importBody.json: 1 users, 1 with a password, 0 without; 1 groups, 1 memberships',
          '0 errors, 0 notes',
        ],
      ],
      ['what would happen', counts, [3, 0, 0, 3]],
      ['Import them', counts, [3, 0, 0, 3]],
      ['it finds nothing new', counts, [0, 0, 3, 0, 3]],
      ['Delete the files', nothing, ''],
    ],
  },
  {
    name: 'migrate-auth0.md',
    loginName: 'mia@a0.example',
    expectations: [
      [
        'two people',
        withoutFolders,
        [splitName, 'importBody.json: 2 users, 1 with a password, 1 without', '0 errors, 0 notes'],
      ],
      ['what would happen', counts, [2, 0, 0, 2]],
      ['Import them', counts, [2, 0, 0, 2]],
      ['Delete the files', nothing, ''],
    ],
  },
  {
    name: 'migrate-zitadel.md',
    loginName: 'road.runner@acme.example',
    expectations: [
      ['an organization with one person', nothing, ''],
      [
        'names every value that reaches nothing',
        withoutFolders,
        [
          'zitadel.json:6: note: oidcApps: the application gets its appId as its client identifier. If it needs a secret, make a new one: the export has none',
          'left out: orgs[].loginPolicy.forceMfa of 1 records, first at zitadel.json:2',
          'left out: orgs[].orgMembers[].roles[] of 1 records, first at zitadel.json:17',
          'left out: orgs[].projects[].project.projectRoleAssertion of 1 records, first at zitadel.json:4',
          'importBody.json: 1 users, 1 with a password, 0 without',
          '0 errors, 1 notes',
        ],
      ],
      ['what would happen', counts, [10, 0, 0, 10]],
      ['Import them', counts, [10, 0, 0, 10]],
      [
        'Take over what changed, and compare',
        (output) => [counts(output), /^ *\d+(?: +\d+){5}$/m.exec(output)?.[0].trim().split(/ +/).map(Number)],
        // Created, updated, skipped, failed, total. Same, missing, different, refused, extra, total.
        [
          [0, 0, 10, 0, 10],
          [10, 0, 0, 0, 0, 10],
        ],
      ],
      ['Delete the files', nothing, ''],
    ],
  },
  {
    name: 'migrate-ldif.md',
    loginName: 'lena',
    expectations: [
      [
        'what becomes of three people',
        (output) => [
          output.includes('"userName": "lena"'),
          /e1NT|\{SSHA/.test(output),
          output.includes('people.ldif:31: error: HASH-MISSING'),
          output.split('\n').at(-1),
        ],
        [true, false, true, 'exit code 1'],
      ],
      [
        'Convert again',
        withoutFolders,
        [
          'left out: uidnumber of 1 records, first at people.ldif:3',
          splitName,
          'importBody.json: 3 users, 2 with a password, 1 without; 1 groups, 2 memberships',
          '0 errors, 0 notes',
        ],
      ],
      ['what would happen', counts, [6, 0, 0, 6]],
      ['Import them', counts, [6, 0, 0, 6]],
      ['Delete the files', nothing, ''],
    ],
  },
  {
    name: 'migrate-csv.md',
    loginName: 'mona',
    expectations: [
      [
        'what becomes of three people',
        (output) => [
          output.includes('"userName": "mona"'),
          output.includes('$2b$'),
          output.includes('people.csv:4: error: HASH-MISSING'),
          output.split('\n').at(-1),
        ],
        [true, false, true, 'exit code 1'],
      ],
      [
        'Pia is an error',
        (output) => output,
        'importBody.json: 3 users, 1 with a password, 2 without; 2 groups, 3 memberships\n0 errors, 0 notes',
      ],
      ['what would happen', counts, [8, 0, 0, 8]],
      ['Import them', counts, [8, 0, 0, 8]],
      ['Delete the files', nothing, ''],
    ],
  },
];

for (const { name, loginName, expectations } of guides) {
  t.test(`${name}: people come with their passwords`, async (t) => {
    await checkExamples(t, await openGuide(t, muster, { name, ports: [] }), expectations);
    const people = typeof loginName === 'string' ? { [loginName]: muster.person.password } : loginName;
    for (const [loginName, password] of Object.entries(people)) {
      const browser = new UserAgent(muster.baseUrl);
      const login = await browser.open(`${muster.baseUrl}/login`);
      const seen = requirePage(await browser.signIn(login, { loginName, password }));
      t.match(seen.url.pathname, /\/(?:account|console)$/, 'who administers comes into the console');
      t.match(seen.text, loginName);
    }
  });
}

t.test('migrate-csv.md: cells have commas and quotation marks', async (t) => {
  const query = new URLSearchParams({
    filter: 'userName eq "mona" or userName eq "omar"',
    sortBy: 'userName',
    attributes: 'name.familyName,groups.display',
  });
  const answer = await fetch(`${muster.baseUrl}/scim/v2/${muster.orgId}/Users?${query}`, {
    headers: { authorization: `Bearer ${muster.env.TOKEN}` },
  });
  const { Resources } = (await answer.json()) as { Resources: { groups: { display: string }[] }[] };
  t.match(Resources, [{ name: { familyName: 'Lind, PhD' } }, { name: { familyName: 'O"Neil' } }]);
  const groups = Resources.map(({ groups }) => groups.map(({ display }) => display).sort());
  t.same(groups, [['engineers', 'lab'], ['engineers']]);
});

t.test('migrate-scim.md: an organization is read, and its people are known again', async (t) => {
  await checkExamples(t, await openGuide(t, muster, { name: 'migrate-scim.md', ports: [] }), [
    ['the token into a file', nothing, ''],
    [
      'what becomes of three people',
      (output) => output.includes('"after"') || output.includes('after:'),
      true,
    ],
    ['Convert', (output) => /importBody\.json: [1-9]\d* users, 0 with a password/.test(output), true],
    ['what would happen', (output) => counts(output)?.[0], 0],
    ['Delete the files', nothing, ''],
  ]);
});
