import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { directoryErrors } from '#src/directory/index.js';
import {
  beginDomainProof,
  checkDomainProof,
  type DomainProof,
  recordOf,
} from '#src/organizations/domain-proofs/index.js';
import { requireDomainName } from '#src/organizations/index.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { orNotFound } from '../http/or-not-found.js';
import { problems, security, timestamp } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';
import { domainParams, domainPath } from './domains.routes.js';

const proof = Type.Object(
  {
    recordName: Type.String({ description: 'The name of the TXT record' }),
    recordValue: Type.String({ description: 'Its value' }),
    checked: Type.Optional(timestamp),
    proved: Type.Optional(timestamp),
    failingSince: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Since when the record is missing. After a week the domain is verified no more',
      }),
    ),
  },
  { title: 'DomainProof' },
);
const checkResult = Type.Object({
  outcome: Type.Enum(['proved', 'recordMissing', 'recordOther', 'resolverFailed'], {
    description:
      'proved: the domain is verified. recordMissing: there is no TXT record at the name. recordOther: none has the value. resolverFailed: the resolver did not find out',
  }),
});

function proofResponse({ checked, proved, failingSince, ...proofed }: DomainProof) {
  const { name: recordName, value: recordValue } = recordOf(proofed);
  return {
    ...{ recordName, recordValue },
    ...(checked && { checked: checked.toISOString() }),
    ...(proved && { proved: proved.toISOString() }),
    ...(failingSince && { failingSince: failingSince.toISOString() }),
  };
}

/** Routes for the proof of a domain by a TXT record. */
export function domainProofRoutes(
  deps: Pick<
    AdminNeeds,
    | 'caches'
    | 'clock'
    | 'domainProofs'
    | 'events'
    | 'logos'
    | 'lookUpTxt'
    | 'mongo'
    | 'organizations'
    | 'quotas'
  >,
): FastifyPluginAsyncTypebox {
  const mayRead = inOrganization(deps, 'org.read');
  const mayWrite = inOrganization(deps, 'org.write');
  return async (app) => {
    const proofOfDomain = { tags: ['organizations'], security, params: domainParams };
    app.get(
      `${domainPath}/proof`,
      {
        onRequest: mayRead,
        schema: {
          ...proofOfDomain,
          operationId: 'getDomainProof',
          summary: 'Read the TXT record that proves a domain, and whether it was found',
          response: { 200: proof, ...problems(404) },
        },
      },
      async ({ params: { orgId, domainName } }) => {
        const found = deps.domainProofs.find(orgId, requireDomainName(domainName));
        return proofResponse(await orNotFound(found, directoryErrors.domainProofNotFound));
      },
    );
    app.post(
      `${domainPath}/proof`,
      {
        onRequest: mayWrite,
        schema: {
          ...proofOfDomain,
          operationId: 'beginDomainProof',
          summary:
            'Begin to prove a domain: the answer has the TXT record to publish. Repeated, it answers the same record',
          response: { 200: proof, ...problems(400, 404, 409) },
        },
      },
      async (request) =>
        proofResponse(await beginDomainProof(deps, { ...request.params, editor: editorOf(request) })),
    );
    app.post(
      `${domainPath}/proof/check`,
      {
        onRequest: mayWrite,
        schema: {
          ...proofOfDomain,
          operationId: 'checkDomainProof',
          summary: 'Look for the TXT record now; a domain whose record is found is verified',
          response: { 200: checkResult, ...problems(400, 404, 409) },
        },
      },
      async (request) => ({
        outcome: await checkDomainProof(deps, { ...request.params, editor: editorOf(request) }),
      }),
    );
  };
}
