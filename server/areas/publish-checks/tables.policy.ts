import type { Element } from '#server/text/markdown-elements.ts';
import type { Check, Report } from './check.policy.ts';

type Table = {
  line: number;
  columns: number;
  rows: number;
  headers: number;
  /** Header cells without text, except the top left corner. */
  emptyHeaders: number;
  row: { cells: number; headers: number };
  cell: { isHeader: boolean; text: string } | undefined;
  first: string;
};

/** Checks that tables have header cells, and more than one column and one row. */
export class TableChecks implements Check {
  readonly #report: Report;
  readonly #tables: Table[] = [];

  constructor(report: Report) {
    this.#report = report;
  }

  open({ tag, attributes, line }: Element): void {
    if (tag === 'table')
      this.#tables.push({
        line,
        columns: 0,
        rows: 0,
        headers: 0,
        emptyHeaders: 0,
        row: { cells: 0, headers: 0 },
        cell: undefined,
        first: '',
      });
    const table = this.#tables.at(-1);
    if (!table) return;
    if (tag === 'tr') table.row = { cells: 0, headers: 0 };
    else if (tag === 'th' || tag === 'td') {
      table.cell = { isHeader: tag === 'th', text: '' };
      table.row.cells += Math.max(1, Math.min(100, Number(attributes['colspan']) || 1));
    } else if (tag === 'img' && table.cell) table.cell.text += attributes['alt'] ?? '';
    else if (tag === 'code' && table.cell) table.cell.text += tag;
  }

  text(text: string): void {
    const table = this.#tables.at(-1);
    if (table?.cell && table.cell.text.length < 200) table.cell.text += text;
  }

  close(tag: string): void {
    const table = this.#tables.at(-1);
    if (!table) return;
    if (tag === 'th' || tag === 'td') this.#endCell(table);
    else if (tag === 'tr') {
      table.rows += 1;
      table.columns = Math.max(table.columns, table.row.cells);
    } else if (tag === 'table') {
      this.#tables.pop();
      this.#endTable(table);
    }
  }

  #endCell(table: Table): void {
    const { cell } = table;
    table.cell = undefined;
    if (!cell) return;
    const text = cell.text.trim();
    table.first ||= text;
    if (!cell.isHeader) return;
    table.headers += 1;
    const isCorner = table.rows === 0 && table.row.headers === 0;
    table.row.headers += 1;
    if (text === '' && !isCorner) table.emptyHeaders += 1;
    if (text === '' && isCorner) table.headers -= 1;
  }

  #endTable({ line, columns, rows, headers, emptyHeaders, first }: Table): void {
    if (rows === 0) return;
    if (headers === 0 || headers === emptyHeaders) return this.#report('table-header', 'must', { line, text: first });
    if (emptyHeaders > 0) this.#report('table-header', 'should', { line, text: first });
    if (columns === 1 || rows === 1) this.#report('table-layout', 'should', { line, text: first });
  }
}
