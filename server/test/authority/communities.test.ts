import { tryTables } from './rows.ts';

await tryTables('communities');
