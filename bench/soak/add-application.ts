import type { Service } from './service.js';

export async function addApplication(
  { send, stage }: Service,
  settings: Record<string, unknown>,
): Promise<{ id: string; secret: string }> {
  const { body } = await send({
    kind: 'prepare',
    line: `POST /admin/v1/orgs/${stage.orgId}/applications`,
    options: { json: { name: `Soak ${settings['type']}`, ...settings } },
    expected: [201],
  });
  return { id: body.clientId, secret: body.clientSecret ?? '' };
}
