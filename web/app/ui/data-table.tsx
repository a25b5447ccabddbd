import { ArrowDown, ArrowDownUp, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useText } from '../text.tsx';
import { Icon } from './icon.tsx';

export type Column<Row> = {
  /** Name of a sortable column in addresses. */
  name: string;
  label: string;
  cell: (row: Row) => ReactNode;
  /** For numbers: right-aligned with tabular digits. */
  isNumber?: boolean;
  /** The row header. */
  isHeading?: boolean;
  isSortable?: boolean;
};

type Props<Row> = {
  /** Caption, also for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Current sort, as in the address: `name`, or `-name` for descending. */
  sort?: string;
  /** Returns the address of this page with another sort. */
  sortedBy?: (sort: string) => string;
};

/**
 * A table with a caption. On narrow screens each row becomes a block with a label before each value; explicit roles
 * keep it a table for screen readers.
 */
export function DataTable<Row>({ caption, columns, rows, keyOf, sort, sortedBy }: Props<Row>) {
  return (
    <table role="table" className="data-table">
      <caption className="sr-only">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <HeadCell key={column.name} column={column} sort={sort} sortedBy={sortedBy} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr role="row" key={keyOf(row)}>
            {columns.map(({ name, label, cell, isHeading, isNumber }) => {
              const className = isNumber ? 'number' : undefined;
              const content = (
                <>
                  <span className="data-label" aria-hidden="true">
                    {label}
                  </span>
                  <span className="data-value">{cell(row)}</span>
                </>
              );
              return isHeading ? (
                <th key={name} role="rowheader" scope="row" className={className}>
                  {content}
                </th>
              ) : (
                <td key={name} role="cell" className={className}>
                  {content}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type HeadProps = {
  column: Pick<Column<never>, 'name' | 'label' | 'isNumber' | 'isSortable'>;
  sort: string | undefined;
  sortedBy: ((sort: string) => string) | undefined;
};

function HeadCell({ column: { name, label, isNumber, isSortable }, sort, sortedBy }: HeadProps) {
  const { t } = useText();
  const isUp = sort === name;
  const isDown = sort === `-${name}`;
  const direction = isUp ? ('ascending' as const) : isDown ? ('descending' as const) : undefined;
  return (
    <th role="columnheader" scope="col" aria-sort={direction} className={isNumber ? 'number' : undefined}>
      {isSortable && sortedBy ? (
        <Link
          to={sortedBy(isUp ? `-${name}` : name)}
          preventScrollReset
          className="inline-flex min-h-11 items-center gap-1 hover:text-accent"
          title={t('common.sort_by', { column: label })}
        >
          {label}
          <Icon as={isUp ? ArrowUp : isDown ? ArrowDown : ArrowDownUp} size={14} />
        </Link>
      ) : (
        label
      )}
    </th>
  );
}
