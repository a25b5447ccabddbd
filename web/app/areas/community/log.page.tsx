import { readCommunity } from '@officium/contract/community';
import { listModerationLog } from '@officium/contract/moderation-office';
import type { ReplyOf } from '@officium/contract/endpoint';
import { pageNumberOf } from '../../form/page-number.ts';
import { loadSignedIn } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { DataTable, type Column } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import { useReasonText } from '../../ui/reason-text.ts';
import type { Route } from './+types/log.page';
import { CommunityCrumb } from './community-head.tsx';

type Act = ReplyOf<typeof listModerationLog>['acts'][number];

const PAGE_SIZE = 50;

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const page = pageNumberOf(url);
  const query = { community: params.slug, limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) };
  const [{ slug, title }, { acts, more }] = await Promise.all([
    api(readCommunity, { params, query: { locale } }),
    api(listModerationLog, { query }),
  ]);
  return { slug, title, acts, more, page };
}

export default function Log({ loaderData: { slug, title, acts, more, page } }: Route.ComponentProps) {
  const { t, maybe } = useText();
  const reasonText = useReasonText();
  const columns: Column<Act>[] = [
    {
      name: 'action',
      label: t('moderation.log_act'),
      isHeading: true,
      cell: ({ action }) => maybe(`moderation.act.${action.replaceAll('-', '_')}`) ?? action,
    },
    { name: 'reason', label: t('moderation.ground'), cell: ({ reason }) => (reason ? reasonText(reason) : '–') },
    { name: 'actor', label: t('moderation.log_who'), cell: ({ actor }) => actor?.name ?? '–' },
    { name: 'when', label: t('moderation.log_when'), cell: ({ createdAt }) => <Time value={createdAt} look="exact" /> },
  ];
  const address = (number: number) => `/communities/${slug}/log${number > 1 ? `?page=${number}` : ''}`;
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('moderation.log_of', { title })} isPrivate />
      <div className="mx-auto max-w-[56rem]">
        <CommunityCrumb slug={slug} title={title} />
        <h1 className="mt-4 text-4xl">{t('moderation.log')}</h1>
        <p className="mt-2 mb-6 max-w-prose text-muted">{t('moderation.log_text')}</p>
        {acts.length ? (
          <DataTable caption={t('moderation.log')} columns={columns} rows={acts} keyOf={({ id }) => id} />
        ) : (
          <EmptyState title={t('moderation.log_none')} />
        )}
        <Pagination
          page={page}
          previous={page > 1 ? address(page - 1) : undefined}
          next={more ? address(page + 1) : undefined}
        />
      </div>
    </div>
  );
}
