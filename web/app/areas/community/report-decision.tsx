import { type SubmitEvent } from 'react';
import { Form } from 'react-router';
import { SmartForm, useFormState, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { startDeletion } from '../../ui/deletion.ts';
import { ReasonFields } from './reasons.tsx';
import { deletionOf, whyOf } from './removal-call.ts';
import type { listReports } from '@officium/contract/moderation';
import type { ReplyOf } from '@officium/contract/endpoint';

const REMOVED = { activity: 'post', reaction: 'reply', article: 'article' } as const;
const REMOVE = {
  activity: 'community.remove_post',
  reaction: 'community.remove_reply',
  article: 'moderation.article_remove',
} as const;

type Thing = ReplyOf<typeof listReports>['things'][number];
type Props = { thing: Pick<Thing, 'id' | 'kind' | 'canRemove'>; slug?: string; name: string };

/** Keeps reported content with one press, or removes it with a reason. */
export function ReportDecision({ thing, slug, name }: Props) {
  const { t } = useText();
  const intent = `remove-${thing.id}`;
  const isRefused = useFormState()?.values?.['intent'] === intent;
  const { isSubmitting } = useSubmitting(intent);
  const confirm = (event: SubmitEvent<HTMLFormElement>) => {
    const why = whyOf(event.currentTarget);
    if (!why) return; // the server reports what is missing
    event.preventDefault();
    startDeletion(thing.id, deletionOf({ slug, kind: REMOVED[thing.kind], id: thing.id, why }));
  };
  const about = (
    <>
      <input type="hidden" name="target" value={thing.id} />
      <input type="hidden" name="kind" value={thing.kind} />
    </>
  );
  return (
    <div className="mt-5 flex flex-wrap items-start gap-3 border-t border-line pt-4">
      <Form method="post">
        {about}
        <Button look="secondary" name="intent" value="keep">
          {t('thread.reports_keep')}
          <span className="sr-only">: {name}</span>
        </Button>
      </Form>
      {thing.canRemove ? (
        <details className="group min-w-0 open:basis-full" open={isRefused}>
          <summary className="btn btn-danger">
            {t('thread.reports_remove')}
            <span className="sr-only">: {name}</span>
          </summary>
          <SmartForm intent={intent} onSubmit={confirm} className="mt-4 grid gap-4">
            {about}
            <ReasonFields question={t('thread.remove_why')} noteHint={t('thread.remove_note_hint')} />
            <div>
              <Button look="danger" isBusy={isSubmitting}>
                {t(REMOVE[thing.kind])}
              </Button>
            </div>
          </SmartForm>
        </details>
      ) : (
        <p className="text-sm text-muted">
          {t(slug === undefined ? 'moderation.admin_spare' : 'thread.reports_spare')}
        </p>
      )}
    </div>
  );
}
