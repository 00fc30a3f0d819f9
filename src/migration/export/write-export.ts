import type { Container } from '#src/container.js';
import type { Organization } from '#src/directory/organization.js';
import type { OrgRecord } from '../format/org.record.js';
import type { ExportRequest } from './export-request.js';
import { type ExportSectionKey, type ExportSectionsDeps, exportSections } from './export-sections.js';
import { pagesOf } from './pages.js';

export type WriteExportDeps = ExportSectionsDeps & Pick<Container, 'organizations'>;

/** How many records of each kind were written; `orgs` counts the organizations. */
export type ExportCounts = Record<'orgs' | ExportSectionKey, number>;

export function noCounts(): ExportCounts {
  const counts = { orgs: 0 } as ExportCounts;
  for (const key of sectionKeys) counts[key] = 0;
  return counts;
}

const sectionKeys = Object.keys(exportSections) as ExportSectionKey[];
const organizationsAtOnce = 100;
/** Text that is gathered before it is handed on, in characters. */
const chunkLength = 65_536;

/**
 * The export as text in UTF-8, a record on each line: organizations and the records of each list in the order of their
 * identifiers. Never more than two pages of users are in memory.
 * @param counts is kept up to date while it is written
 */
export async function* writeExport(
  deps: WriteExportDeps,
  request: ExportRequest,
  counts: ExportCounts,
): AsyncGenerator<Buffer> {
  let gathered = '';
  for await (const text of pieces(deps, request, counts)) {
    gathered += text;
    if (gathered.length < chunkLength) continue;
    yield Buffer.from(gathered);
    gathered = '';
  }
  yield Buffer.from(gathered);
}

async function* pieces(deps: WriteExportDeps, request: ExportRequest, counts: ExportCounts) {
  yield '{"orgs":[';
  for await (const organization of wanted(deps, request)) {
    const { id, name, passwordPolicy, login } = organization;
    const org: OrgRecord = { name, passwordPolicy, login };
    const separator = counts.orgs === 0 ? '' : ',';
    yield `${separator}\n{"orgId":${JSON.stringify(id)},"org":${JSON.stringify(org)}`;
    for (const key of sectionKeys) {
      yield `,\n"${key}":[`;
      let separator = '\n';
      for await (const records of exportSections[key](deps, organization, request)) {
        if (records.length === 0) continue;
        yield separator + records.map((record) => JSON.stringify(record)).join(',\n');
        separator = ',\n';
        counts[key] += records.length;
      }
      yield ']';
    }
    yield '}';
    counts.orgs += 1;
  }
  yield '\n]}\n';
}

async function* wanted(
  { organizations }: Pick<Container, 'organizations'>,
  { orgIds, excludedOrgIds }: Pick<ExportRequest, 'orgIds' | 'excludedOrgIds'>,
): AsyncGenerator<Organization> {
  const excluded = new Set(excludedOrgIds);
  if (orgIds.length > 0) {
    for (const id of [...new Set(orgIds)].filter((one) => !excluded.has(one)).sort()) {
      const organization = await organizations.find(id);
      if (organization !== undefined) yield organization;
    }
    return;
  }
  const read = (after: string | undefined) =>
    organizations.page({ ...(after !== undefined && { after }), limit: organizationsAtOnce });
  for await (const page of pagesOf({ limit: organizationsAtOnce, read, positionOf: ({ id }) => id })) {
    yield* page.filter(({ id }) => !excluded.has(id));
  }
}
