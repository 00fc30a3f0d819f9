import { identityLinks, linksByKey } from '#src/accounts/person-lists/index.js';
import { identityLinksRecord } from '../../../format/identity-links.record.js';
import type { ImportSection } from '../section/section.js';
import type { SectionDeps } from '../section/section-deps.js';
import { createRecordReader } from '../shared/record-reader.js';
import { type PersonListDeps, personListSection } from './person-list.section.js';

const read = createRecordReader(identityLinksRecord);

/** `identityLinks`: the links of each person to accounts at identity providers. */
export function identityLinksSection(
  deps: PersonListDeps & Pick<SectionDeps, 'identityLinks'>,
): ImportSection {
  return personListSection(deps, {
    key: 'identityLinks',
    errorType: 'identity_link',
    successKey: 'identityLinks',
    kind: identityLinks,
    store: deps.identityLinks,
    read(record) {
      const { userId, links } = read(record);
      return { userId, items: linksByKey(links) };
    },
    stated: (stored) => stored,
    merged: (_stored, given) => given,
    // A link that waits signs nobody in.
    givesSignIn: ({ connectionId }) => connectionId !== undefined,
  });
}
