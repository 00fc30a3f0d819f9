import { checkAlerts } from './kubernetes/check-alerts.js';
import { checkIngress } from './kubernetes/check-ingress.js';
import { checkMetrics } from './kubernetes/check-metrics.js';
import { checkNamespaces } from './kubernetes/check-namespaces.js';
import { checkPods } from './kubernetes/check-pods.js';
import { checkPolicies } from './kubernetes/check-policies.js';
import { checkReferences } from './kubernetes/check-references.js';
import { checkSchemas } from './kubernetes/check-schemas.js';
import { type KubernetesObject, render } from './kubernetes/render.js';

const overlays = ['k8s/overlays/dev', 'k8s/overlays/prod', 'k8s/ingress-nginx'];

/** All mistakes in the objects of an overlay, one line each. */
async function problemsOf(objects: readonly KubernetesObject[], rendered: boolean): Promise<string[]> {
  const found = [
    ...(await checkSchemas(objects)),
    ...checkPods(objects),
    ...checkNamespaces(objects),
    ...(await checkMetrics(objects)),
    ...checkIngress(objects),
  ];
  return rendered ? [...found, ...checkReferences(objects), ...checkPolicies(objects)] : found;
}

let failed = false;
for (const overlay of overlays) {
  const { objects, with: builder } = render(overlay);
  if (builder === undefined)
    console.log(
      `not checked: ${overlay} as it is applied, but file by file: no kubectl and no kustomize here`,
    );
  for (const problem of await problemsOf(objects, builder !== undefined)) {
    console.error(`${overlay}: ${problem}`);
    failed = true;
  }
}
const { problems, unchecked } = await checkAlerts();
if (unchecked !== undefined) console.log(`not checked: when alerts fire: ${unchecked}`);
for (const problem of problems) {
  console.error(`alerts: ${problem}`);
  failed = true;
}
if (failed) process.exit(1);
