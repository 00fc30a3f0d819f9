import type { Account } from '#src/accounts/index.js';
import { foldCase } from '#src/directory/index.js';
import { isJsonObject } from '#src/platform/json/json-object.js';
import { isOfPerson, personIdentifier } from '../../../format/made-identifiers.js';
import type { Recognition, TakenRecord } from '../section/section.js';
import { isFromSource } from './differences/imported-credentials.js';
import type { HumanUsersDeps } from './users-survey.js';

type RecognizeDeps = Pick<HumanUsersDeps, 'accounts' | 'events'>;

/**
 * Finds people by their userName. The record names an identifier that nobody has, or one that a conversion made of the name. The person must
 * have come by an earlier import: whoever registered here under the name is perhaps another person.
 */
export function recognizeUsers(deps: RecognizeDeps): Recognition {
  return {
    kind: 'user',
    idOf: (record) => textOf(record, 'userId'),
    renamed(record, userId) {
      const user = 'user' in record && isJsonObject(record.user) ? record.user : {};
      // The hashes of recovery codes are of the identifier. Under another one, no code would work.
      const { otpRecoveryCodes: _, ...others } = user;
      return { ...record, userId, user: others };
    },
    async find(taken, { orgId, started }) {
      const named = taken.map(({ value, code }) => ({
        code,
        id: textOf(value, 'userId'),
        name: nameOf(value),
      }));
      const ids = named.flatMap(({ id }) => (id === undefined ? [] : [id]));
      const userNames = [...new Set(named.map(({ name }) => foldCase(name)))];
      const found = await deps.accounts.findTaken(orgId, { ids, userNames });
      const ofOrganization = found.filter(({ user }) => user.orgId === orgId);
      const ownIds = new Set(ofOrganization.map(({ user }) => user.id));
      const byName = new Map(ofOrganization.map((account) => [foldCase(account.user.userName), account]));
      const recognized: (string | undefined)[] = [];
      for (const { code, id = '', name } of named) {
        const of = { orgId, name };
        const isRefused = ownIds.has(id) || (code === 'ID-TAKEN' && !isOfPerson(id, of));
        const namesake = byName.get(foldCase(name));
        if (isRefused) recognized.push(undefined);
        else if (namesake === undefined) recognized.push(otherwise(code, of));
        else recognized.push((await cameEarlier(deps, namesake, started)) ? namesake.user.id : undefined);
      }
      return recognized;
    },
  };
}

/** The identifier of a new person, if another organization has the one that an earlier conversion made of the name. */
function otherwise(code: TakenRecord['code'], of: { orgId: string; name: string }): string | undefined {
  return code === 'ID-TAKEN' ? personIdentifier(of) : undefined;
}

/** Whether an import that began before this one brought the person. */
async function cameEarlier(deps: RecognizeDeps, account: Account, started: Date): Promise<boolean> {
  const { id, orgId, userName, created, imported = created } = account.user;
  if (imported >= started) return false;
  return isOfPerson(id, { orgId, name: userName }) || isFromSource(deps, account);
}

function nameOf(record: unknown): string {
  return (isJsonObject(record) && textOf(record['user'], 'userName')) || '';
}

function textOf(record: unknown, name: string): string | undefined {
  const value = isJsonObject(record) && Object.hasOwn(record, name) ? record[name] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}
