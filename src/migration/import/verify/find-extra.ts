import type { Account, OpenedAccounts } from '#src/accounts/index.js';
import type { Organization } from '#src/directory/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { canonicalJson, keyBytes } from '../../digest/record-digest.js';
import {
  type ExportSectionKey,
  type ExportSectionsDeps,
  exportSections,
} from '../../export/export-sections.js';

export type FindExtraDeps = ExportSectionsDeps & Pick<OpenedAccounts, 'accounts'>;

/** An object that the file does not have. */
interface ExtraObject {
  /** Its identifier in the report. */
  readonly id: string;
  /** All its attributes, and its key, as one text. */
  readonly text: string;
}

/** Objects of one list of an organization that the file does not have. */
export interface ExtraOfOrganization {
  readonly orgId: string;
  readonly list: string;
  readonly objects: readonly ExtraObject[];
}

/** Every record of a list, without its secrets. */
const everyRecord = { withPasswords: false, withOtp: false, orgIds: [], excludedOrgIds: [] };

/** People that are read at once. */
const peopleAtOnce = 250;

/** The names that make the key of a record, as the sections of imports have it. */
const keyNames: Readonly<Record<Exclude<ExportSectionKey, 'humanUsers'>, readonly string[]>> = {
  domains: ['domainName'],
  groups: ['groupId'],
  groupMembers: ['groupId', 'userId'],
  projects: ['projectId'],
  projectRoles: ['projectId', 'roleKey'],
  oidcApps: ['appId'],
  apiApps: ['appId'],
  applicationGrants: ['clientId'],
  machineUsers: ['userId'],
  userGrants: ['projectId', 'userId'],
  groupGrants: ['projectId', 'groupId'],
  orgMembers: ['userId'],
  projectMembers: ['projectId', 'userId'],
  userMetadata: ['userId', 'key'],
  identityLinks: ['userId'],
  connections: ['connectionId'],
  webauthnCredentials: ['userId'],
};

interface WantedExtra {
  readonly organization: Organization;
  /** The keys of lists. Those that an export does not have are left out. */
  readonly lists: readonly string[];
  /** Gets the `keyBytes` of an object. */
  readonly isExtra: (key: Buffer) => boolean;
  /** Is called for each page. It throws to stop. */
  readonly look: () => Promise<void>;
}

/** Finds the objects of an organization that the file does not have, in pages. Of people it first reads the identifiers alone. */
export async function* findExtra(
  deps: FindExtraDeps,
  wanted: WantedExtra,
): AsyncGenerator<ExtraOfOrganization> {
  for (const list of wanted.lists) {
    if (list === 'humanUsers') yield* extraPeople(deps, wanted);
    else if (isExported(list)) yield* extraRecords(deps, wanted, list);
  }
}

async function* extraPeople(
  { accounts }: Pick<FindExtraDeps, 'accounts'>,
  { organization: { id: orgId }, isExtra, look }: WantedExtra,
): AsyncGenerator<ExtraOfOrganization> {
  const list = 'humanUsers';
  for await (const ids of accounts.ids(orgId)) {
    await look();
    const extra = ids.filter((key) => isExtra(keyBytes({ list, orgId, key })));
    for (let at = 0; at < extra.length; at += peopleAtOnce) {
      const found = await accounts.findEach(orgId, extra.slice(at, at + peopleAtOnce));
      const objects = found.map((one) => {
        const { id } = one.user;
        return { id, text: textOf({ list, orgId, key: id }, contentOf(one)) };
      });
      if (objects.length > 0) yield { orgId, list, objects };
    }
  }
}

async function* extraRecords(
  deps: ExportSectionsDeps,
  { organization, isExtra, look }: WantedExtra,
  list: keyof typeof keyNames,
): AsyncGenerator<ExtraOfOrganization> {
  const { id: orgId } = organization;
  for await (const records of exportSections[list](deps, organization, everyRecord)) {
    await look();
    const keyed = records.map((record) => ({
      record,
      values: keyNames[list].map((name) => textAt(record, name)),
    }));
    const extra = keyed.filter(({ values }) => isExtra(keyBytes({ list, orgId, key: values.join(' ') })));
    const objects = extra.map(({ record, values }) => ({
      id: values.join('/'),
      text: textOf({ list, orgId, key: values.join(' ') }, record),
    }));
    if (objects.length > 0) yield { orgId, list, objects };
  }
}

/** An object, and its key, as one text. */
function textOf({ list, orgId, key }: Parameters<typeof keyBytes>[0], content: unknown): string {
  return `${list}\0${orgId}\0${key}\0${canonicalJson(content)}`;
}

function isExported(list: string): list is keyof typeof keyNames {
  return Object.hasOwn(keyNames, list);
}

function textAt(record: object, name: string): string {
  return isJsonObject(record) ? String(record[name]) : '';
}

/** A person with its credentials, for a digest. */
function contentOf({ user, password, totp }: Account): object {
  return { user, password: password?.hash, totp: totp?.sealed };
}
