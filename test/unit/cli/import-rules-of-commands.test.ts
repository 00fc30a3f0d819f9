import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openImportFile } from '#src/cli/jobs/import-file/open-import-file.js';

t.test('a rule of the command line stands in a body once', async (t) => {
  const added = async (text: string, flags: Parameters<typeof openImportFile>[1]) => {
    const path = join(t.testdir(), 'body.json');
    writeFileSync(path, text);
    return (await openImportFile(path, flags)).added;
  };
  const allow = { withoutCredentials: 'allow', dropHashes: true } as const;
  const both = '"unreadableHashes":"drop","withoutCredentials":"allow",';
  t.equal(await added('{"timeout":"1m","dataOrgs":{}}', allow), both);
  t.equal(await added('{"orgs":[]}', { ...allow, timeout: '2h' }), `"timeout":"2h",${both}`);
  const body = '{"timeout":"1m","withoutCredentials":"allow","dataOrgs":{}}';
  t.equal(
    await added(body, allow),
    '"unreadableHashes":"drop",',
    'the service refuses a property that is there twice',
  );
  t.equal(
    await added(body, { withoutCredentials: 'refuse' }),
    '"withoutCredentials":"refuse",',
    'and tells of two words',
  );
  const inData = '{"timeout":"1m","dataOrgs":{"orgs":[{"withoutCredentials":"allow"}]}}';
  t.equal(
    await added(inData, { withoutCredentials: 'allow' }),
    '"withoutCredentials":"allow",',
    'records say nothing',
  );
});
