import { Link } from 'react-router';
import { LOCALES, type Locale } from '@officium/i18n/locales';
import { useText } from '../../text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { addressOf, isKind, LOOKS } from './kinds.ts';
import { nodeName, type PieceRow } from './pieces-tree.ts';
import { titleOf } from './title.ts';

const addressOfRow = ({ kind, key }: PieceRow) =>
  isKind(kind) ? addressOf(kind, key) : `/articles/${encodeURIComponent(key)}`;

/** Languages in the usual order of locales. */
export const languagesOf = (row: PieceRow) =>
  LOCALES.filter((locale: Locale) => row.languages.includes(locale)).join(', ');

export function PieceLink({ row }: { row: PieceRow }) {
  const { locale } = useText();
  const { text, lang } = titleOf(row.title, locale);
  return (
    <Link to={addressOfRow(row)} className="link inline-block py-1" lang={lang} dir="auto">
      {text || row.slug}
    </Link>
  );
}

/** The course and journey of a piece, each with a link. */
function PartOf({ course, journey }: PieceRow) {
  const { locale } = useText();
  const above = [
    { kind: 'course', parent: course },
    { kind: 'journey', parent: journey },
  ];
  return above.map(({ kind, parent }) => {
    if (!parent) return null;
    const { text, lang } = titleOf(parent.title, locale);
    return (
      <span key={kind} className="block">
        <Link to={addressOf(kind, parent.key)} className="link inline-block py-1" lang={lang} dir="auto">
          {text}
        </Link>
      </span>
    );
  });
}

type Props = { rows: PieceRow[]; sort: string | undefined; sortedBy?: (sort: string) => string };

export function PiecesTable({ rows, sort, sortedBy }: Props) {
  const { t } = useText();
  const isSortable = sortedBy !== undefined;
  const columns: Column<PieceRow>[] = [
    {
      name: 'title',
      label: t('admin.content_field_title'),
      isHeading: true,
      isSortable,
      cell: (row) => <PieceLink row={row} />,
    },
    {
      name: 'kind',
      label: t('admin.content_kind'),
      isSortable,
      cell: (row) => t(`admin.content_kind_${row.kind}`),
    },
    {
      name: 'in',
      label: t('admin.content_part_of'),
      cell: (row) => (row.course ? <PartOf {...row} /> : '–'),
    },
    {
      name: 'state',
      label: t('admin.content_state'),
      cell: (row) => <Tag look={LOOKS[row.state]}>{t(`admin.content_state_${row.state}`)}</Tag>,
    },
    { name: 'languages', label: t('admin.content_languages'), cell: languagesOf },
    {
      name: 'updated',
      label: t('admin.content_updated'),
      isSortable,
      cell: (row) => <Time value={row.updatedAt} />,
    },
  ];
  return (
    <DataTable
      caption={t('admin.content')}
      columns={columns}
      rows={rows}
      keyOf={nodeName}
      sort={sort}
      sortedBy={sortedBy}
    />
  );
}
