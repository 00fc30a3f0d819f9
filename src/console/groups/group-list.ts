import { type Html, html } from '#src/http/pages/html.js';
import { choosingSeveral, severalBox, severalColumn, severalNotice } from '../choosing/several.js';
import { type FormChoice, field, select } from '../http/form.js';
import { countLine, emptyList, moment, pager, table } from '../http/parts.js';
import type { ConsolePage } from '../http/respond.js';
import { searchForm } from '../http/search-form.js';
import { linkTo } from '../http/segments.js';
import { type ConsoleVisit, managesUsers, queryText } from '../http/visit.js';
import { findGroups, type GroupSummary, groupOrders, groupsPath } from '../resources/group.js';
import { organizationOfPath } from '../resources/named-organization.js';
import { severalGroups } from './several-groups.js';
import type { GroupDone } from './texts/shape.js';
import { groupsTexts } from './texts/texts.js';

const pageSize = 50;
/** The longest beginning of a name that is searched. */
const maxSearch = 200;

/** The groups of the organization, which a person searches while typing. */
export async function groupsPage(visit: ConsoleVisit): Promise<ConsolePage> {
  const { at, language, t } = visit;
  const texts = groupsTexts[language];
  const organization = await organizationOfPath(visit);
  const path = groupsPath(organization.id);
  const search = queryText(visit, 'search').slice(0, maxSearch);
  const after = queryText(visit, 'after');
  const isSearch = search.trim() !== '';
  // A search is in the order of the names.
  const chosen = isSearch ? undefined : groupOrders.find((one) => one === queryText(visit, 'sort'));
  const sort = chosen === groupOrders[0] ? '' : (chosen ?? '');
  const { items, next, total } = await findGroups(visit, organization.id, {
    search: search.trim(),
    after,
    limit: pageSize,
    includeTotal: true,
    ...(chosen && { sort: chosen }),
  });
  const mayAdd = managesUsers(visit, organization.id);
  const add = { href: at(`${path}/new`), label: texts.add };
  const done = queryText(visit, 'done');
  const notice = Object.hasOwn(texts.done, done)
    ? texts.done[done as GroupDone]
    : severalNotice(visit, severalGroups, done);
  const shown = groupsTable(visit, { path, groups: items, isChosenFrom: mayAdd });
  const found = html`${countLine(visit, { total, isSearch })}${mayAdd ? choosingSeveral(visit, severalGroups, shown) : shown}`;
  const empty = isSearch ? emptyList(texts.noMatch) : emptyList(texts.none, mayAdd ? add : undefined);
  return {
    organization,
    title: t.nav.groups,
    subtitle: texts.about,
    ...(notice !== undefined && { notice }),
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
${select({ name: 'sort', label: t.sortedBy, value: sort, choices: sortsOf(visit) })}`,
      results: html`${items.length === 0 ? empty : found}${pager({
        t,
        first: after === '' ? undefined : at(path, { search, sort }),
        next: next === undefined ? undefined : at(path, { search, sort, after: next }),
      })}`,
    }),
  };
}

function sortsOf({ t }: ConsoleVisit): readonly FormChoice[] {
  const [, newest, oldest, changed] = groupOrders;
  return [
    { value: '', label: t.name },
    { value: newest, label: t.newestFirst },
    { value: oldest, label: t.oldestFirst },
    { value: changed, label: t.changedFirst },
  ];
}

function groupsTable(
  visit: ConsoleVisit,
  of: { path: string; groups: readonly GroupSummary[]; isChosenFrom: boolean },
): Html {
  const { at, language, t } = visit;
  const { path, groups, isChosenFrom } = of;
  return table({
    caption: t.nav.groups,
    columns: [...(isChosenFrom ? [severalColumn(visit)] : []), t.name, t.created, t.changed],
    rows: groups.map(({ id, displayName, created, lastModified }) => [
      ...(isChosenFrom ? [severalBox(visit, { id, name: displayName })] : []),
      linkTo({ at }, [path, id], displayName),
      moment(created, language),
      moment(lastModified, language),
    ]),
  });
}
