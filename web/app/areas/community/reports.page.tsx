import { Link } from 'react-router';
import { readCommunity } from '@officium/contract/community';
import { readCommunitySettings } from '@officium/contract/community-settings';
import { listAppeals } from '@officium/contract/decisions';
import { listReports } from '@officium/contract/moderation';
import { pageNumberOf } from '../../form/page-number.ts';
import { act, loadSignedIn } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/reports.page';
import { CommunityCrumb } from './community-head.tsx';
import { decideCase } from './reported.act.ts';
import { PAGE_SIZE, ReportList } from './report-list.tsx';
import { Appeals, toShown } from './reported.tsx';
import { namesOfRules, RulesProvider } from './rules.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await loadSignedIn(request, context);
  const page = pageNumberOf(url);
  const offset = (page - 1) * PAGE_SIZE;
  const query = { community: params.slug, limit: String(PAGE_SIZE), offset: String(offset) };
  const [community, { things, total }, { appeals }, settings] = await Promise.all([
    api(readCommunity, { params, query: { locale } }),
    api(listReports, { query }),
    api(listAppeals, { query: { community: params.slug, locale } }),
    api(readCommunitySettings, { params }),
  ]);
  const { slug, title } = community;
  return {
    slug,
    title,
    things: things.map(toShown),
    total,
    page,
    appeals,
    rules: namesOfRules(settings.rules),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await decideCase(await act(request, context), `/communities/${params.slug}/reports`, params.slug);
}

export default function Reports({ loaderData }: Route.ComponentProps) {
  const { slug, title, appeals, rules } = loaderData;
  const { t } = useText();
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('thread.reports_title', { title })} isPrivate />
      <div className="mx-auto max-w-[46rem]">
        <CommunityCrumb slug={slug} title={title} />
        <h1 className="mt-4 text-4xl">{t('thread.reports')}</h1>
        <p className="mt-2 text-muted">{t('thread.reports_text')}</p>
        <p className="mt-2 flex flex-wrap gap-x-6">
          <Link to={`/communities/${slug}/log`} className="link inline-block py-1.5">
            {t('moderation.log')}
          </Link>
          <Link to={`/communities/${slug}/rules`} className="link inline-block py-1.5">
            {t('moderation.rules')}
          </Link>
        </p>
        <Appeals appeals={appeals} />
        <RulesProvider value={rules}>
          <ReportList
            {...loaderData}
            address={`/communities/${slug}/reports`}
            emptyText={t('thread.reports_none_text')}
          />
        </RulesProvider>
      </div>
    </div>
  );
}
