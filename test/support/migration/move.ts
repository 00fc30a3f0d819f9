import sharp from 'sharp';
import type { Test } from 'tap';
import { addApplication } from '#src/clients/applications/add-application.js';
import { changeApplication } from '#src/clients/applications/change-application.js';
import { addApplicationGrant } from '#src/clients/grants/change-application-grants.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import { changeServiceUser } from '#src/clients/service-users/change-service-user.js';
import { setLogo } from '#src/organizations/logo/index.js';
import { addGroup } from '#src/people/groups/add-group.js';
import type { Rooms } from '#src/rooms.js';
import { encodeServiceAccount } from '../../../dev/storage/service-account.js';
import { startStorageServer } from '../../../dev/storage/storage-server.js';
import { makeFullOrganization } from '../app/full-organization.js';
import { makeCaller, makeOrganization, testEditor, uniqueName } from '../app/make.js';
import { buildTestApp } from '../app/test-app.js';

/** Adds clients whose settings all differ from the defaults, as an earlier version stored them. */
async function addEarlierClients(container: Rooms, orgId: string, projectId: string): Promise<void> {
  const profile = { displayName: uniqueName('Old') };
  const group = await addGroup(container, { orgId, profile, members: new Set(), editor: testEditor });
  const { application } = await addApplication(container, {
    orgId,
    settings: {
      name: 'Old',
      type: 'web',
      authMethod: 'private_key_jwt',
      redirectUris: ['https://old.example/callback'],
      postLogoutRedirectUris: ['https://old.example/'],
      responseTypes: ['id_token', 'code'],
      grantTypes: ['refresh_token', 'implicit', 'authorization_code'],
      accessTokenType: 'jwt',
      idTokenUserinfoAssertion: true,
      groupsClaim: 'identifiers',
      groupsClaimSelection: 'assigned',
      groupsClaimPrefix: 'old-',
      projectId,
      orgOnly: false,
      acr: 'phr',
      allowedGroups: [group.id],
      connectionId: 'a-connection-of-before',
    },
    editor: testEditor,
  });
  await changeApplication(container, { orgId, id: application.id, editor: testEditor }, { active: false });
  const { id } = await addServiceUser(container, {
    orgId,
    userName: uniqueName('old'),
    name: 'Old',
    accessTokenType: 'jwt',
    editor: testEditor,
  });
  await changeServiceUser(container, { orgId, id, editor: testEditor, change: { active: false } });
  for (const [collection, _id] of [
    ['applications', application.id],
    ['serviceUsers', id],
  ] as const) {
    const documents = container.mongo.db.collection<{ _id: string }>(collection);
    await documents.updateOne({ _id }, { $unset: { singleAudience: 1 } });
  }
}

/** An instance with two organizations that have everything that travels, the body of their export, and a bucket for it. */
export async function openMove(t: Pick<Test, 'teardown'>) {
  const storage = await startStorageServer(t, ['moves']);
  const gcs = { bucket: 'moves', path: 'instance.json', serviceaccount_json: encodeServiceAccount() };

  /** An instance with its own organization. Its owner sends the requests. */
  async function openInstance() {
    const { container, app, call } = await buildTestApp(t, {
      workers: true,
      storageEmulatorHost: storage.endpoint,
    });
    const { id } = await makeOrganization(container);
    const as = await makeCaller(container, id, ['IAM_OWNER']);
    const post = async (path: string, body: unknown) => {
      const answer = await call(`POST /admin/v1/${path}`, { as, body });
      if (answer.status !== 200) throw new Error(`${path} answers ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const lines = async (path: string): Promise<Record<string, unknown>[]> => {
      const headers = { authorization: `Bearer ${as.token}` };
      const { body } = await app.inject({ method: 'GET', url: path, headers });
      return body.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    };
    return { container, call, post, lines };
  }

  const source = await openInstance();
  const moved = [await makeFullOrganization(source.container), await makeFullOrganization(source.container)];
  for (const { orgId, project } of moved) await addEarlierClients(source.container, orgId, project.id);
  const [granting, granted] = moved;
  await addApplicationGrant(source.container, {
    orgId: granting?.orgId ?? '',
    clientId: granted?.web.id ?? '',
    editor: testEditor,
  });
  // One organization has an uploaded logo, and the other one a logo at another address.
  const uploaded = await sharp({ create: { width: 90, height: 30, channels: 4, background: '#0a6b4f80' } })
    .png()
    .toBuffer();
  await setLogo(source.container, { orgId: granted?.orgId ?? '', uploaded, editor: testEditor });
  const wanted = { org_ids: moved.map(({ orgId }) => orgId), with_passwords: true, with_otp: true };
  return { storage, gcs, openInstance, source, moved, wanted };
}
