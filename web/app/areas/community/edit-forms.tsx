import { Link } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { PostData, ReplyData, Source } from './model.ts';
import { queryOfThread, type ThreadAddress } from './thread-address.ts';
import { BodyField, CategoryFields } from './write-fields.tsx';

type PostProps = { post: PostData; categories: string[]; source: Source; address: ThreadAddress };

/** Edits a post in place. */
export function PostEditor({ post, categories, source, address }: PostProps) {
  const { t } = useText();
  return (
    <SmartForm intent="edit-post" encType="multipart/form-data" className="mt-5 grid gap-5">
      <AdditionalData source={source} />
      <Field
        name="title"
        label={t('community.title')}
        defaultValue={post.title ?? ''}
        maxLength={300}
        dir="auto"
        autoComplete="off"
      />
      <BodyField label={t('community.body')} body={source.body} people={post.people} rows={8} autoFocus />
      <CategoryFields categories={categories} chosen={post.categories} />
      <SaveOrLeave intent="edit-post" to={queryOfThread(address)} />
    </SmartForm>
  );
}

/** Edits a reply in place. */
export function ReplyEditor({ reply, source, address }: { reply: ReplyData; source: Source; address: ThreadAddress }) {
  const { t } = useText();
  const intent = `edit-reply-${reply.id}`;
  return (
    <SmartForm intent={intent} encType="multipart/form-data" className="mt-3 grid gap-4">
      <input type="hidden" name="target" value={reply.id} />
      <AdditionalData source={source} />
      <BodyField label={t('community.reply_edit')} body={source.body} people={reply.people} autoFocus />
      <SaveOrLeave intent={intent} to={`${queryOfThread(address)}#${reply.id}`} />
    </SmartForm>
  );
}

function AdditionalData({ source }: { source: Source }) {
  if (Object.keys(source.additional).length === 0) return null;
  return <input type="hidden" name="additional" value={JSON.stringify(source.additional)} />;
}

function SaveOrLeave({ intent, to }: { intent: string; to: string }) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting(intent);
  return (
    <div className="flex flex-wrap gap-3">
      <Button isBusy={isSubmitting}>{t('common.save')}</Button>
      <Link to={to} preventScrollReset className="btn btn-quiet">
        {t('common.cancel')}
      </Link>
    </div>
  );
}
