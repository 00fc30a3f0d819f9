import { createSealedTotpsStore } from '#src/authentication/second-factor/index.js';
import type { Organization } from '#src/directory/index.js';
import { jobCatalogue } from '#src/jobs/catalogue.js';
import { type Resealed, resealValues, type Sealed } from '#src/keys/reseal-values.js';
import type { Rooms } from '#src/rooms.js';

interface ResealReport {
  readonly signingKeys: Resealed;
  readonly secondFactors: Resealed;
  readonly migrationHooks: Resealed;
  readonly passwordPeppers: Resealed;
  readonly connections: Resealed;
  /** The time when the last token or job body that an earlier key sealed has expired. */
  readonly neededUntil: Date;
}

type ResealDeps = Pick<
  Rooms,
  | 'mongo'
  | 'clock'
  | 'config'
  | 'signingKeyRotation'
  | 'totpSealer'
  | 'hookSealer'
  | 'pepperSealer'
  | 'connectionSealer'
  | 'connections'
  | 'organizations'
>;

/**
 * Seals signing keys, second factors, and the secrets of organizations anew with the first master key, because they have no end. Tokens at clients and
 * bodies of jobs expire.
 */
export async function resealAll(rooms: ResealDeps): Promise<ResealReport> {
  const { mongo, clock, config, signingKeyRotation, totpSealer } = rooms;
  const keys = signingKeyRotation.store;
  const signingKeys = await resealValues(
    signingKeyRotation.sealer,
    (await keys.all()).map(
      ({ kid, sealedPrivateJwk: sealed }): Sealed => ({
        sealed,
        replace: (by) => keys.reseal(kid, { from: sealed, to: by }),
      }),
    ),
  );
  const secondFactors = await resealValues(totpSealer, sealedTotps(mongo));
  const { organizations } = rooms;
  const migrationHooks = await resealValues(
    rooms.hookSealer,
    sealedSecrets(
      organizations,
      'migrationHook.sealedSecret',
      ({ migrationHook }) => migrationHook?.sealedSecret,
    ),
  );
  const passwordPeppers = await resealValues(
    rooms.pepperSealer,
    sealedSecrets(organizations, 'passwordPepper.sealed', ({ passwordPepper }) => passwordPepper?.sealed),
  );
  const connections = await resealValues(rooms.connectionSealer, sealedConnections(rooms.connections));
  const lives = [config.refreshTokenSeconds, config.accessTokenSeconds];
  const retentions = Object.values(jobCatalogue).map(({ retentionSeconds }) => retentionSeconds);
  const longest = Math.max(...lives, ...retentions);
  return {
    signingKeys,
    secondFactors,
    migrationHooks,
    passwordPeppers,
    connections,
    neededUntil: new Date(clock.now().getTime() + longest * 1000),
  };
}

async function* sealedTotps(mongo: Rooms['mongo']): AsyncIterable<Sealed> {
  const totps = createSealedTotpsStore(mongo);
  for await (const { orgId, userId, sealed } of totps.all()) {
    yield {
      sealed: Buffer.from(sealed, 'base64url'),
      replace: (by) => totps.replace(orgId, { userId, from: sealed, to: by.toString('base64url') }),
    };
  }
}

/** The secrets of one kind. */
async function* sealedSecrets(
  organizations: Rooms['organizations'],
  secret: Parameters<typeof organizations.reseal>[1]['secret'],
  sealedIn: (organization: Organization) => string | undefined,
): AsyncIterable<Sealed> {
  for await (const organization of allOrganizations(organizations)) {
    const from = sealedIn(organization);
    if (from === undefined) continue;
    yield {
      sealed: Buffer.from(from, 'base64url'),
      replace: (by) => organizations.reseal(organization.id, { secret, from, to: by.toString('base64url') }),
    };
  }
}

/** The client secrets and private keys of connections. */
async function* sealedConnections(connections: Rooms['connections']): AsyncIterable<Sealed> {
  const limit = 500;
  for (let after: string | undefined; ; ) {
    const page = await connections.pageOfAll({ limit, after });
    for (const { id, orgId, sealedSecret, ownKey } of page) {
      const places = [
        ['sealedSecret', sealedSecret],
        ['ownKey.sealedPrivateJwk', ownKey?.sealedPrivateJwk],
      ] as const;
      for (const [place, from] of places) {
        if (from === undefined) continue;
        yield {
          sealed: Buffer.from(from, 'base64url'),
          replace: (by) => connections.reseal(orgId, { id, place, from, to: by.toString('base64url') }),
        };
      }
    }
    after = page.at(-1)?.id;
    if (page.length < limit) return;
  }
}

async function* allOrganizations(organizations: Rooms['organizations']) {
  const limit = 500;
  for (let after: string | undefined; ; ) {
    const page = await organizations.page({ limit, ...(after !== undefined && { after }) });
    yield* page;
    after = page.at(-1)?.id;
    if (page.length < limit) return;
  }
}
