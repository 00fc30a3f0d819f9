import type { Event, EventType } from '#src/audit/event.js';

/** What an organization can turn off: each is a setting of its own. */
export type NoticeTopic = 'newBrowser' | 'changes' | 'administration';

/** What a person is told, and the setting that it belongs to. */
export const noticeTopics = {
  newBrowser: 'newBrowser',
  passwordChanged: 'changes',
  addressChanged: 'changes',
  secondFactorAdded: 'changes',
  secondFactorRemoved: 'changes',
  passkeyAdded: 'changes',
  passkeyRemoved: 'changes',
  identityLinked: 'changes',
  identityUnlinked: 'changes',
  recoveryCodesMade: 'changes',
  recoveryCodeUsed: 'changes',
  passwordSet: 'administration',
  passwordChangeRequired: 'administration',
  linkMade: 'administration',
  addressReplaced: 'administration',
  secondFactorGiven: 'administration',
  secondFactorTaken: 'administration',
  passkeyTaken: 'administration',
  identityTaken: 'administration',
  domainFailing: 'administration',
  domainLapsed: 'administration',
  recoveryCodesReplaced: 'administration',
  accessRecovered: 'administration',
  sessionsEnded: 'administration',
  deactivated: 'administration',
  reactivated: 'administration',
  connectionEnds: 'administration',
} as const satisfies Record<string, NoticeTopic>;

export type NoticeKind = keyof typeof noticeTopics;

/** Something that a person is told by mail. It has nothing that anybody wrote freely but a former address of the person. */
export interface Notice {
  readonly orgId: string;
  readonly userId: string;
  readonly kind: NoticeKind;
  readonly at: Date;
  /** The primary address before the change, if the service may write to it. */
  readonly formerEmail?: string;
  /** Of a sign-in: the browser, the operating system and the network address, as the caller has narrowed them. */
  readonly browser?: string;
  readonly system?: string;
  readonly address?: string;
  /** Of a sign-in: the language of its page, for a person who chose none. */
  readonly language?: string;
}

/** What each event tells the person whom it is about: after an act of the person, and after one of somebody else. */
const kindsOf: {
  readonly [Type in EventType]?: { readonly byPerson?: NoticeKind; readonly byAnother?: NoticeKind };
} = {
  'user.human.changed': { byPerson: 'addressChanged', byAnother: 'addressReplaced' },
  'user.human.password.changed': { byPerson: 'passwordChanged', byAnother: 'passwordSet' },
  'user.human.password.change.required': { byAnother: 'passwordChangeRequired' },
  'user.human.mfa.otp.added': { byPerson: 'secondFactorAdded', byAnother: 'secondFactorGiven' },
  'user.human.mfa.otp.removed': { byPerson: 'secondFactorRemoved', byAnother: 'secondFactorTaken' },
  'user.human.passkey.added': { byPerson: 'passkeyAdded' },
  'user.human.passkey.removed': { byPerson: 'passkeyRemoved', byAnother: 'passkeyTaken' },
  'user.identity.linked': { byPerson: 'identityLinked' },
  'user.identity.unlinked': { byPerson: 'identityUnlinked', byAnother: 'identityTaken' },
  'user.human.mfa.recovery.added': { byPerson: 'recoveryCodesMade', byAnother: 'recoveryCodesReplaced' },
  'user.human.mfa.recovery.check.succeeded': { byPerson: 'recoveryCodeUsed' },
  'user.human.link.added': { byAnother: 'linkMade' },
  'user.human.recovered': { byAnother: 'accessRecovered' },
  'user.session.ended': { byAnother: 'sessionsEnded' },
  'user.deactivated': { byAnother: 'deactivated' },
  'user.reactivated': { byAnother: 'reactivated' },
};

/** Services whose changes tell nobody: an import moves many people, and the first start has nobody to tell. */
const silentServices: ReadonlySet<string> = new Set(['import', 'init']);

/** Returns what the events tell the people whom they are about. */
export function noticesOf(events: readonly Event[]): Notice[] {
  const notices: Notice[] = [];
  for (const { type, aggregate, editor, notice, creationDate: at, payload } of events) {
    const kinds = kindsOf[type];
    if (kinds === undefined || notice === 'none' || silentServices.has(editor.service)) continue;
    // Of the profile, only another primary address is told.
    if (type === 'user.human.changed' && notice === undefined) continue;
    const { resourceOwner: orgId } = aggregate;
    // The list of identities names its person.
    const userId = aggregate.type === 'identity_links' ? String(payload['userId']) : aggregate.id;
    const isOwn = editor.userId === userId && editor.service !== 'recover';
    const kind = isOwn ? kinds.byPerson : kinds.byAnother;
    if (kind === undefined) continue;
    const formerEmail = notice?.formerEmail;
    notices.push({ orgId, userId, kind, at, ...(formerEmail !== undefined && { formerEmail }) });
  }
  return notices;
}
