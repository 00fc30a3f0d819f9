import t from 'tap';
import { runOnCluster, stores } from '../support/stores/on-cluster.js';

await runOnCluster(t, stores);
