import { data, Link } from 'react-router';
import { readArticle } from '@officium/contract/content';
import { shareArticle } from '@officium/contract/shares';
import { act, load, loadSignedIn } from '../../server/api.ts';
import { placesToShare, refuseShare, resultOf, shareOf } from '../../server/share.ts';
import { useText } from '../../text.tsx';
import { SharePage } from '../../ui/share-form.tsx';
import type { Route } from './+types/share.page';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const args = await loadSignedIn(request, context);
  const [{ slug, title, locale: lang }, places] = await Promise.all([
    args.api(readArticle, { params }),
    placesToShare(args),
  ]);
  return { article: { slug, title, lang }, places };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { api, attempt, fields } = await act(request, context);
  const { viewer, locale } = await load(request, context);
  const sent = shareOf(fields);
  const done = await attempt(shareArticle, { params, body: sent });
  if (!done.ok) return refuseShare(done.failure, fields);
  const places = viewer ? await placesToShare({ api, attempt, viewer, locale }) : [];
  return data({ result: resultOf(done.body, { sent, places, locale }) });
}

export default function ShareArticle({ loaderData, actionData }: Route.ComponentProps) {
  const { article, places } = loaderData;
  const { t, rich } = useText();
  const to = `/articles/${encodeURIComponent(article.slug)}`;
  return (
    <SharePage
      what={rich('article.share_what', {
        title: (
          <Link to={to} className="link" lang={article.lang}>
            <bdi>{article.title}</bdi>
          </Link>
        ),
      })}
      hint={t('article.share_message_hint')}
      none={t('article.share_none_text')}
      back={{ to, label: t('article.back') }}
      places={places}
      result={actionData && 'result' in actionData ? actionData.result : undefined}
    />
  );
}
