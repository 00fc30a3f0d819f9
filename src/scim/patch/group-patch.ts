import type { Group, GroupProfile, MemberDelta } from '#src/people/groups/index.js';
import { Refusals } from '#src/platform/check-each.js';
import { AppError } from '#src/platform/errors.js';
import { conjuncts, type Filter } from '../filter/ast.js';
import { scimErrors } from '../protocol/errors.js';
import { missingValue } from '../protocol/missing-value.js';
import { parseGroupResource } from '../resources/parse-group.js';
import { readMembers } from '../resources/read-members.js';
import { renderGroup } from '../resources/render-group.js';
import { applyPatch } from './apply-patch.js';
import { badPath } from './compile-selector.js';
import type { PatchOperation } from './operation.js';

/** What PATCH operations do to a group. */
interface GroupPatch {
  /** Absent if only members change. */
  readonly profile?: (current: Group) => GroupProfile;
  readonly delta: MemberDelta;
}

/**
 * Turns PATCH operations into a change of attributes and a delta of members (RFC 7644 section 3.5.2). So the members of the group
 * need not be read.
 * @throws AppError with the scimType of the client's mistake
 */
export function groupPatch(operations: readonly PatchOperation[]): GroupPatch {
  const isOfMembers = ({ path }: PatchOperation) => path.attribute.name === 'members';
  const others = operations.filter((operation) => !isOfMembers(operation));
  const delta = memberDelta(operations.filter(isOfMembers));
  return others.length === 0 ? { delta } : { delta, profile: (current) => patchedProfile(current, others) };
}

function patchedProfile(current: Group, operations: readonly PatchOperation[]): GroupProfile {
  const refusals = new Refusals();
  const after = applyPatch(renderGroup(current, ''), operations, refusals);
  if (after['displayName'] === undefined)
    refusals.add(missingValue(['displayName'], scimErrors.requiredRemoved));
  refusals.throwIfAny();
  return parseGroupResource(after).profile;
}

function memberDelta(operations: readonly PatchOperation[]): MemberDelta {
  let from: MemberDelta['from'] = 'current';
  const added = new Set<string>();
  const removed = new Set<string>();
  const clear = () => {
    from = 'nobody';
    added.clear();
    removed.clear();
  };
  const add = (userId: string) => {
    added.add(userId);
    removed.delete(userId);
  };
  const remove = (userId: string) => {
    added.delete(userId);
    if (from === 'current') removed.add(userId);
  };
  for (const { op, path, value } of operations) {
    // The parts of a member never change. `display` and `$ref` follow the user.
    if (path.sub !== undefined)
      throw new AppError(scimErrors.readOnly, { detail: 'Add and remove whole members' });
    const named = path.selector && namedMembers(path.selector.filter);
    if (op === 'remove') {
      if (named === 'all' || (named === undefined && (value === undefined || value === null))) clear();
      else for (const userId of named ?? readMembers(value)) remove(userId);
    } else if (named !== undefined) {
      throw badPath('Add and replace members without a filter');
    } else {
      const given = readMembers(value);
      if (op === 'replace') clear();
      for (const userId of given) add(userId);
    }
  }
  return { from, added, removed };
}

/** The members that a filter such as `members[value eq "a" or value eq "b"]` selects. */
function namedMembers(filter: Filter): 'all' | string[] {
  if (filter.kind === 'or') {
    const parts = filter.operands.map(namedMembers);
    return parts.includes('all') ? 'all' : parts.flat();
  }
  const tests = conjuncts(filter);
  const values = tests.filter((test) => !isUserType(test));
  const [only] = values;
  if (tests.length > 0 && only === undefined) return 'all';
  const isIdentifier =
    only?.kind === 'compare' && only.operator === 'eq' && only.name.toLowerCase() === 'value';
  if (!isIdentifier || values.length > 1 || typeof only.literal !== 'string')
    throw badPath('Members are selected by their identifier, such as members[value eq "..."]');
  return [only.literal];
}

function isUserType(test: Filter): boolean {
  if (test.kind !== 'compare' || test.operator !== 'eq' || test.name.toLowerCase() !== 'type') return false;
  return String(test.literal).toLowerCase() === 'user';
}
