import { apiAppRecord, oidcAppRecord } from '../../../format/application.record.js';
import { reservedName } from '../section/reservations.js';
import type { ImportSection } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { planRecords } from '../shared/plan-records.js';
import { createRecordReader, nameBy } from '../shared/record-reader.js';
import type { TakenIdentifiersDeps } from '../shared/taken-identifiers.js';
import { type ApplicationItem, applicationDifferences, toApplicationItem } from './application-item.js';
import { surveyApplications } from './survey-applications.js';
import { writeApplications } from './write-applications.js';

type ApplicationsDeps = Pick<SectionDeps, 'applications' | 'projects' | 'events' | 'caches' | 'signingKeys'> &
  TakenIdentifiersDeps;

const readOidcApp = createRecordReader(oidcAppRecord);
const readApiApp = createRecordReader(apiAppRecord);

/** `oidcApps`: applications that people sign in to. The rules are those of the applications that administrators add. */
export function oidcAppsSection(deps: ApplicationsDeps): ImportSection {
  return section(deps, { key: 'oidcApps', errorType: 'oidc_app', successKey: 'oidcAppIds' }, (record) => {
    const { appId, projectId, app } = readOidcApp(record);
    return toApplicationItem(appId, { ...app, ...(projectId !== undefined && { projectId }) });
  });
}

/** `apiApps`: APIs that introspect tokens. */
export function apiAppsSection(deps: ApplicationsDeps): ImportSection {
  return section(deps, { key: 'apiApps', errorType: 'api_app', successKey: 'apiAppIds' }, (record) => {
    const { appId, projectId, app } = readApiApp(record);
    return toApplicationItem(appId, { ...app, type: 'api', ...(projectId !== undefined && { projectId }) });
  });
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
      const { orgId } = context;
      const { outcomes, created, reservations, survey } = await planRecords(records, context, {
        nameOf: nameBy('appId'),
        read,
        survey: (items: readonly ApplicationItem[], findReserved) =>
          surveyApplications(deps, { orgId, findReserved }, items),
        ownReservations: ({ id }) => [reservedName.applicationOf(orgId, id)],
        sharedReservations: ({ id, content }) => [
          reservedName.application(id),
          ...(content.settings.orgOnly ? [] : [reservedName.openApplication(id)]),
        ],
        differences: applicationDifferences,
      });
      const { identifiers } = survey;
      return { outcomes, reservations, ...writeApplications(deps, context, { created, identifiers }) };
    },
  };
}
