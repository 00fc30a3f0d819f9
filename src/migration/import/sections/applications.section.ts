import { type Happening, newEvents } from '#src/audit/new-event.js';
import {
  type Application,
  type ApplicationSettings,
  forgetOrigins,
  type GivenSettings,
  requireApplicationSettings,
  settingNames,
  settingsOf,
  usesSecret,
  withDefaults,
} from '#src/clients/applications/index.js';
import { apiAppRecord, oidcAppRecord } from '../../format/application.record.js';
import { differingWhenStated } from './clients/differing-when-stated.js';
import { type KeyRecord, toKeyRecord, toKeys } from './clients/key-records.js';
import { differingNames, otherContent } from './differences/other-content.js';
import { planRecords, type RecordItem } from './plan-records.js';
import { createProjectCheck } from './project-references.js';
import { RecordFailure } from './record-failure.js';
import { createRecordReader, nameBy } from './record-reader.js';
import { reservedName } from './reservations.js';
import { type SecretRecord, toSecret, toSecretRecord, withoutOthers } from './secret-records.js';
import type { ImportSection } from './section.js';
import type { SectionDeps } from './section-deps.js';
import { type TakenIdentifiers, type TakenIdentifiersDeps, takenIdentifiers } from './taken-identifiers.js';

type ApplicationsDeps = Pick<SectionDeps, 'applications' | 'projects' | 'events' | 'caches'> &
  TakenIdentifiersDeps;

interface ApplicationContent {
  readonly settings: ApplicationSettings;
  readonly active: boolean;
  /** Absent if the file does not say it. */
  readonly singleAudience?: boolean;
  /** Absent if the file has none. An export has them only together with passwords. */
  readonly secrets?: readonly SecretRecord[];
  /** Absent if the file has none. Such a record says nothing about keys. */
  readonly keys?: readonly KeyRecord[];
}

type ApplicationItem = RecordItem<ApplicationContent>;

const readOidcApp = createRecordReader(oidcAppRecord);
const readApiApp = createRecordReader(apiAppRecord);

/** `oidcApps`: applications that people sign in to. The rules are those of the applications that administrators add. */
export function oidcAppsSection(deps: ApplicationsDeps): ImportSection {
  return section(deps, { key: 'oidcApps', errorType: 'oidc_app', successKey: 'oidcAppIds' }, (record) => {
    const { appId, projectId, app } = readOidcApp(record);
    return toItem(appId, { ...app, ...(projectId !== undefined && { projectId }) });
  });
}

/** `apiApps`: APIs that introspect tokens. */
export function apiAppsSection(deps: ApplicationsDeps): ImportSection {
  return section(deps, { key: 'apiApps', errorType: 'api_app', successKey: 'apiAppIds' }, (record) => {
    const { appId, projectId, app } = readApiApp(record);
    return toItem(appId, { ...app, type: 'api', ...(projectId !== undefined && { projectId }) });
  });
}

type GivenApplication = GivenSettings & {
  readonly active?: boolean;
  readonly singleAudience?: boolean;
  readonly clientSecrets?: readonly SecretRecord[];
  readonly clientKeys?: readonly KeyRecord[];
};

function toItem(
  id: string,
  { active = true, singleAudience, clientSecrets, clientKeys, ...given }: GivenApplication,
): ApplicationItem {
  if (!/^[\w.~-]{1,200}$/.test(id)) {
    throw new RecordFailure('VALUE-INVALID', 'appId must be 1 to 200 letters, digits, or . _ ~ -');
  }
  const settings = settingsOf(requireApplicationSettings(withDefaults(given)), settingNames);
  if (clientSecrets !== undefined && !usesSecret(settings.authMethod)) {
    throw new RecordFailure('VALUE-INVALID', 'The application does not authenticate with a secret');
  }
  const secrets = clientSecrets?.map(withoutOthers);
  const keys = clientKeys && toKeys(clientKeys).map(toKeyRecord);
  return {
    id,
    key: id,
    content: {
      settings,
      active,
      ...(singleAudience !== undefined && { singleAudience }),
      ...(secrets && { secrets }),
      ...(keys && { keys }),
    },
  };
}

function section(
  deps: ApplicationsDeps,
  named: Pick<ImportSection, 'key' | 'errorType' | 'successKey'>,
  read: (record: unknown) => ApplicationItem,
): ImportSection {
  return {
    ...named,
    quota: 'applications',
    phase: 3,
    forms: ['instance'],
    async plan(records, context) {
      const { orgId, editor, now } = context;
      let identifiers: TakenIdentifiers | undefined;
      const { outcomes, created, reservations } = await planRecords<ApplicationItem>(records, context, {
        nameOf: nameBy('appId'),
        read,
        async survey(items, findReserved) {
          const ids = items.map(({ id }) => id);
          const projectIds = items.flatMap(({ content }) => content.settings.projectId ?? []);
          // Before the stored objects are read: what another import adds in between is then among them, and skipped.
          identifiers = await takenIdentifiers(deps, { orgId, findReserved, ids, kind: 'application' });
          const { taken } = identifiers;
          const [found, requireProject, reserved] = await Promise.all([
            deps.applications.findMany(ids),
            createProjectCheck(deps, { orgId, findReserved, projectIds }),
            findReserved(ids.map((id) => reservedName.applicationOf(orgId, id))),
          ]);
          const own = found.filter((application) => application.orgId === orgId);
          return {
            stored: new Map(own.map((application) => [application.id, contentOf(application)])),
            admit({ id, content }) {
              // Reserved by a record of the other list: `oidcApps` and `apiApps` share identifiers.
              if (reserved.has(reservedName.applicationOf(orgId, id))) throw otherContent(['type']);
              if (taken.has(id)) throw new RecordFailure('ID-TAKEN');
              const { projectId } = content.settings;
              if (projectId !== undefined) requireProject(projectId);
            },
          };
        },
        ownReservations: ({ id }) => [reservedName.applicationOf(orgId, id)],
        sharedReservations: ({ id, content }) => [
          reservedName.application(id),
          ...(content.settings.orgOnly ? [] : [reservedName.openApplication(id)]),
        ],
        differences,
      });
      const applications = created.map(({ id, content }): Application => {
        const { settings, active, singleAudience = true, secrets = [], keys = [] } = content;
        return {
          ...settings,
          id,
          orgId,
          active,
          secrets: secrets.map(toSecret),
          keys: toKeys(keys),
          ...(singleAudience && { singleAudience }),
          // Each event of a new object has a version of its own.
          version: 1 + keys.length,
          created: now,
          lastModified: now,
        };
      });
      return {
        outcomes,
        reservations,
        async write(transaction) {
          const ids = created.map(({ id }) => id);
          await identifiers?.reserve(ids, transaction);
          await deps.applications.insert(orgId, applications, transaction);
          await deps.events.append(
            applications.flatMap((application) => {
              const { name, type, authMethod, keys } = application;
              const happened: Happening[] = [
                ['application.added', { name, type, authMethod }],
                ...keys.map(({ kid }): Happening => ['application.key.added', { kid }]),
              ];
              return newEvents('application', application, { happened, editor });
            }),
            transaction,
          );
        },
        written: () =>
          forgetOrigins(
            deps,
            applications.flatMap(({ redirectUris }) => redirectUris),
          ),
      };
    },
  };
}

function contentOf(application: Application): ApplicationContent {
  const { active, singleAudience = false, secrets, keys } = application;
  return {
    settings: settingsOf(application, settingNames),
    active,
    singleAudience,
    secrets: secrets.map(toSecretRecord),
    keys: keys.map(toKeyRecord),
  };
}

function whenStated({ singleAudience, secrets, keys }: ApplicationContent) {
  return { singleAudience, clientSecrets: secrets, clientKeys: keys };
}

function differences(stored: ApplicationContent, given: ApplicationContent): string[] {
  // The other settings of the two lists do not compare, and a dry run does not read the other list.
  if ((stored.settings.type === 'api') !== (given.settings.type === 'api')) return ['type'];
  return [
    ...differingNames(
      { ...stored.settings, active: stored.active },
      { ...given.settings, active: given.active },
    ),
    ...differingWhenStated(whenStated(stored), whenStated(given)),
  ];
}
