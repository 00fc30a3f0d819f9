import type { Organization } from '#src/directory/index.js';
import type { ExportNeeds } from './export-needs.js';
import { exportWithLogo } from './export-organization.js';
import type { ExportRequest } from './export-request.js';
import {
  type ExportSectionKey,
  type ExportSectionsDeps,
  exportSections,
  listsOf,
} from './export-sections.js';
import { countLeftOut, type LeftOut } from './left-out.js';
import { pagesOf } from './pages.js';

export type WriteExportDeps = ExportSectionsDeps &
  Pick<ExportNeeds, 'consents' | 'logos' | 'organizations' | 'personalAccessTokens'>;

/** The number of written records of each list of the export. `orgs` counts the organizations. */
export type ExportCounts = { orgs: number } & Partial<Record<ExportSectionKey, number>>;

export function noCounts(request: Pick<ExportRequest, 'contents'>): ExportCounts {
  const counts: ExportCounts = { orgs: 0 };
  for (const key of listsOf(request)) counts[key] = 0;
  return counts;
}

const organizationsAtOnce = 100;

/**
 * The export as text in UTF-8, with one record on each line. Organizations and the records of each list are in the order of
 * their identifiers. At most a few pages of users are in memory.
 * @param told `counts` and `leftOut` are updated while the export is written
 */
export async function* writeExport(
  deps: WriteExportDeps,
  request: ExportRequest,
  { counts, leftOut }: { counts: ExportCounts; leftOut: LeftOut },
): AsyncGenerator<Buffer> {
  const text = new GatheredText();
  text.add('{"orgs":[');
  for await (const organization of wanted(deps, request)) {
    const { id } = organization;
    const org = await exportWithLogo(deps.logos, organization);
    text.add(`${counts.orgs === 0 ? '' : ','}\n{"orgId":${JSON.stringify(id)},"org":${JSON.stringify(org)}`);
    for (const key of listsOf(request)) {
      text.add(`,\n"${key}":[`);
      let separator = '\n';
      for await (const records of exportSections[key](deps, organization, { ...request, leftOut })) {
        for (const record of records) {
          text.add(separator + JSON.stringify(record));
          separator = ',\n';
        }
        counts[key] = (counts[key] ?? 0) + records.length;
        yield* text.take();
      }
      text.add(']');
    }
    text.add('}');
    if (request.contents === undefined) await countLeftOut(deps, organization, leftOut);
    counts.orgs += 1;
  }
  text.add('\n]}\n');
  yield* text.take();
  yield text.rest();
}

/** In characters. Longer strings would stay in memory until the next full garbage collection. */
const chunkLength = 32_768;

/** Gathers text into chunks of a useful size. */
class GatheredText {
  #text = '';
  #chunks: Buffer[] = [];

  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= chunkLength) this.#chunks.push(this.rest());
  }

  /** Removes and returns the full chunks. */
  take(): Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  /** Removes and returns the rest of the text. */
  rest(): Buffer {
    const chunk = Buffer.from(this.#text);
    this.#text = '';
    return chunk;
  }
}

async function* wanted(
  { organizations }: Pick<ExportNeeds, 'organizations'>,
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
