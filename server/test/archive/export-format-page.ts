import { ARCHIVE_RECORDS, LEFT_OUT_TABLES } from '#server/areas/archive/archive-records.data.ts';
import { fieldsOf, leftOutOf } from '#server/areas/archive/record.format.ts';

/** The tables of docs/export-format.md that are derived from the declarations. */
export function tablesOfPage(): { records: string; leftOut: string } {
  const records = ARCHIVE_RECORDS.map((kind) => {
    const fields = fieldsOf(kind).map(({ name }) => `\`${name}\``);
    return `| \`${kind.file}\` | ${kind.about} | ${fields.join(' ')} |`;
  });
  const columns = ARCHIVE_RECORDS.flatMap((kind) =>
    leftOutOf(kind).map(({ column, why }) => ({ name: `${kind.table}.${column}`, why })),
  );
  const tables = Object.entries(LEFT_OUT_TABLES).map(([name, why]) => ({ name, why }));
  const byReason = Map.groupBy([...tables, ...columns], ({ why }) => why);
  const leftOut = [...byReason].map(([why, all]) => `| ${why} | ${all.map(({ name }) => `\`${name}\``).join(', ')} |`);
  return {
    records: ['| file | contains | fields |', '|---|---|---|', ...records].join('\n'),
    leftOut: ['| reason | tables and columns |', '|---|---|', ...leftOut].join('\n'),
  };
}
