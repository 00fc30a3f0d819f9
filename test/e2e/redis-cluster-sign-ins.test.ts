import t from 'tap';
import { runOnCluster, signIns } from '../support/stores/on-cluster.js';

await runOnCluster(t, signIns);
