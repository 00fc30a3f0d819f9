import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { foldCase } from '#src/directory/index.js';
import { groupIdentifier } from '../../format/made-identifiers.js';
import type { MappedPerson } from '../mapping/apply-mapping.js';
import { maxGroups, requireGroupName } from '../people-lists.js';
import { eachLine } from '../reading/each-line.js';
import { createProblems } from '../reading/problems.js';
import { ConversionError } from '../reading/read-fields.js';
import { createTextWriter, type TextWriter } from '../text-writer.js';
import type { InstanceBody } from './instance-body.js';

/** The lists of one organization that a mapping adds to. They wait on the disk until the organization ends. */
export class MappedLists {
  counts = { groups: 0, memberships: 0 };
  readonly #body: InstanceBody;
  /** The names of the groups of the organization, by folded name. */
  #groups = new Map<string, string>();
  #waiting = new Map<'groupMembers' | 'userMetadata', TextWriter>();

  constructor(body: InstanceBody) {
    this.#body = body;
  }

  /** Adds what a mapping made of a person beside its record. @throws ConversionError when the import would refuse a group */
  add({ record: { userId }, groups, metadata }: MappedPerson): void {
    if (userId === undefined) return;
    const named = groups.map((name) => [foldCase(name), requireGroupName(name)] as const);
    for (const [key, name] of named) {
      if (!this.#groups.has(key) && this.#groups.size >= maxGroups) {
        throw new ConversionError(`more than ${maxGroups} groups in one organization`);
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
    this.#groups = new Map();
  }

  close(): void {
    for (const writer of this.#waiting.values()) writer.abandon();
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
