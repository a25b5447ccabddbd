import { fuzzOperations } from './operations.ts';

await fuzzOperations('people');
