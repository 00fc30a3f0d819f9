import t from 'tap';
import { jobs, runOnCluster } from '../support/stores/on-cluster.js';

await runOnCluster(t, jobs);
