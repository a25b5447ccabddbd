import { Link } from 'react-router';
import { listAppeals } from '@officium/contract/decisions';
import { listReports } from '@officium/contract/moderation';
import { pageNumberOf } from '../../form/page-number.ts';
import { act, loadSignedIn } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/article-reports.page';
import { decideCase } from './reported.act.ts';
import { PAGE_SIZE, ReportList } from './report-list.tsx';
import { Appeals, toShown } from './reported.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const page = pageNumberOf(url);
  const offset = (page - 1) * PAGE_SIZE;
  const [{ things, total }, { appeals }] = await Promise.all([
    api(listReports, { query: { articles: 'true', locale, limit: String(PAGE_SIZE), offset: String(offset) } }),
    api(listAppeals, { query: { articles: 'true', locale } }),
  ]);
  return { things: things.map(toShown), total, page, appeals };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await decideCase(await act(request, context), '/moderation/articles');
}

export default function ArticleReports({ loaderData }: Route.ComponentProps) {
  const { appeals } = loaderData;
  const { t } = useText();
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('thread.reports_title', { title: t('article.list_title') })} isPrivate />
      <div className="mx-auto max-w-[46rem]">
        <Link to="/articles" className="link inline-block py-1.5 text-sm">
          {t('article.list_title')}
        </Link>
        <h1 className="mt-2 text-4xl">{t('thread.reports')}</h1>
        <p className="mt-2 text-muted">{t('moderation.article_reports_text')}</p>
        <Appeals appeals={appeals} />
        <ReportList {...loaderData} address={'/moderation/articles'} emptyText={t('moderation.reports_none')} />
      </div>
    </div>
  );
}
