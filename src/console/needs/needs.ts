import type { MailLink } from '#src/authentication/index.js';
import type { Config } from '#src/config.js';
import type { StagingStore } from '#src/jobs/staging.store.js';
import type { Sealer } from '#src/keys/sealer.js';
import type { OrganizationBounds } from '#src/migration/organization-bounds.js';
import type { Clock } from '#src/platform/clock.js';
import type { DraftsStore } from '../drafts/drafts.store.js';
import type { RefusedPagesStore } from '../drafts/refused-pages.store.js';

/** What the console needs of other rooms, and what is its own. Each module takes its part of it. What it shows it asks of the admin API. */
export interface ConsoleNeeds {
  readonly config: Config;
  readonly clock: Clock;
  readonly mailLink: MailLink | undefined;
  /** Seals the cookies of the console. */
  readonly consoleSealer: Sealer;
  /** Seals what a person is about to do, which the sign-in says. */
  readonly confirmationSealer: Sealer;
  readonly consoleDrafts: DraftsStore;
  readonly refusedPages: RefusedPagesStore;
  /** Keeps uploaded files, sealed, while their people decide. */
  readonly staging: StagingStore;
  /** What the people of an organization may convert in a day. */
  readonly organizationBounds: Pick<OrganizationBounds, 'countConversion'>;
}
