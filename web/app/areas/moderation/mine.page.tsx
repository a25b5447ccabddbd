import { Link } from 'react-router';
import { listMyDecisions, listMyReports } from '@officium/contract/decisions';
import type { ReplyOf } from '@officium/contract/endpoint';
import { pageNumberOf } from '../../form/page-number.ts';
import { loadSignedIn } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import { Time } from '../../ui/time.tsx';
import { useReasonText } from '../../ui/reason-text.ts';
import type { Route } from './+types/mine.page';

const PAGE_SIZE = 25;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const page = pageNumberOf(url);
  const query = { locale, limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) };
  const [decisions, reports] = await Promise.all([api(listMyDecisions, { query }), api(listMyReports, { query })]);
  return { decisions, reports, page, hasNext: page * PAGE_SIZE < Math.max(decisions.total, reports.total) };
}

export default function Mine({ loaderData }: Route.ComponentProps) {
  const { decisions, reports, page, hasNext } = loaderData;
  const { t } = useText();
  const reasonText = useReasonText();
  const address = (number: number) => (number > 1 ? `/me/moderation?page=${number}` : '/me/moderation');
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('moderation.mine')} isPrivate />
      <div className="mx-auto max-w-[44rem]">
        <h1 className="text-4xl">{t('moderation.mine')}</h1>
        <section className="mt-8" aria-labelledby="decisions">
          <h2 id="decisions" className="text-2xl">
            {t('moderation.mine_decisions')}
          </h2>
          {decisions.decisions.length === 0 ? <p className="mt-2 text-muted">{t('moderation.mine_none')}</p> : null}
          <ul className="mt-3 divide-y divide-line border-y border-line empty:hidden">
            {decisions.decisions.map(({ id, kind, community, lesson, article, reason, decidedAt, appeal }) => (
              <li key={id} className="relative py-4">
                <Link to={`/moderation/${id}`} className="title-link stretched font-semibold">
                  {t('moderation.what_removed', { kind })}
                </Link>
                <p className="flex flex-wrap gap-x-4 text-sm text-muted">
                  <Place community={community} lesson={lesson} article={article} />
                  <span>{reasonText(reason)}</span>
                  <span>{t(`moderation.appeal_is_${appeal}`)}</span>
                  <Time value={decidedAt} />
                </p>
              </li>
            ))}
          </ul>
        </section>
        <section className="mt-10" aria-labelledby="reports">
          <h2 id="reports" className="text-2xl">
            {t('moderation.mine_reports')}
          </h2>
          {reports.reports.length === 0 ? <p className="mt-2 text-muted">{t('moderation.mine_no_reports')}</p> : null}
          <ul className="mt-3 divide-y divide-line border-y border-line empty:hidden">
            {reports.reports.map(({ id, kind, community, lesson, article, reason, status, createdAt }) => (
              <li key={id} className="py-4">
                <p className="font-semibold">{t(`moderation.report_${status}`, { kind })}</p>
                <p className="flex flex-wrap gap-x-4 text-sm text-muted">
                  <Place community={community} lesson={lesson} article={article} />
                  <span>{reasonText(reason)}</span>
                  <Time value={createdAt} />
                </p>
              </li>
            ))}
          </ul>
        </section>
        <Pagination
          page={page}
          previous={page > 1 ? address(page - 1) : undefined}
          next={hasNext ? address(page + 1) : undefined}
        />
      </div>
    </div>
  );
}

type Decision = ReplyOf<typeof listMyDecisions>['decisions'][number];

function Place({ community, lesson, article }: Pick<Decision, 'community' | 'lesson' | 'article'>) {
  const title = community?.title ?? lesson?.title ?? article?.title;
  return title ? <span dir="auto">{title}</span> : null;
}
