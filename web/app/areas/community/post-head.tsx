import { Pin } from 'lucide-react';
import { useText } from '../../text.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Byline } from '../../ui/person.tsx';
import { Time } from '../../ui/time.tsx';
import { categoryName, type CommunityData, type PostData } from './model.ts';
import { RoleTag } from './role-tag.tsx';

type Props = { post: PostData; community: CommunityData; to?: string };

/** Author, time, pin and categories. */
export function PostHead({ post, community, to }: Props) {
  const { t } = useText();
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
      <Byline person={post.author} isPlain>
        <RoleTag community={community} id={post.author.id} />
        {to ? (
          <a href={to} className="inline-block py-0.5 hover:text-accent hover:underline">
            <Time value={post.createdAt} />
          </a>
        ) : (
          <Time value={post.createdAt} />
        )}
        {post.isEdited ? <span>{t('community.edited')}</span> : null}
      </Byline>
      {post.isPinned || post.categories.length > 0 ? <Marks post={post} slug={community.slug} /> : null}
    </div>
  );
}

/** Pin and categories. */
function Marks({ post, slug }: { post: PostData; slug: string }) {
  const { t } = useText();
  return (
    <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
      {post.isPinned ? (
        <span className="inline-flex min-h-6 items-center gap-1 rounded-full bg-marigold px-2.5 text-[#1b1f3b]">
          <Icon as={Pin} size={14} />
          {t('community.pinned')}
        </span>
      ) : null}
      {post.categories.map((category) => (
        <a
          key={category}
          href={`/communities/${slug}?category=${encodeURIComponent(category)}`}
          className="inline-block py-1 hover:text-accent hover:underline"
        >
          {categoryName(category)}
        </a>
      ))}
    </p>
  );
}
