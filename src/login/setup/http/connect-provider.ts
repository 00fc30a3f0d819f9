import type { FastifyReply } from 'fastify';
import { connectionErrors } from '#src/connections/index.js';
import {
  addConnection,
  type Connection,
  changeConnection,
  noClaimMapping,
  usualClaims,
} from '#src/connections/registry/index.js';
import { isLeftToLink, noteSetupStep, type SetupLink } from '#src/connections/setup/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { type ProviderTemplate, templateOf } from '#src/http/providers/templates.js';
import { AppError } from '#src/platform/errors.js';
import type { LoginNeeds } from '../../needs/needs.js';
import { joinProvisioning, setupEditor, writingConnections } from './join-provisioning.js';
import { provedDomains } from './prove-domains.js';
import { showSetup } from './setup-page.js';
import { readSetupForm, type SetupVisit } from './setup-session.js';
import type { ShownSetup } from './setup-view.js';
import { whyRefused } from './why-refused.js';

type Deps = Parameters<typeof showSetup>[0] &
  Parameters<typeof readSetupForm>[0] &
  Parameters<typeof noteSetupStep>[0] &
  Omit<Parameters<typeof addConnection>[0], 'endSignIns' | 'requireUsable'> &
  Parameters<typeof joinProvisioning>[0] &
  Pick<LoginNeeds, 'config'>;

/**
 * Adds the connection of a link, switched off and without rules for linking: who somebody is stays with the owner. If the link has made one, its
 * credentials change. Another link, another connection and every other setting are out of reach.
 */
export async function connectProvider(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const visit = await readSetupForm(deps, request, 'connection');
  const typed = (name: string) => formText(request.body, name).trim();
  const template = templateOf(typed('template'));
  if (template === undefined) return goTo(reply, pageAddress(deps, '/setup'));
  const shown = { template: template.key };
  const { clientId, clientSecret, asks } = template;
  // What is asked for makes the issuer, which the rules judge.
  const [asked] = asks;
  const labels = {
    ...{ clientId, clientSecret, ...(asked && { issuer: asked.label }) },
    ...Object.fromEntries(asks.map(({ name, label }) => [name, label])),
  };
  return keepConnection(deps, exchange, { visit, typed, shown, labels }, () =>
    put(deps, visit, { template, typed }),
  );
}

/**
 * Notes that the link has its connection, as soon as `put` has written it. A refusal is shown on the page.
 * @param form `shown`: the provider that the page shows again; `labels`: of its fields
 */
export async function keepConnection(
  deps: Deps,
  exchange: HttpExchange,
  {
    visit,
    typed,
    shown,
    labels,
  }: {
    visit: SetupVisit;
    typed: (name: string) => string;
    shown: ShownSetup;
    labels: Readonly<Record<string, string>>;
  },
  put: () => Promise<Connection>,
): Promise<FastifyReply> {
  const { link } = visit;
  try {
    const connection = await put();
    await noteSetupStep(deps, link, { step: 'connection', connectionId: connection.id });
    if (link.connectionId === undefined) await joinProvisioning(deps, link);
    return goTo(exchange.reply, pageAddress(deps, '/setup'));
  } catch (error) {
    if (!(error instanceof AppError) || !['invalid', 'conflict', 'forbidden'].includes(error.definition.kind))
      throw error;
    const reason = whyRefused(visit, error, labels);
    const refused = { step: 'connection', status: 400, reason, typed } as const;
    return showSetup(deps, exchange, visit, { ...shown, refused });
  }
}

/** What every connection of a link begins with: switched off, without rules for linking, and with the domains that the link proved. */
export function newSetupConnection({ link, organization }: SetupVisit) {
  return {
    enabled: false,
    creation: 'refuse' as const,
    strength: 'single' as const,
    mapping: noClaimMapping,
    domains: provedDomains(link, organization),
  };
}

async function put(
  deps: Deps,
  visit: SetupVisit,
  { template, typed }: { template: ProviderTemplate; typed: (name: string) => string },
): Promise<Connection> {
  const { link } = visit;
  const { orgId } = link;
  const connectionId = await madeConnection(deps, link);
  const editor = setupEditor(link);
  const secret = typed('clientSecret');
  const clientSecret = secret === '' ? undefined : secret;
  const clientId = typed('clientId');
  const issuer = template.issuer(typed);
  if (connectionId !== undefined) {
    const change = {
      protocol: template.protocol,
      provider: { issuer, clientId },
      ...(clientSecret !== undefined && { clientSecret }),
    };
    const { version: ifVersion } = await requireOpenToChange(
      deps,
      { orgId, id: connectionId },
      ({ protocol, provider }) => protocol === 'oidc' && provider.clientId === clientId,
    );
    const target = { orgId, id: connectionId, editor, ifVersion, elseRefused: true } as const;
    return changeConnection(writingConnections(deps), target, change);
  }
  const hostedDomain = typed('hostedDomain');
  const { identifierClaim = 'sub', claims = usualClaims } = template;
  return addConnection(writingConnections(deps), {
    ...{ orgId, editor, clientSecret, id: link.newConnectionId },
    settings: {
      name: template.name ?? (URL.canParse(issuer) ? new URL(issuer).host : template.key),
      ...newSetupConnection(visit),
      protocol: template.protocol,
      provider: {
        authMethod: clientSecret === undefined ? 'none' : 'client_secret_basic',
        ...{ scopes: ['profile', 'email'], multiFactorAcrs: [], answersByForm: false, readsUserInfo: false },
        ...template.provider,
        ...{ issuer, clientId },
        ...(hostedDomain !== '' && { hostedDomain }),
      },
      linking: { identifierClaim, byDomain: false, byPerson: false },
      claims,
    },
  });
}

/** The identifier of the connection that the link made. A request that ended halfway has made it and not noted it. */
export async function madeConnection(
  { connections }: Pick<Deps, 'connections'>,
  { orgId, connectionId, newConnectionId }: SetupLink,
): Promise<string | undefined> {
  if (connectionId !== undefined) return connectionId;
  const made = await connections.find(orgId, newConnectionId);
  return isLeftToLink(made) ? made.id : undefined;
}

/**
 * Returns the connection of the link, which the link may change. While people use it, a link changes its client secret alone: the test was of what
 * signs them in.
 * @param isSame whether the change leaves what signs people in
 * @throws AppError `connections.connectionInUse`, `connections.connectionNotFound`
 */
export async function requireOpenToChange(
  { connections }: Pick<Deps, 'connections'>,
  { orgId, id }: { orgId: string; id: string },
  isSame: (connection: Connection) => boolean,
): Promise<Connection> {
  const connection = await connections.find(orgId, id);
  if (connection === undefined) throw new AppError(connectionErrors.connectionNotFound);
  if (connection.enabled && !isSame(connection)) throw new AppError(connectionErrors.connectionInUse);
  return connection;
}
