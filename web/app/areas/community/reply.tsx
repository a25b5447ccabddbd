import { useEffect } from 'react';
import { Link, useLocation, useRevalidator } from 'react-router';
import { useText } from '../../text.tsx';
import { Muted } from '../../ui/muted.tsx';
import { Byline, isSamePerson } from '../../ui/person.tsx';
import { RichText } from '../../ui/rich-text.tsx';
import { Tag } from '../../ui/tag.tsx';
import { Time } from '../../ui/time.tsx';
import { TextTranslationLine, useTranslation } from '../../ui/translated.tsx';
import { Removal, ReportForm } from './lazy-forms.tsx';
import { ReplyEditor } from './edit-forms.tsx';
import { useDeletionState } from '../../ui/deletion.ts';
import { DeletionNotice } from '../../ui/deletion-notice.tsx';
import { Like } from './like.tsx';
import type { CommunityData, PageViewer, ReplyData } from './model.ts';
import { ReplyForm } from './reply-form.tsx';
import { RoleTag } from './role-tag.tsx';
import { queriesOfTranslation, queryOfReply, queryOfThread, type ThreadAddress } from './thread-address.ts';

type Props = {
  reply: ReplyData;
  community: CommunityData;
  viewer: PageViewer;
  address: ThreadAddress;
  /** Id of the author of the post. */
  author: string;
};
type SaidProps = Props & { by: NonNullable<ReplyData['author']> };

const DEEPEST = 3;

/** A reply and the replies below it. */
export function Reply(props: Props) {
  const { reply, address } = props;
  const { t } = useText();
  const isTop = reply.level === 1;
  return (
    <li id={reply.id} tabIndex={-1} className={`scroll-mt-20 outline-none ${isTop ? 'py-5' : 'pt-4'}`}>
      {reply.isDeleted || !reply.author ? (
        <p className="py-1 text-muted italic">{t('community.reply_gone')}</p>
      ) : (
        <Said {...props} by={reply.author} />
      )}
      {reply.children.length || reply.unseen ? (
        <ol className="mt-1 ms-1 border-s-2 border-line ps-4 sm:ms-4 sm:ps-6">
          {reply.hasBefore ? (
            <li className="pt-3">
              <Link to={queryOfReply(reply.id)} preventScrollReset className="link py-1.5">
                {t('community.replies_first')}
              </Link>
            </li>
          ) : null}
          {reply.children.map((child) => (
            <Reply key={child.id} {...props} reply={child} />
          ))}
          {reply.unseen && reply.level < DEEPEST ? <Further reply={reply} address={address} /> : null}
        </ol>
      ) : null}
    </li>
  );
}

/** Links to the replies that are not shown: all of them or, beyond one page, the next. */
function Further({ reply, address }: Pick<Props, 'reply' | 'address'>) {
  const { t } = useText();
  const last = reply.children.at(-1);
  // A page that starts further down also omits earlier replies; the link above the first one covers those.
  if (reply.hasBefore && !reply.hasAfter) return null;
  const to =
    reply.hasAfter && last ? queryOfReply(last.id) : `${queryOfThread({ ...address, open: reply.id })}#${reply.id}`;
  return (
    <li className="pt-3">
      <Link to={to} preventScrollReset className="link py-1.5">
        {reply.hasAfter ? t('community.replies_later') : t('community.replies_more', { count: reply.unseen })}
      </Link>
    </li>
  );
}

function Said(props: SaidProps) {
  const { reply, by, community, author, viewer, address } = props;
  const { t } = useText();
  const { hash } = useLocation();
  // `:target` matches only addresses the browser itself navigated to.
  const isMeant = address.at === reply.id && hash === `#${reply.id}`;
  const deletion = useDeletionState(reply.id);
  useReloadWhenDeleted(deletion === 'gone');
  if (deletion === 'gone') return <p className="py-1 text-muted italic">{t('community.reply_gone')}</p>;
  if (deletion && deletion !== 'failed')
    return (
      <DeletionNotice id={reply.id} state={deletion}>
        {t('thread.going_reply')}
      </DeletionNotice>
    );
  const said = (
    <>
      <Byline person={by} size={reply.level === 1 ? 40 : 32} isPlain>
        {isSamePerson(by.id, author) ? <Tag>{t('thread.author')}</Tag> : null}
        <RoleTag community={community} id={by.id} />
        <a
          href={queryOfReply(reply.id)}
          data-in-place
          className="inline-block py-0.5 hover:text-accent hover:underline"
        >
          <Time value={reply.createdAt} />
        </a>
        {reply.isEdited ? <span>{t('community.edited')}</span> : null}
      </Byline>
      {deletion === 'failed' ? (
        <p role="alert" className="mt-2 font-semibold text-danger">
          {t('thread.not_deleted')}
        </p>
      ) : null}
      <Words {...props} />
      <Forms {...props} />
    </>
  );
  return (
    <article className={`-mx-3 rounded px-3 pt-1 [:target>&]:bg-accent-soft/60 ${isMeant ? 'bg-accent-soft/60' : ''}`}>
      {viewer?.muted?.includes(by.id) ? <Muted name={by.name}>{said}</Muted> : said}
    </article>
  );
}

/** Reloads the thread once a reply is deleted. */
function useReloadWhenDeleted(isGone: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isGone) return;
    document.getElementById('replies-title')?.focus({ preventScroll: true });
    void revalidate();
  }, [isGone, revalidate]);
}

function Words({ reply, address }: SaidProps) {
  const translation = useTranslation(reply.id);
  if (address.edit === reply.id && reply.can.edit && reply.source)
    return <ReplyEditor reply={reply} source={reply.source} address={address} />;
  return (
    <div className="mt-2">
      <RichText
        html={translation?.bodyHtml ?? reply.html}
        people={reply.people}
        lang={translation?.locale ?? reply.locale}
        isCompact
      />
      <TextTranslationLine
        id={reply.id}
        lang={reply.locale}
        {...queriesOfTranslation(address, reply.id)}
        name={reply.author?.name}
      />
    </div>
  );
}

/** The actions on a reply, and the form that is open. */
function Forms({ reply, by, community, viewer, address }: SaidProps) {
  const { t } = useText();
  const { slug } = community;
  const { can } = reply;
  if (address.remove === reply.id && can.delete)
    return (
      <Removal
        slug={slug}
        kind="reply"
        id={reply.id}
        replies={reply.children.length + reply.unseen}
        address={address}
        isOthers={by.id !== viewer?.id}
      />
    );
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5 text-sm text-muted">
        <Like community={slug} id={reply.id} isReply count={reply.likes} own={reply.ownLike} canLike={can.react} />
        {can.reply ? <Open form="reply" {...{ reply, by, address }} label={t('community.reply')} /> : null}
        {can.edit ? <Open form="edit" {...{ reply, by, address }} label={t('common.edit')} /> : null}
        {can.report ? <Open form="report" {...{ reply, by, address }} label={t('thread.report')} /> : null}
        {can.delete ? <Open form="remove" {...{ reply, by, address }} label={t('common.delete')} /> : null}
      </div>
      {address.reply === reply.id && can.reply ? (
        <div className="mt-2 border-s-4 border-marigold ps-4">
          <ReplyForm
            intent={`reply-${reply.id}`}
            label={t('community.reply_to', { name: by.name })}
            parent={reply.id}
            cancel={`${queryOfThread(address)}#${reply.id}`}
          />
        </div>
      ) : null}
      {address.report === reply.id && can.report ? <ReportForm id={reply.id} isReply address={address} /> : null}
    </>
  );
}

type OpenProps = Pick<SaidProps, 'reply' | 'by' | 'address'> & {
  form: 'reply' | 'edit' | 'report' | 'remove';
  label: string;
};

/** Opens a form in place; its label names the author of the reply, because there are many such links. */
function Open({ form, label, reply, by, address }: OpenProps) {
  return (
    <a
      href={`${queryOfThread(address, { [form]: reply.id })}#${reply.id}`}
      data-in-place
      className="inline-flex min-h-11 items-center hover:text-accent hover:underline"
    >
      {label}
      <span className="sr-only">: {by.name}</span>
    </a>
  );
}
