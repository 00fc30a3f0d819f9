import {
  addPasskey,
  creationOptions,
  listPasskeys,
  type RelyingParty,
  userHandleOf,
} from '#src/authentication/passkeys/index.js';
import { whyNotAdded } from '../../http/why-not-added.js';
import type { LoginNeeds } from '../../needs/needs.js';
import type { Member } from '../http/member.js';

/** The person, and the relying party of this instance. */
export interface Enroller {
  readonly member: Member;
  readonly party: RelyingParty;
}

/** Why a passkey was not added: a text of `passkeys`. */
export type NotAdded = 'taken' | 'full' | 'notAdded';

function bindingOf({ visit: { agent }, account: { user } }: Member) {
  return { purpose: 'enrol', agent: agent.hash, orgId: user.orgId, userId: user.id } as const;
}

/** The options of a page on which a person who is signed in makes a passkey. */
export async function enrolmentOptions(
  deps: Pick<LoginNeeds, 'passkeyChallenges' | 'webauthnCredentials'>,
  { member, party }: Enroller,
): Promise<object> {
  const { account, organization } = member;
  const present = await listPasskeys(deps, account.user);
  const handle = userHandleOf(present);
  return creationOptions(party, {
    challenge: deps.passkeyChallenges.make(bindingOf(member), handle),
    serviceName: organization.name,
    user: { ...account.user, handle },
    present,
  });
}

/** Adds the passkey that the authenticator has made for such a page. Returns why it was not added, or undefined. */
export async function enrolOwnPasskey(
  deps: Parameters<typeof addPasskey>[0],
  { member, party }: Enroller,
  response: string,
): Promise<NotAdded | undefined> {
  const { visit, account } = member;
  const { id, orgId } = account.user;
  const enrolment = {
    ...{ orgId, id, party, binding: bindingOf(member), usualLabel: visit.texts.passkeys.usualName, response },
    editor: { userId: id, service: 'account' },
  };
  try {
    return (await addPasskey(deps, enrolment)) === undefined ? 'notAdded' : undefined;
  } catch (error) {
    return whyNotAdded(error);
  }
}
