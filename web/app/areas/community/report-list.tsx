import { useText } from '../../text.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Reported, type Shown } from './reported.tsx';

export const PAGE_SIZE = 20;

type Props = {
  things: readonly Shown[];
  total: number;
  page: number;
  /** The address of the first page. */
  address: string;
  /** Shown when there are no reports. */
  emptyText: string;
  /** The community; omitted elsewhere. */
  slug?: string;
};

/** A page of reported content, longest waiting first. */
export function ReportList({ things, total, page, address, emptyText, slug }: Props) {
  const { t } = useText();
  const addressOf = (number: number) => `${address}${number > 1 ? `?page=${number}` : ''}`;
  return (
    <>
      {things.length ? (
        <>
          <p className="mt-5 text-sm text-muted">{t('thread.reports_count', { count: total })}</p>
          <ol className="mt-2 grid grid-cols-1 gap-6">
            {things.map((thing) => (
              <li key={thing.id}>
                <Reported thing={thing} slug={slug} />
              </li>
            ))}
          </ol>
        </>
      ) : (
        <div className="mt-6">
          <EmptyState title={t('thread.reports_none_title')}>{emptyText}</EmptyState>
        </div>
      )}
      <Pagination
        page={page}
        previous={page > 1 ? addressOf(page - 1) : undefined}
        next={page * PAGE_SIZE < total ? addressOf(page + 1) : undefined}
      />
    </>
  );
}
