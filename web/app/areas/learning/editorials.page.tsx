import { listEditorials } from '@officium/contract/editorials';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Row, RowList } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Head } from '../../ui/head.tsx';
import { Pagination } from '../../ui/pagination.tsx';
import type { Route } from './+types/editorials.page';
import { Faq } from './faq.tsx';
import { LearnTabs } from './learn-tabs.tsx';

// Every question with its answer at /questions, every solution article at /solutions.

const PAGE_SIZE = 50;
const LAST_PAGE = 200;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api, locale, url } = await load(request, context);
  const kind = url.pathname.startsWith('/questions') ? 'questions' : 'solutions';
  const wanted = Math.trunc(Number(url.searchParams.get('page')) || 1);
  const page = Math.min(Math.max(wanted, 1), LAST_PAGE);
  const query = { locale, limit: String(PAGE_SIZE), offset: String((page - 1) * PAGE_SIZE) };
  return { ...(await api(listEditorials, { params: { kind }, query })), kind, page } as const;
}

export default function Editorials({ loaderData: { kind, editorials, total, page } }: Route.ComponentProps) {
  const { t, locale } = useText();
  const addressOf = (to: number) => (to > 1 ? `/${kind}?page=${to}` : `/${kind}`);
  return (
    <div className="page py-10 md:py-12">
      <Head title={t(`hub.${kind}`)} description={t(`hub.${kind}_lead`)} />
      <h1 className="text-4xl md:text-5xl">{t(`hub.${kind}`)}</h1>
      <p className="mt-2 mb-5 max-w-2xl text-lg text-muted">{t(`hub.${kind}_lead`)}</p>
      <LearnTabs current="hubs" />
      <div className="mt-8 max-w-3xl">
        {editorials.length === 0 ? (
          <EmptyState title={t(`hub.${kind}_none`)}>{t(`hub.${kind}_none_text`)}</EmptyState>
        ) : kind === 'questions' ? (
          <Faq level={2} questions={editorials.map((one) => ({ ...one, path: `/questions/${one.slug}` }))} />
        ) : (
          <RowList>
            {editorials.map((one) => (
              <Row
                key={one.slug}
                to={`/solutions/${one.slug}`}
                title={one.title}
                level={2}
                lang={one.shownLocale === locale ? undefined : one.shownLocale}
              >
                {one.summary}
              </Row>
            ))}
          </RowList>
        )}
      </div>
      <Pagination
        page={page}
        previous={page > 1 ? addressOf(page - 1) : undefined}
        next={page * PAGE_SIZE < total ? addressOf(page + 1) : undefined}
      />
    </div>
  );
}
