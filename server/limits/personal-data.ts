import { sql } from 'kysely';
import { definePersonalTable, leftOut } from '#server/personal-data/define.ts';

const WITHIN_A_DAY = 'counts what was tried within a day, and goes with it';

export const rateLimits = definePersonalTable({
  table: 'rate_limits',
  part: 'security',
  isAbout: ({ id, email }) => sql`(position(${id} in t.key) > 0 or position(${email} in t.key) > 0)`,
  columns: { key: leftOut(WITHIN_A_DAY), window_start: leftOut(WITHIN_A_DAY), used: leftOut(WITHIN_A_DAY) },
  order: 'key',
  erase: { rows: 'deleted' },
});
