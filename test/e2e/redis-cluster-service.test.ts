import t from 'tap';
import { runOnCluster, service } from '../support/stores/on-cluster.js';

await runOnCluster(t, service);
