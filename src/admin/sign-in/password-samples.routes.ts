import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { mostSamples, type SampleOutcome, samplePasswords } from '#src/authentication/index.js';
import { maxTypedPassword } from '#src/directory/index.js';
import { editorOf, onInstance } from '../http/caller.js';
import { problems, security, strictObject } from '../http/schemas.js';
import type { AdminNeeds } from '../needs/needs.js';

const body = strictObject(
  {
    orgId: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Where the names are looked up; absent: as at the login page',
      }),
    ),
    samples: Type.Array(
      strictObject({
        loginName: Type.String({ minLength: 1, maxLength: 400, description: 'As a person types it' }),
        password: Type.String({ minLength: 1, maxLength: maxTypedPassword }),
      }),
      { minItems: 1, maxItems: mostSamples },
    ),
  },
  { examples: [{ samples: [{ loginName: 'anna.lind@northwind.example', password: 'Correct-horse-7' }] }] },
);

const outcomes: SampleOutcome[] = ['confirmed', 'refused', 'noPassword', 'unknown', 'limited', 'tooLong'];

/** `POST /password-samples`: whether passwords that a migration knows fit the hashes that it brought. */
export function passwordSampleRoutes(
  deps: Pick<
    AdminNeeds,
    'accounts' | 'caches' | 'clock' | 'events' | 'loginAttempts' | 'mongo' | 'organizations' | 'passwords'
  >,
): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/password-samples',
      {
        onRequest: onInstance('instance.manage'),
        schema: {
          tags: ['migration'],
          security,
          operationId: 'samplePasswords',
          summary: 'Say whether stored hashes confirm known passwords, without a sign-in',
          description:
            'It locks nobody and begins no session. A caller has 1,000 samples, and a user 5, within the time that a locked account stays locked. ' +
            '`limited` stands for further samples of a user, and 429 answers further samples of a caller. `tooLong` stands for a password that no ' +
            'sign-in takes',
          body,
          response: {
            200: Type.Object({
              outcomes: Type.Array(Type.Unsafe<SampleOutcome>(Type.Enum(outcomes)), {
                description: 'In the order of the samples',
              }),
            }),
            ...problems(400),
          },
        },
      },
      async (request, reply) => {
        const found = await samplePasswords(deps, { ...request.body, editor: editorOf(request) });
        reply.header('cache-control', 'no-store');
        return { outcomes: found };
      },
    );
  };
}
