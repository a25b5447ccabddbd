import { tryTables } from './rows.ts';

await tryTables('office');
