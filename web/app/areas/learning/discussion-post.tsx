import { Heart } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useFormState } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PersonLink } from '../../ui/person.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { TextTranslationLine, useTranslation } from '../../ui/translated.tsx';
import { NeedsNetwork } from './network.tsx';
import { ReasonForm } from './reason-form.tsx';
import { TextForm, useQuietFetcher } from './text-form.tsx';
import type { Thread } from './discussion.load.ts';

type Post = Extract<Thread, { html: string }>;

/** A contribution or reply with its actions and replies. */
export function DiscussionPost({ thread }: { thread: Thread }) {
  const { t } = useText();
  return (
    <article id={`post-${thread.id}`} className="scroll-mt-28">
      {thread.isDeleted ? <p className="text-muted italic">{t('learning.reply_gone')}</p> : <Said post={thread} />}
      {thread.replies.length > 0 ? (
        <ol className="mt-5 space-y-5 border-s-2 border-line ps-3 sm:ps-5">
          {thread.replies.map((reply) => (
            <li key={reply.id}>
              <DiscussionPost thread={reply} />
            </li>
          ))}
        </ol>
      ) : null}
    </article>
  );
}

function Said({ post }: { post: Post }) {
  const { t } = useText();
  const translation = useTranslation(post.id);
  const { author } = post;
  return (
    <>
      <header className="flex items-start gap-3">
        <Avatar name={author.name} src={author.thumbnail} size={post.depth === 0 ? 40 : 32} />
        <div className="min-w-0 flex-1 leading-snug">
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="font-semibold">
              <PersonLink id={author.id} name={author.name} />
            </span>
            <span className="text-sm text-muted">
              <Time value={post.createdAt} />
              {post.isEdited ? <> · {t('learning.edited')}</> : null}
            </span>
            {post.isPinned ? <Tag>{t('learning.pinned')}</Tag> : null}
          </p>
          {author.about ? (
            <p className="text-sm text-muted">
              <bdi>{author.about}</bdi>
            </p>
          ) : null}
        </div>
      </header>
      <div className="mt-2.5">
        <RichText
          html={translation?.bodyHtml ?? post.html}
          people={post.people}
          lang={translation?.locale ?? post.lang}
          isCompact
        />
        <Translation post={post} />
      </div>
      <SharedIn post={post} />
      <Acts post={post} />
    </>
  );
}

/** The communities where a contribution is discussed too. */
function SharedIn({ post: { sharedIn } }: { post: Post }) {
  const { t } = useText();
  if (sharedIn.length === 0) return null;
  return (
    <p className="needs-network mt-2 flex flex-wrap gap-x-3 text-sm text-muted">
      <span className="py-1">{t('learning.also_in')}</span>
      {sharedIn.map(({ slug, title, post }) => (
        <Link key={slug} to={`/communities/${slug}/activities/${post}`} className="link inline-block py-1">
          <bdi>{title}</bdi>
        </Link>
      ))}
    </p>
  );
}

function Translation({ post }: { post: Post }) {
  const { search } = useLocation();
  const queryWith = (change: (query: URLSearchParams) => void) => {
    const query = new URLSearchParams(search);
    query.delete('again');
    query.delete('translate', post.id);
    change(query);
    return `?${query}#post-${post.id}`;
  };
  return (
    <div className="needs-network">
      <TextTranslationLine
        id={post.id}
        lang={post.lang}
        to={queryWith((query) => query.append('translate', post.id))}
        back={queryWith(() => {})}
        name={post.author.name}
      />
    </div>
  );
}

function Acts({ post }: { post: Post }) {
  const { t, rich } = useText();
  const { pathname } = useLocation();
  const target = { id: post.id, depth: post.depth };
  return (
    <div className="needs-network mt-1 -ms-3 flex flex-wrap items-start gap-x-1">
      <Like post={post} />
      {post.can.reply ? (
        <Unfold label={t('learning.reply')}>
          {(close) => (
            <TextForm
              act="reply"
              target={target}
              label={rich('learning.reply_to', { name: <bdi>{post.author.name}</bdi> })}
              onDone={close}
            >
              {(isBusy) => <Button isBusy={isBusy}>{t('learning.reply_send')}</Button>}
            </TextForm>
          )}
        </Unfold>
      ) : null}
      {post.can.edit ? (
        <Unfold label={t('common.edit')}>
          {(close) => (
            <TextForm
              act="edit"
              target={target}
              label={t('learning.edit_label')}
              text={post.source ?? ''}
              lang={post.lang}
              onDone={close}
            >
              {(isBusy) => <Button isBusy={isBusy}>{t('common.save')}</Button>}
            </TextForm>
          )}
        </Unfold>
      ) : null}
      {post.can.share ? (
        <Link to={`${pathname}/share/${post.id}`} className="btn btn-quiet btn-small w-fit">
          {t('learning.share')}
        </Link>
      ) : null}
      {post.can.delete ? (
        <Unfold label={t('common.delete')} opens={`remove-${post.id}`}>
          {(close) =>
            post.can.report ? <ReasonForm act="remove" target={target} onDone={close} /> : <Delete post={post} />
          }
        </Unfold>
      ) : null}
      {post.can.report ? (
        <Unfold label={t('thread.report')} opens={`report-${post.id}`}>
          {(close) => <ReasonForm act="report" target={target} onDone={close} />}
        </Unfold>
      ) : null}
    </div>
  );
}

type UnfoldProps = {
  label: string;
  /** The intent of its form: open when that was refused. */
  opens?: string;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a form below its row. */
function Unfold({ label, opens, children }: UnfoldProps) {
  const refused = useFormState()?.values?.['intent'];
  const details = useRef<HTMLDetailsElement>(null);
  function close() {
    if (!details.current) return;
    details.current.open = false;
    details.current.querySelector('summary')?.focus();
  }
  return (
    <details
      ref={details}
      open={opens !== undefined && refused === opens}
      className="open:order-last open:w-full"
      onToggle={() => {
        if (details.current?.open)
          details.current.querySelector<HTMLElement>('textarea, input:not([type=hidden])')?.focus();
      }}
    >
      <summary className="btn btn-quiet btn-small w-fit">{label}</summary>
      <div className="ps-3 pt-1 pb-2">{children(close)}</div>
    </details>
  );
}

function Like({ post }: { post: Post }) {
  const { t, number } = useText();
  const fetcher = useQuietFetcher();
  const sent = fetcher.formData?.get('act');
  const isLiked = sent ? sent === 'like' : post.ownLike !== null;
  const likes = post.likes + Number(isLiked) - Number(post.ownLike !== null);
  return (
    <form method="post" onSubmit={fetcher.send}>
      <input type="hidden" name="target" value={post.id} />
      <input type="hidden" name="depth" value={post.depth} />
      {post.ownLike ? <input type="hidden" name="like" value={post.ownLike} /> : null}
      <button
        name="act"
        value={post.ownLike ? 'unlike' : 'like'}
        aria-pressed={isLiked}
        className="btn btn-quiet btn-small"
      >
        <Icon as={Heart} size={17} className={isLiked ? 'fill-current' : ''} />
        <span className="sr-only">{t('learning.like_by', { name: post.author.name })}</span>
        <span aria-hidden="true">{likes > 0 ? number(likes) : t('learning.like')}</span>
        <span className="sr-only">{t('learning.likes', { count: likes })}</span>
      </button>
      {fetcher.isMissing ? <NeedsNetwork /> : null}
    </form>
  );
}

function Delete({ post }: { post: Post }) {
  const { t } = useText();
  const fetcher = useQuietFetcher();
  const farewell = useRef<string | null>(null);
  farewell.current = fetcher.state === 'idle' ? null : t('learning.post_deleted');
  // Unmounting removes the focused button with the deleted post, so move the focus.
  useEffect(
    () => () => {
      if (!farewell.current) return;
      announce(farewell.current);
      document.getElementById('discussion')?.focus({ preventScroll: true });
    },
    [],
  );
  return (
    <form method="post" onSubmit={fetcher.send}>
      <input type="hidden" name="target" value={post.id} />
      <input type="hidden" name="depth" value={post.depth} />
      <p className="mb-3">
        {post.depth === 0
          ? t('learning.delete_contribution', { count: post.replies.length })
          : t('learning.delete_reply')}
      </p>
      {fetcher.isMissing ? <NeedsNetwork /> : null}
      <Button name="act" value="delete" look="danger" isBusy={fetcher.state !== 'idle'}>
        {t('learning.delete_now')}
      </Button>
    </form>
  );
}
