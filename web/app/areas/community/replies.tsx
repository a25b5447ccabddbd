import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useDeletionState } from '../../ui/deletion.ts';
import { LinkArea } from '../../ui/link-area.tsx';
import { Join } from './join.tsx';
import type { CommunityData, PageViewer } from './model.ts';
import { Reply } from './reply.tsx';
import { ReplyForm } from './reply-form.tsx';
import { queryOfThread, WHOLE_THREAD, type ThreadAddress } from './thread-address.ts';
import type { ThreadPage } from './thread.loader.ts';

type Props = {
  community: CommunityData;
  /** null: the viewer may not see replies. */
  thread: ThreadPage | null;
  viewer: PageViewer;
  address: ThreadAddress;
  /** Id of the author of the post. */
  author: string;
  count: number;
};

/** The conversation below a post. */
export function Replies({ community, thread, viewer, address, author, count }: Props) {
  const { t } = useText();
  const { permissions } = community;
  const isDeletedHere = useDeletionState(address.at ?? '') !== undefined;
  return (
    <section id="replies" aria-labelledby="replies-title" className="mt-10 scroll-mt-20 border-t-2 border-ink pt-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="replies-title" tabIndex={-1} className="text-2xl outline-none">
          {t('community.replies')}
        </h2>
        {thread && count > 1 ? <Order address={address} /> : null}
      </div>
      {thread ? (
        <>
          {thread.isLost && !isDeletedHere ? (
            <p role="status" className="mt-3 border-s-4 border-line ps-4 text-muted">
              {t('thread.lost')}
            </p>
          ) : null}
          {thread.hasBefore ? (
            <LinkButton
              to={`${queryOfThread({ ...WHOLE_THREAD, order: address.order })}#replies`}
              look="quiet"
              className="mt-3"
            >
              {t('community.replies_first')}
            </LinkButton>
          ) : null}
          {thread.replies.length ? (
            <LinkArea>
              <ol className="mt-2 divide-y divide-line">
                {thread.replies.map((reply) => (
                  <Reply key={reply.id} {...{ reply, community, viewer, address, author }} />
                ))}
              </ol>
            </LinkArea>
          ) : (
            <p className="mt-3 text-muted">
              {t(
                address.after
                  ? 'community.no_more_replies'
                  : permissions.canReply
                    ? 'community.no_replies_write'
                    : 'community.no_replies',
              )}
            </p>
          )}
          <Pages thread={thread} address={address} />
          {permissions.canReply ? <WriteReply /> : <NoWriting community={community} viewer={viewer} />}
        </>
      ) : (
        <ForMembers community={community} viewer={viewer} count={count} />
      )}
    </section>
  );
}

function Order({ address }: { address: ThreadAddress }) {
  const { t } = useText();
  return (
    <nav aria-label={t('community.order')} className="flex gap-4 text-sm">
      {(['oldest', 'newest'] as const).map((order) => (
        <Link
          key={order}
          to={`${queryOfThread({ ...WHOLE_THREAD, order })}#replies`}
          preventScrollReset
          aria-current={address.order === order ? 'true' : undefined}
          className="here py-1.5 text-muted hover:text-accent aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {t(`community.order_${order}`)}
        </Link>
      ))}
    </nav>
  );
}

function Pages({ thread, address }: { thread: ThreadPage; address: ThreadAddress }) {
  const { t } = useText();
  const { order } = address;
  if (!thread.next) return null;
  return (
    <nav aria-label={t('common.pagination')} className="mt-4">
      <LinkButton
        to={`${queryOfThread({ ...WHOLE_THREAD, order, after: thread.next })}#replies`}
        look="secondary"
        rel="next"
      >
        {t(order === 'oldest' ? 'community.replies_later' : 'community.replies_earlier')}
      </LinkButton>
    </nav>
  );
}

function WriteReply() {
  const { t } = useText();
  return (
    <div id="write" className="mt-8 scroll-mt-20 border-t border-line pt-6">
      <ReplyForm intent="reply" label={t('community.reply_to_post')} />
    </div>
  );
}

function NoWriting({ community, viewer }: { community: CommunityData; viewer: PageViewer }) {
  const { t } = useText();
  if (community.membership?.status === 'active')
    return <p className="mt-6 border-s-4 border-line ps-4 text-muted">{t('community.only_reading')}</p>;
  return (
    <div className="mt-6 flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
      <p className="text-muted">{t('community.join_to_reply')}</p>
      <Join community={{ ...community, canJoin: community.permissions.canJoin }} isSignedIn={viewer !== null} />
    </div>
  );
}

function ForMembers({ community, viewer, count }: { community: CommunityData; viewer: PageViewer; count: number }) {
  const { t } = useText();
  return (
    <div className="mt-4">
      <EmptyState
        title={t('community.replies_count', { count })}
        action={
          <Join community={{ ...community, canJoin: community.permissions.canJoin }} isSignedIn={viewer !== null} />
        }
      >
        {t('community.replies_for_members')}
      </EmptyState>
    </div>
  );
}
