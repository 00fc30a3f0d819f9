/** The user who changed something, and the service that was used. */
export interface Editor {
  readonly userId: string;
  /**
   * The service through which the change came: `scim`, `bulk`, `admin`, `login`, `account`, `import`, `init`, `recover`, `oidc`.
   */
  readonly service: string;
}

/** The types of events that exist. */
export type EventType =
  | 'user.human.added'
  | 'user.human.changed'
  | 'user.human.password.changed'
  | 'user.human.password.change.required'
  | 'user.human.password.check.succeeded'
  | 'user.human.password.check.failed'
  | 'user.human.mfa.otp.added'
  | 'user.human.mfa.otp.removed'
  | 'user.human.mfa.otp.check.succeeded'
  | 'user.human.mfa.otp.check.failed'
  | 'user.human.mfa.recovery.added'
  | 'user.human.mfa.recovery.check.succeeded'
  | 'user.human.mfa.mail.check.succeeded'
  | 'user.human.mfa.mail.check.failed'
  | 'user.human.mfa.recovery.check.failed'
  | 'user.human.mail.link.check.succeeded'
  | 'user.human.passkey.added'
  | 'user.human.passkey.renamed'
  | 'user.human.passkey.removed'
  | 'user.human.passkey.check.succeeded'
  | 'user.human.passkey.check.failed'
  | 'user.human.link.added'
  | 'user.human.link.check.succeeded'
  | 'user.human.recovered'
  | 'user.locked'
  | 'user.unlocked'
  | 'user.session.ended'
  | 'user.browser.remembered'
  | 'user.browser.forgotten'
  | 'user.deactivated'
  | 'user.reactivated'
  | 'user.removed'
  | 'user.machine.added'
  | 'user.machine.changed'
  | 'user.machine.secret.set'
  | 'user.machine.secret.removed'
  | 'user.machine.key.added'
  | 'user.machine.key.removed'
  | 'user.machine.federatedCredential.added'
  | 'user.machine.federatedCredential.removed'
  | 'user.machine.authentication.failed'
  | 'user.token.added'
  | 'user.token.removed'
  | 'user.consent.given'
  | 'user.consent.revoked'
  | 'user.impersonated'
  | 'org.added'
  | 'org.changed'
  | 'org.removal.requested'
  | 'org.removed'
  | 'org.migrationHook.failed'
  | 'org.domainProof.begun'
  | 'group.added'
  | 'group.changed'
  | 'group.removed'
  | 'group.roles.changed'
  | 'group.members.added'
  | 'group.members.removed'
  | 'member.added'
  | 'member.removed'
  | 'project.added'
  | 'project.changed'
  | 'project.removed'
  | 'project.role.added'
  | 'project.role.changed'
  | 'project.role.removed'
  | 'project.member.added'
  | 'project.member.changed'
  | 'project.member.removed'
  | 'user.grant.added'
  | 'user.grant.changed'
  | 'user.grant.removed'
  | 'group.grant.added'
  | 'group.grant.changed'
  | 'group.grant.removed'
  | 'user.identities.set'
  | 'user.identity.linked'
  | 'user.identity.unlinked'
  | 'user.human.connection.check.succeeded'
  | 'connection.added'
  | 'connection.changed'
  | 'connection.removed'
  | 'connection.signIn.failed'
  | 'connection.signIn.tested'
  | 'setup.link.added'
  | 'setup.link.opened'
  | 'setup.link.ended'
  | 'setup.domain.named'
  | 'setup.step.done'
  | 'user.passkeys.set'
  | 'user.metadata.set'
  | 'user.metadata.removed'
  | 'application.added'
  | 'application.changed'
  | 'application.deactivated'
  | 'application.reactivated'
  | 'application.approved'
  | 'application.approval.removed'
  | 'application.administration.allowed'
  | 'application.administration.removed'
  | 'application.grant.added'
  | 'application.grant.removed'
  | 'application.removed'
  | 'application.authentication.failed'
  | 'application.introspection.failed'
  | 'application.secret.set'
  | 'application.secret.removed'
  | 'application.key.added'
  | 'application.key.removed'
  | 'signing.key.rotated'
  | 'signing.key.removed'
  | 'features.changed'
  | 'job.cancelled'
  | 'import.completed'
  | 'passwords.sampled'
  | 'export.completed'
  | 'export.downloaded';

export type AggregateType =
  | 'user'
  | 'user_metadata'
  | 'identity_links'
  | 'webauthn_credentials'
  | 'user_grant'
  | 'org'
  | 'group'
  | 'group_grant'
  | 'member'
  | 'project'
  | 'project_member'
  | 'job'
  | 'application'
  | 'application_grant'
  | 'connection'
  | 'setup_link'
  | 'instance';

/** What happened to one aggregate. The payload names what changed. It never contains a secret or a hash. */
export interface Event {
  readonly id: string;
  readonly type: EventType;
  readonly aggregate: {
    readonly id: string;
    readonly type: AggregateType;
    /** The organization to which the aggregate belongs. */
    readonly resourceOwner: string;
  };
  readonly editor: Editor;
  /** The version of the aggregate after the change. */
  readonly sequence: number;
  readonly creationDate: Date;
  readonly payload: Record<string, unknown>;
  /**
   * What the person whom the event is about is told beside it. It is not stored. `none`: the person knows already. A former address: the
   * primary address was replaced.
   */
  readonly notice?: 'none' | { readonly formerEmail: string };
}
