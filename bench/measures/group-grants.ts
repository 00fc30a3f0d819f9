import { addProject } from '#src/access/projects/add-project.js';
import { addProjectRole } from '#src/access/projects/add-project-role.js';
import { addApplication } from '#src/clients/applications/add-application.js';
import { unixSeconds } from '#src/platform/clock.js';
import { newId } from '#src/platform/ids.js';
import type { Pace } from '../compare.js';
import { median, percentile } from '../load.js';
import { judged, milliseconds, type Row } from '../report.js';
import { editor, type Setting } from '../setting.js';

/** A group, and one of its members. */
export interface GroupOfSize {
  readonly id: string;
  readonly size: number;
  readonly member: string;
}

const claim = 'urn:service:iam:org:project:roles';
const scope = 'openid urn:service:iam:org:projects:roles';
const changesOfRound = 50;

/**
 * A change of the project roles of a group, and the next userinfo of a member, which must show it: in a large group beside a small one.
 */
export async function measureGroupGrants(
  setting: Setting,
  {
    orgId,
    token,
    many,
    few,
    pace,
  }: { orgId: string; token: string; many: GroupOfSize; few: GroupOfSize; pace: Pace },
): Promise<Row> {
  const { container, baseUrl } = setting;
  const { id: projectId } = await addProject(container, { orgId, name: 'Roles of groups', editor });
  const { application } = await addApplication(container, {
    orgId,
    settings: { name: 'Reader of roles', type: 'web', projectId, redirectUris: ['https://roles.example/'] },
    editor,
  });
  const grants = `${baseUrl}/admin/v1/orgs/${orgId}/projects/${projectId}/group-grants`;
  const send = async (method: string, url: string, as: string, body?: object) => {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${as}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, Record<string, unknown> | undefined>;
  };
  const tokenOf = ({ member }: GroupOfSize) => {
    const issuedAt = unixSeconds(container.clock.now());
    return container.accessTokens.issue(
      {
        jti: newId(),
        sub: member,
        org: orgId,
        clientId: application.id,
        clientOrgId: orgId,
        audience: [application.id, projectId],
        scope,
        issuedAt,
        expiresAt: issuedAt + 3_600,
      },
      'opaque',
    );
  };
  /** A member of one group may be in the other one too, so each has roles of its own. */
  const sideOf = async (group: GroupOfSize) => {
    const roles = [`odd-${group.size}`, `even-${group.size}`] as const;
    for (const key of roles) await addProjectRole(container, { orgId, id: projectId, editor }, { key });
    await send('POST', grants, token, { groupId: group.id, roles: [roles[1]] });
    return { group, roles, of: await tokenOf(group) };
  };
  const large = await sideOf(many);
  const small = await sideOf(few);
  /** The 95th percentile of changes in ms. */
  const round = async ({ group, roles, of }: typeof large) => {
    const times: number[] = [];
    for (let change = 1; change <= changesOfRound; change++) {
      const [role, former] = change % 2 === 1 ? roles : [roles[1], roles[0]];
      const from = performance.now();
      await send('PATCH', `${grants}/${group.id}`, token, { roles: [role] });
      const info = await send('GET', `${baseUrl}/oidc/v1/userinfo`, of);
      times.push(performance.now() - from);
      const shown = Object.keys(info[claim] ?? {});
      if (!shown.includes(role) || shown.includes(former)) throw new Error(`A member has ${shown}`);
    }
    return percentile(times, 0.95);
  };
  const measured: { many: number; few: number }[] = [];
  for (let n = 0; n <= pace.rounds; n++) {
    const result = { many: await round(large), few: await round(small) };
    // The first round warms up.
    if (n > 0) measured.push(result);
  }
  const count = (size: number) => size.toLocaleString('en');
  return judged(
    {
      measure: `other project roles of a group of ${count(many.size)} until a member has them, p95`,
      ours: milliseconds(median(measured.map((one) => one.many))),
      peer: `in a group of ${count(few.size)}: ${milliseconds(median(measured.map((one) => one.few)))}`,
    },
    median(measured.map((one) => one.many / one.few)),
    { atMost: 1.5 },
  );
}
