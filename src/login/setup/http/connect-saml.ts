import type { FastifyReply } from 'fastify';
import {
  addConnection,
  type Connection,
  changeConnection,
  longestMetadata,
  type SamlProvider,
  usualSamlProvider,
} from '#src/connections/registry/index.js';
import { describedProvider } from '#src/connections/saml/index.js';
import { refusedValue } from '#src/directory/index.js';
import type { HttpExchange } from '#src/http/base/http-exchange.js';
import { formText } from '#src/http/pages/form-text.js';
import { goTo, pageAddress } from '#src/http/pages/page-address.js';
import { type SamlTemplate, samlTemplateOf } from '#src/http/providers/saml/saml-templates.js';
import { setupTexts } from '../texts/texts.js';
import {
  keepConnection,
  madeConnection,
  newSetupConnection,
  requireOpenToChange,
} from './connect-provider.js';
import { setupEditor, writingConnections } from './join-provisioning.js';
import { readSetupForm, type SetupVisit } from './setup-session.js';

type Deps = Parameters<typeof keepConnection>[0] & Parameters<typeof describedProvider>[0];

/** The largest form with metadata, in bytes: some of its characters have three in a form. */
export const metadataFormBytes = 430_080;

/**
 * Adds the connection of a link to a provider of SAML, switched off and without rules for linking. If the link has made one, its metadata and its
 * subject change.
 */
export async function connectSaml(deps: Deps, exchange: HttpExchange): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const visit = await readSetupForm(deps, request, 'connection');
  const typed = (name: string) => formText(request.body, name).trim();
  const template = samlTemplateOf(typed('saml'));
  if (template === undefined) return goTo(reply, pageAddress(deps, '/setup'));
  const metadata = metadataIn(request.body);
  const { metadataUrl, metadataText, subjectAttribute } = setupTexts[visit.language];
  const labels = { metadataUrl, metadata: metadataText, subjectAttribute };
  return keepConnection(deps, exchange, { visit, typed, shown: { saml: template.key }, labels }, () =>
    put(deps, visit, { template, typed, metadata }),
  );
}

/** The document of a form, which is longer than other values. Empty for anything else. */
function metadataIn(body: unknown): string {
  const { metadata } = (body ?? {}) as { metadata?: unknown };
  return typeof metadata === 'string' ? metadata.trim() : '';
}

async function put(
  deps: Deps,
  visit: SetupVisit,
  {
    template,
    typed,
    metadata,
  }: { template: SamlTemplate; typed: (name: string) => string; metadata: string },
): Promise<Connection> {
  const { link } = visit;
  const { orgId } = link;
  const connectionId = await madeConnection(deps, link);
  const editor = setupEditor(link);
  const metadataUrl = typed('metadataUrl');
  if (metadata.length > longestMetadata)
    throw refusedValue('metadata', 'tooLong', 'The metadata is too long', { most: longestMetadata });
  const described = await describedProvider(deps, orgId, {
    metadata: metadata === '' ? undefined : metadata,
    metadataUrl: metadataUrl === '' ? undefined : metadataUrl,
  });
  if (described === undefined)
    throw refusedValue('metadataUrl', 'required', 'The address or the text of the metadata is required');
  const given = { ...described, subjectAttribute: typed('subjectAttribute') };
  if (connectionId !== undefined) {
    const provider = { ...given, metadataUrl: metadataUrl === '' ? null : metadataUrl };
    const { version: ifVersion } = await requireOpenToChange(deps, { orgId, id: connectionId }, () => false);
    const target = { orgId, id: connectionId, editor, ifVersion, elseRefused: true } as const;
    return changeConnection(writingConnections(deps), target, { protocol: 'saml', provider });
  }
  const provider: SamlProvider = {
    ...usualSamlProvider,
    ...template.provider,
    ...given,
    ...(metadataUrl !== '' && { metadataUrl }),
  };
  return addConnection(writingConnections(deps), {
    ...{ orgId, editor, id: link.newConnectionId },
    settings: {
      ...newSetupConnection(visit),
      name: template.name ?? hostOf(described.signIn.address),
      ...{ protocol: 'saml', provider, claims: template.claims },
      linking: { identifierClaim: 'sub', byDomain: false, byPerson: false },
    },
  });
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : 'SAML';
}
