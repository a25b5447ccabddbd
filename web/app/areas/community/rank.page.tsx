import { Link } from 'react-router';
import { readActivity } from '@officium/contract/community';
import { explainActivityRank } from '@officium/contract/ranks';
import { load } from '../../server/api.ts';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/rank.page';
import { CommunityCrumb } from './community-head.tsx';
import { feedOf } from './feed-address.ts';
import { RankWords } from './rank-words.tsx';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, locale, url } = await load(request, context);
  const { ranking } = feedOf(url.searchParams);
  const [{ title, locale: lang, actor, community }, explained] = await Promise.all([
    api(readActivity, { params, query: { locale } }),
    api(explainActivityRank, { params, query: { ranking } }),
  ]);
  return {
    explained,
    slug: params.slug,
    id: params.id,
    community: community?.title ?? params.slug,
    post: { title, lang, author: actor.name },
  };
}

export default function Rank({ loaderData: { explained, slug, id, community, post } }: Route.ComponentProps) {
  const { t } = useText();
  return (
    <div className="page py-6 md:py-10">
      <Head title={t('feed.why_title')} isPrivate />
      <div className="mx-auto max-w-[41rem]">
        <CommunityCrumb slug={slug} title={community} />
        <h1 className="mt-4 text-4xl">{t('feed.why_title')}</h1>
        <p className="mt-3 mb-6">
          <Link
            to={`/communities/${slug}/activities/${id}`}
            className="link inline-block py-1.5"
            lang={post.lang}
            dir="auto"
          >
            {post.title ?? t('community.post_by', { name: post.author })}
          </Link>
        </p>
        <div className="text-muted">
          <RankWords explained={explained} />
        </div>
      </div>
    </div>
  );
}
