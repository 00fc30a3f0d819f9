import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { convertAuth0 } from '#src/migration/convert/auth0/convert-auth0.js';
import type { ConversionReport } from '#src/migration/convert/conversion-report.js';
import { convertPeople } from '#src/migration/convert/convert-people.js';
import type { BodyOptions } from '#src/migration/convert/import-body.js';
import { convertKeycloak } from '#src/migration/convert/keycloak/convert-keycloak.js';
import { peopleFormats } from '#src/migration/convert/people/people-formats.js';
import { scimFormat } from '#src/migration/convert/people/scim.js';
import { convertZitadel } from '#src/migration/convert/zitadel/convert-zitadel.js';
import { buildTestApp } from '../../support/app/test-app.js';
import { checkLosses, nameOf } from '../../support/migration/real/count-losses.js';
import { openImporter } from '../../support/migration/real/importer.js';
import {
  countRealm,
  type KeycloakRealm,
  keycloakRealms,
  ofKeycloak,
  passwordsOf,
  realmText,
} from '../../support/migration/real/keycloak-realms.js';
import { fileOf, type Peer, peers } from '../../support/migration/real/peers.js';
import type { Json } from '../../support/migration/real/sample.js';

/**
 * People of published realms of Keycloak and of the documentation of other systems go in. Each person is imported, or refused for a reason
 * that the sample names. The report of losses is an own count. Whoever's password is known signs in with it.
 */

const opened = await buildTestApp(t, { workers: true, loginFailureMilliseconds: 0 });
const folder = mkdtempSync(join(tmpdir(), 'muster-real-'));
t.teardown(() => rmSync(folder, { recursive: true }));
const target = join(folder, 'body.json');

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** The code or the first words of the reason why each line is refused. */
function reasonsIn({ problems }: ConversionReport): (readonly [line: number, reason: string])[] {
  return problems
    .list()
    .filter(({ severity }) => severity === 'error')
    .map(({ line, message }) => [line, message.split(':')[0] ?? '']);
}

const notesIn = ({ problems }: ConversionReport) =>
  problems.list().flatMap(({ severity, message }) => (severity === 'note' ? [message] : []));

const usual = { emailVerified: false, skipInvalid: true, strict: false };
const inPlainText = JSON.stringify({ rules: { clearPasswords: 'exempt' } });

for (const realm of keycloakRealms) {
  t.test(`Keycloak: ${realm.source.project} ${realm.source.file}`, async (t) => {
    const importer = await openImporter(opened);
    const { orgId } = importer;
    const path = write('realm.json', realmText(realm));
    const output = { path: target, orgId, timeout: '5m', multiline: false };
    const converted = convertKeycloak({ realm: [path], ...usual, map: inPlainText }, output);
    const { records, beside } = countRealm(JSON.parse(realmText(realm)));
    const { refused = [] } = realm;
    if (refused.length === records.length) {
      await t.rejects(converted, { message: /HASH-MISSING/ }, 'nobody can be imported');
      return;
    }
    const report = await converted;
    const expected = reasonsOf(realm);
    t.same(reasonsIn(report), expected);
    const { body, answer, people } = await importer.send(target);
    t.match(answer, { summary: { failed: 0 } }, JSON.stringify(answer.errors));
    t.equal(people + expected.length, records.length, 'everybody is there, or has a reason');
    const why = Object.fromEntries(refused.map((name) => [name, 'HASH-MISSING']));
    checkLosses(t, { records, beside, body, report }, { ...ofKeycloak, refused: why });
    await importer.checkPasswords(t, passwordsOf(realm));
  });
}

/** The lines of the people whom a conversion of a realm refuses, with the reason. */
function reasonsOf({ users, refused = [] }: KeycloakRealm): (readonly [number, string])[] {
  return users.flatMap((user, at) =>
    refused.includes(nameOf(user, ofKeycloak)) ? [[at + 2, 'HASH-MISSING'] as const] : [],
  );
}

for (const peer of peers) {
  t.test(`${peer.system}: ${peer.source.project}, ${peer.source.file}`, async (t) => {
    const { records, refused = {}, passwords = {}, beside, lostAs, notes = [] } = peer;
    const own = peer.system === 'zitadel' ? organizationIn(peer) : undefined;
    const importer = await openImporter(opened, own);
    const { text, lines } = fileOf(peer);
    const output = { path: target, orgId: importer.orgId, timeout: '5m', multiline: false };
    const report = await convertPeer(peer, write('people', text), output);
    const expected = records.flatMap((record, at) => {
      const reason = refused[nameOf(record, peer)];
      return reason === undefined ? [] : [[lines[at], reason]];
    });
    t.same(reasonsIn(report), expected);
    const told = notesIn(report);
    t.equal(told.length, notes.length);
    for (const [at, words] of notes.entries()) t.match(told[at], words);
    const { body, answer, people } = await importer.send(target);
    t.match(answer, { summary: { failed: 0 } }, JSON.stringify(answer.errors));
    t.equal(people + expected.length, records.length, 'everybody is there, or has a reason');
    checkLosses(t, { records, beside: beside?.lost ?? {}, lostAs, body, report }, peer);
    await importer.checkPasswords(t, passwords);
  });
}

function convertPeer(peer: Peer, path: string, output: BodyOptions): Promise<ConversionReport> {
  const { system, records, beside, options } = peer;
  const given = { ...usual, ...options };
  if (system === 'auth0') {
    const hashes = (beside?.records ?? []).map((record) => `${JSON.stringify(record)}\n`).join('');
    return convertAuth0({ users: path, passwords: write('hashes', hashes), ...given }, output);
  }
  if (system === 'zitadel') return convertZitadel({ export: path, ...given }, output);
  if (system === 'scim') {
    const get = async (url: string) => {
      const Resources = url.includes('/Users') ? records : [];
      return { totalResults: Resources.length, startIndex: 1, Resources };
    };
    return convertPeople(scimFormat({ get }), { users: ['x/Users', 'x/Groups'], ...given }, output);
  }
  const format = peopleFormats[system];
  if (format === undefined) throw new Error(`There is no ${system}`);
  return convertPeople(format, { users: [path], ...given }, output);
}

/** The identifier of the organization that a body of ZITADEL brings along. */
function organizationIn({ around = ['', ''] }: Peer): string {
  const { orgs } = JSON.parse(around.join('')) as { orgs: readonly Json[] };
  return String(orgs[0]?.['orgId']);
}
