import type { Test } from 'tap';
import { addMembership } from '#src/access/memberships/add-membership.js';
import { addPersonalAccessToken } from '#src/clients/service-users/add-personal-access-token.js';
import { addServiceUser } from '#src/clients/service-users/add-service-user.js';
import type { PasswordPolicy } from '#src/directory/organization.js';
import { isInstanceRole, type Role } from '#src/directory/roles.js';
import { addOrganization } from '#src/organizations/add-organization.js';
import { ScimClient } from '../scim/scim-client.js';
import { testEditor, uniqueName } from './make.js';
import { buildTestApp, type TestApp, type TestAppOptions } from './test-app.js';

interface ClientOptions {
  readonly orgId: string;
  /** `none` is a service user without any role. */
  readonly role?: Role | 'none';
  readonly ignorePasswordOnCreate?: boolean;
  readonly ignorePasswords?: boolean;
}

interface TenantOptions extends Omit<ClientOptions, 'orgId'> {
  readonly id?: string;
  readonly passwordPolicy?: Partial<PasswordPolicy>;
}

/** An application, and SCIM clients for it. */
export interface ScimApp extends TestApp {
  /** A client with full rights in a new organization. */
  tenant(options?: TenantOptions): Promise<ScimClient>;
  /** A client whose service user belongs to this organization. A role of an organization applies to it. */
  client(options: ClientOptions): Promise<ScimClient>;
}

/** {@link buildTestApp} for tests of SCIM. */
export async function openScim(t: Pick<Test, 'teardown'>, overrides: TestAppOptions = {}): Promise<ScimApp> {
  const opened = await buildTestApp(t, overrides);
  const { app, container } = opened;
  const editor = testEditor;

  const client = async ({ orgId, role = 'ORG_OWNER', ...more }: ClientOptions): Promise<ScimClient> => {
    const { id } = await addServiceUser(container, {
      orgId,
      userName: uniqueName('service'),
      ignorePasswordOnCreate: more.ignorePasswordOnCreate ?? false,
      ignorePasswords: more.ignorePasswords ?? false,
      editor,
    });
    if (role !== 'none') {
      const place = isInstanceRole(role) ? {} : { orgId };
      await addMembership(container, { userId: id, role, ...place, editor });
    }
    const { token } = await addPersonalAccessToken(container, { orgId, userId: id, editor });
    return new ScimClient(app, { orgId, token, userId: id, baseUrl: container.config.baseUrl });
  };

  const tenant = async ({ id, passwordPolicy, ...options }: TenantOptions = {}): Promise<ScimClient> => {
    const organization = await addOrganization(container, {
      name: uniqueName('Organization'),
      ...(id !== undefined && { id }),
      ...(passwordPolicy && { passwordPolicy }),
      editor,
    });
    return client({ ...options, orgId: organization.id });
  };

  return { ...opened, client, tenant };
}
