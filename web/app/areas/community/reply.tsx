import { Link } from 'react-router';
import { useText } from '../../text.tsx';
import { Byline } from '../../ui/person.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Time } from '../../ui/time.tsx';
import { ReplyEditor } from './edit-forms.tsx';
import { Like } from './like.tsx';
import type { CommunityData, ReplyData } from './model.ts';
import { Removal } from './removal.tsx';
import { ReplyForm, type Reader } from './replies.tsx';
import { queryOfThread, type ThreadAddress } from './thread-address.ts';

type Props = { reply: ReplyData; community: CommunityData; viewer: Reader; address: ThreadAddress };

const DEEPEST = 3;

/** A reply with those below it. */
export function Reply(props: Props) {
  const { reply, community, viewer, address } = props;
  const { t } = useText();
  const isTop = reply.level === 1;
  return (
    <li id={reply.id} className={`scroll-mt-20 target:bg-accent-soft/60 ${isTop ? 'py-5' : 'pt-4'}`}>
      {reply.isDeleted || !reply.author ? (
        <p className="text-muted italic">{t('community.reply_gone')}</p>
      ) : (
        <Said {...props} author={reply.author} />
      )}
      {reply.children.length || reply.unseen ? (
        <ol className="mt-1 ms-1 border-s-2 border-line ps-4 sm:ms-4 sm:ps-6">
          {reply.children.map((child) => (
            <Reply key={child.id} {...{ reply: child, community, viewer, address }} />
          ))}
          {reply.unseen && reply.level < DEEPEST ? (
            <li className="pt-3">
              <Link
                to={`${queryOfThread({ ...address, open: reply.id })}#${reply.id}`}
                preventScrollReset
                className="link py-1.5"
              >
                {t('community.replies_more', { count: reply.unseen })}
              </Link>
            </li>
          ) : null}
        </ol>
      ) : null}
    </li>
  );
}

function Said({ reply, author, community, viewer, address }: Props & { author: NonNullable<ReplyData['author']> }) {
  const { t } = useText();
  const { slug, permissions } = community;
  const isOwn = author.id === viewer?.id;
  const canEdit = isOwn && permissions.canReply;
  const canDelete = isOwn || permissions.canModerate;
  const cancel = `${queryOfThread(address)}#${reply.id}`;
  const link = 'inline-flex min-h-11 items-center hover:text-accent hover:underline';
  return (
    <article>
      <Byline person={author} size={reply.level === 1 ? 40 : 32}>
        <Time value={reply.createdAt} />
        {reply.isEdited ? <span>{t('community.edited')}</span> : null}
      </Byline>
      {address.edit === reply.id && canEdit && reply.source ? (
        <ReplyEditor reply={reply} source={reply.source} address={address} />
      ) : (
        <div className="mt-2">
          <RichText html={reply.html} people={reply.people} lang={reply.locale} isCompact />
        </div>
      )}
      {address.remove === reply.id && canDelete ? (
        <Removal kind="reply" replies={reply.children.length + reply.unseen} address={address} target={reply.id} />
      ) : (
        <div className="flex flex-wrap items-center gap-x-5 text-sm text-muted">
          <Like
            community={slug}
            id={reply.id}
            isReply
            count={reply.likes}
            own={reply.ownLike}
            canLike={permissions.canReact}
          />
          {permissions.canReply && reply.level < DEEPEST ? (
            <Link to={`${queryOfThread(address, { reply: reply.id })}#${reply.id}`} preventScrollReset className={link}>
              {t('community.reply')}
            </Link>
          ) : null}
          {canEdit ? (
            <Link to={`${queryOfThread(address, { edit: reply.id })}#${reply.id}`} preventScrollReset className={link}>
              {t('common.edit')}
            </Link>
          ) : null}
          {canDelete ? (
            <Link
              to={`${queryOfThread(address, { remove: reply.id })}#${reply.id}`}
              preventScrollReset
              className={link}
            >
              {t('common.delete')}
            </Link>
          ) : null}
        </div>
      )}
      {address.reply === reply.id && permissions.canReply && reply.level < DEEPEST ? (
        <div className="mt-2 border-s-4 border-marigold ps-4">
          <ReplyForm
            intent={`reply-${reply.id}`}
            label={t('community.reply_to', { name: author.name })}
            parent={reply.id}
            cancel={cancel}
          />
        </div>
      ) : null}
    </article>
  );
}
