import { type Happening, newEvents } from '#src/audit/new-event.js';
import { type Application, forgetOrigins, publishChosen } from '#src/clients/applications/index.js';
import { toKeys } from '../credentials/key-records.js';
import { toSecret } from '../credentials/secret-records.js';
import type { SectionContext, SectionPlan } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import type { TakenIdentifiers } from '../shared/taken-identifiers.js';
import type { ApplicationItem } from './application-item.js';

/** Returns what a plan does in its transaction and after it: it adds the applications of records. */
export function writeApplications(
  deps: Pick<SectionDeps, 'applications' | 'events' | 'caches' | 'signingKeys'>,
  context: Pick<SectionContext, 'orgId' | 'editor' | 'now'>,
  { created, identifiers }: { created: readonly ApplicationItem[]; identifiers: TakenIdentifiers },
): Required<Pick<SectionPlan, 'write' | 'written'>> {
  const { orgId, editor } = context;
  const applications = created.map((item) => newApplication(item, context));
  return {
    async write(transaction) {
      const ids = created.map(({ id }) => id);
      await identifiers.reserve(ids, transaction);
      await deps.applications.insert(orgId, applications, transaction);
      await deps.events.append(
        applications.flatMap((application) =>
          newEvents('application', application, { happened: happenedTo(application), editor }),
        ),
        transaction,
      );
    },
    async written() {
      await forgetOrigins(
        deps,
        applications.flatMap(({ redirectUris }) => redirectUris),
      );
      await publishChosen(deps, applications);
    },
  };
}

function newApplication(
  { id, content }: ApplicationItem,
  { orgId, now }: Pick<SectionContext, 'orgId' | 'now'>,
): Application {
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
}

/** What an administrator would have done, one step after the other. */
function happenedTo({ name, type, authMethod, keys }: Application): Happening[] {
  return [
    ['application.added', { name, type, authMethod }],
    ...keys.map(({ kid }): Happening => ['application.key.added', { kid }]),
  ];
}
