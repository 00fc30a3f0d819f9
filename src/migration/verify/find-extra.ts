import type { Account, OpenedAccounts } from '#src/accounts/index.js';
import type { Organization } from '#src/directory/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { canonicalJson, keyBytes } from '../digest/record-digest.js';
import { type ExportSectionKey, type ExportSectionsDeps, exportSections } from '../export/export-sections.js';

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
};

/**
 * Finds the objects of an organization that the file does not have, in pages. Of people it first reads the identifiers alone.
 * @param wanted `lists`: the keys of lists. Those that an export does not have are left out. `isExtra` gets the `keyBytes` of an object.
 * `look` is called for each page. It throws to stop
 */
export async function* findExtra(
  deps: FindExtraDeps,
  wanted: {
    readonly organization: Organization;
    readonly lists: readonly string[];
    readonly isExtra: (key: Buffer) => boolean;
    readonly look: () => Promise<void>;
  },
): AsyncGenerator<ExtraOfOrganization> {
  const { organization, lists, isExtra, look } = wanted;
  const { id: orgId } = organization;
  const textOf = (list: string, key: string, content: unknown) =>
    `${list}\0${orgId}\0${key}\0${canonicalJson(content)}`;
  for (const list of lists) {
    if (list === 'humanUsers') {
      for await (const ids of deps.accounts.ids(orgId)) {
        await look();
        const extra = ids.filter((key) => isExtra(keyBytes({ list, orgId, key })));
        for (let at = 0; at < extra.length; at += peopleAtOnce) {
          const named = { ids: extra.slice(at, at + peopleAtOnce), userNames: [] };
          const accounts = await deps.accounts.findTaken(orgId, named);
          const own = accounts.filter(({ user }) => user.orgId === orgId);
          const objects = own.map((one) => ({
            id: one.user.id,
            text: textOf(list, one.user.id, contentOf(one)),
          }));
          if (objects.length > 0) yield { orgId, list, objects };
        }
      }
    } else if (isExported(list)) {
      for await (const records of exportSections[list](deps, organization, everyRecord)) {
        await look();
        const keyed = records.map((record) => ({
          record,
          parts: keyNames[list].map((name) => textAt(record, name)),
        }));
        const extra = keyed.filter(({ parts }) => isExtra(keyBytes({ list, orgId, key: parts.join(' ') })));
        const objects = extra.map(({ record, parts }) => ({
          id: parts.join('/'),
          text: textOf(list, parts.join(' '), record),
        }));
        if (objects.length > 0) yield { orgId, list, objects };
      }
    }
  }
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
