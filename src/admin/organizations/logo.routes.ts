import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { base64Text, directoryErrors } from '#src/directory/index.js';
import { changeOrganization } from '#src/organizations/index.js';
import { logoLimits, setLogo } from '#src/organizations/logo/index.js';
import { AppError } from '#src/platform/errors.js';
import { editorOf, inOrganization } from '../http/caller.js';
import { noContent, orgParams, problems, security, shapedText, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

/** The most characters of base64 for the bytes of a picture. */
const mostText = Math.ceil(logoLimits.uploadedBytes / 3) * 4;

const body = strictObject(
  { picture: shapedText(mostText, base64Text, 'A PNG, JPEG or WebP of at most 1 MiB, in base64') },
  {
    examples: [
      {
        picture:
          'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAAA1BMVEUKa0/Kh1ZhAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADUlEQVQY02NgGAXIAAABEAAB7JfjegAAAABJRU5ErkJggg==',
      },
    ],
  },
);

/** Routes for the uploaded logo of an organization. `login.logoUrl` of the organization leads to it. */
export function logoRoutes(
  deps: Pick<
    AdminNeeds,
    'caches' | 'clock' | 'config' | 'events' | 'logos' | 'mongo' | 'organizations' | 'quotas' | 'threads'
  >,
): FastifyPluginAsyncTypebox {
  const onRequest = inOrganization(deps, 'org.write');
  const common = { tags: ['organizations'], security, params: orgParams };
  return async (app) => {
    app.put(
      '/orgs/:orgId/logo',
      {
        onRequest,
        bodyLimit: mostText + 1_024,
        schema: {
          ...common,
          operationId: 'putLogo',
          summary: 'Upload the logo of an organization',
          description:
            'The picture is decoded and made anew as a WebP of at most 64 KiB, so nothing but its pixels is kept. It has at most ' +
            `${logoLimits.side} pixels on each side. It counts as one entry of the quota \`metadata\``,
          body,
          response: { 200: Type.Object({ logoUrl: Type.String() }), ...problems(400, 404, 409) },
        },
      },
      async (request) => {
        const { orgId } = request.params;
        const uploaded = Buffer.from(request.body.picture, 'base64');
        if (uploaded.length === 0) throw new AppError(directoryErrors.pictureInvalid);
        const { login } = await setLogo(deps, { orgId, uploaded, editor: editorOf(request) });
        return { logoUrl: login.logoUrl ?? '' };
      },
    );
    app.delete(
      '/orgs/:orgId/logo',
      {
        onRequest,
        schema: {
          ...common,
          operationId: 'removeLogo',
          summary: 'Remove the logo of an organization',
          response: { 204: noContent, ...problems(404, 409) },
        },
      },
      async (request, reply) => {
        await changeOrganization(deps, {
          orgId: request.params.orgId,
          change: { login: { logoUrl: '' } },
          editor: editorOf(request),
        });
        return reply.code(204).send(null);
      },
    );
  };
}
