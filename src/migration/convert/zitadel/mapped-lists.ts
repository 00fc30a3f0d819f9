import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { mostIdentityLinks } from '#src/accounts/person-lists/index.js';
import { foldCase } from '#src/directory/index.js';
import { groupIdentifier } from '../../format/made-identifiers.js';
import type { MappedPerson } from '../mapping/apply-mapping.js';
import { maxGroups, requireGroupName } from '../people-lists.js';
import { eachLine } from '../reading/each-line.js';
import { createProblems } from '../reading/problems.js';
import { ConversionError } from '../reading/read-fields.js';
import { createSpool, partitionOf, type Spool } from '../spool.js';
import { createTextWriter, type TextWriter } from '../text-writer.js';
import type { InstanceBody } from './instance-body.js';
import type { ZitadelUserLink } from './user-links.js';

/** The lists of one organization that a mapping adds to. They wait on the disk until the organization ends. */
export class MappedLists {
  counts = { groups: 0, memberships: 0, identityLinks: 0, webauthnCredentials: 0 };
  /** Links of people who have more than a record can have. */
  linksLost = 0;
  readonly #body: InstanceBody;
  /** The names of the groups of the organization, by folded name. */
  #groups = new Map<string, string>();
  #waiting = new Map<'groupMembers' | 'userMetadata', TextWriter>();
  /** The links by user. A list has one record for each. */
  #links: Spool;
  readonly #partitions: number;
  #organizations = 0;

  /** @param partitions of the links of an organization. One is in memory at a time */
  constructor(body: InstanceBody, partitions: number) {
    this.#body = body;
    this.#partitions = partitions;
    this.#links = createSpool(body.folder, 'links-0');
  }

  /** Adds what a mapping made of a person beside its record. @throws ConversionError when the import would refuse a group */
  add({ record: { userId }, groups, metadata }: MappedPerson): void {
    if (userId === undefined) return;
    const named = groups.map((name) => [foldCase(name), requireGroupName(name)] as const);
    for (const [key, name] of named) {
      if (!this.#groups.has(key) && this.#groups.size >= maxGroups) {
        throw new ConversionError('other', { detail: `more than ${maxGroups} groups in one organization` });
      }
      if (!this.#groups.has(key)) this.#groups.set(key, name);
    }
    for (const key of new Set(named.map(([folded]) => folded))) {
      this.#write('groupMembers', JSON.stringify([key, userId]));
    }
    for (const [key, text] of metadata) {
      this.addMetadata(JSON.stringify({ userId, key, value: Buffer.from(text).toString('base64') }));
    }
  }

  /** Adds a record of `userMetadata` of the export, because a list stands in an organization once. */
  addMetadata(record: string): void {
    this.#write('userMetadata', record);
  }

  addLink({ userId, link }: ZitadelUserLink): void {
    this.#links.add(partitionOf(userId, this.#partitions), [userId, JSON.stringify(link)]);
  }

  /** Writes the lists of the organization to the body. */
  async endOrganization(orgId: string): Promise<void> {
    const idOf = (name: string) => groupIdentifier({ orgId, name });
    for (const [key, displayName] of this.#groups) {
      this.#body.add('groups', JSON.stringify({ groupId: idOf(key), group: { displayName } }));
      this.counts.groups++;
    }
    await this.#take('groupMembers', (text) => {
      const [key, userId] = JSON.parse(text) as [string, string];
      this.#body.add('groupMembers', JSON.stringify({ groupId: idOf(key), userId }));
      this.counts.memberships++;
    });
    await this.#take('userMetadata', (text) => this.#body.add('userMetadata', text));
    this.#takeLinks();
    this.#groups = new Map();
  }

  close(): void {
    for (const writer of this.#waiting.values()) writer.abandon();
  }

  #takeLinks(): void {
    for (let partition = 0; partition < this.#partitions; partition++) {
      const byUser = new Map<string, unknown[]>();
      for (const [userId = '', text = ''] of this.#links.take(partition)) {
        const links = byUser.get(userId) ?? [];
        byUser.set(userId, links);
        links.push(JSON.parse(text));
      }
      for (const [userId, links] of byUser) {
        const taken = links.slice(0, mostIdentityLinks);
        this.#body.add('identityLinks', JSON.stringify({ userId, links: taken }));
        this.counts.identityLinks += taken.length;
        this.linksLost += links.length - taken.length;
      }
    }
    this.#organizations++;
    this.#links = createSpool(this.#body.folder, `links-${this.#organizations}`);
  }

  #write(list: 'groupMembers' | 'userMetadata', text: string): void {
    const writer = this.#waiting.get(list) ?? createTextWriter(this.#pathOf(list));
    this.#waiting.set(list, writer);
    writer.write(`${text}\n`);
  }

  async #take(list: 'groupMembers' | 'userMetadata', visit: (text: string) => void): Promise<void> {
    const writer = this.#waiting.get(list);
    if (writer === undefined) return;
    writer.finish();
    this.#waiting.delete(list);
    await eachLine({ path: this.#pathOf(list), problems: createProblems(), signal: undefined }, visit);
    rmSync(this.#pathOf(list));
  }

  #pathOf(list: string): string {
    return join(this.#body.folder, list);
  }
}
