import { type Html, html } from '#src/http/pages/html.js';
import { field, select } from '../http/form.js';
import { countLine, emptyList, moment, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { searchForm } from '../http/search-form.js';
import { linkTo } from '../http/segments.js';
import { type ConsoleVisit, managesUsers, queryText } from '../http/visit.js';
import { findGroups, groupOrders, groupsPath, type ScimGroup } from '../resources/group.js';
import { organizationOfPath } from '../resources/named-organization.js';
import type { GroupDone } from './texts/shape.js';
import { groupsTexts } from './texts/texts.js';

const pageSize = 50;
/** The longest beginning of a name that is searched. */
const maxSearch = 200;

/** The groups of the organization, in the order of their names. */
export async function groupsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = groupsTexts[language];
  const organization = await organizationOfPath(visit);
  const path = groupsPath(organization.id);
  const search = queryText(visit, 'search').slice(0, maxSearch);
  const cursor = queryText(visit, 'after');
  const order = groupOrders.find((one) => one === queryText(visit, 'sort')) ?? 'displayName';
  const sort = order === 'displayName' ? '' : order;
  const query = { search: search.trim(), cursor, count: pageSize, order };
  const {
    Resources: groups,
    nextCursor,
    totalResults: total,
  } = await findGroups(visit, organization.id, query);
  const mayAdd = managesUsers(visit, organization.id);
  const add = { href: at(`${path}/new`), label: texts.add };
  const empty =
    search.trim() === '' ? emptyList(texts.none, mayAdd ? add : undefined) : emptyList(texts.noMatch);
  const done = queryText(visit, 'done');
  return {
    organization,
    title: t.nav.groups,
    subtitle: texts.about,
    ...(Object.hasOwn(texts.done, done) && { notice: texts.done[done as GroupDone] }),
    ...(mayAdd && { actions: html`<a class="button" href="${add.href}">${add.label}</a>` }),
    content: searchForm(visit, {
      path,
      fields: html`${field({
        name: 'search',
        type: 'search',
        label: texts.searchLabel,
        value: search,
        maxLength: maxSearch,
      })}
${select({
  name: 'sort',
  label: t.sortedBy,
  value: sort,
  choices: [
    { value: '', label: t.name },
    { value: 'meta.created', label: t.newestFirst },
    { value: 'meta.lastModified', label: t.changedFirst },
  ],
})}`,
      results: html`${total > 0 && countLine(visit, { total, isSearch: search.trim() !== '' })}${groups.length === 0 ? empty : groupsTable(visit, path, groups)}${pager(
        {
          t,
          first: cursor === '' ? undefined : at(path, { search, sort }),
          next: nextCursor === undefined ? undefined : at(path, { search, sort, after: nextCursor }),
        },
      )}`,
    }),
  };
}

function groupsTable({ at, language, t }: ConsoleVisit, path: string, groups: readonly ScimGroup[]): Html {
  return table({
    caption: t.nav.groups,
    columns: [t.name, t.created, t.changed],
    rows: groups.map(({ id, displayName, meta }) => [
      linkTo({ at }, [path, id], displayName),
      moment(meta.created, language),
      moment(meta.lastModified, language),
    ]),
  });
}
