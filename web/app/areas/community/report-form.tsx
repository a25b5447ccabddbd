import { Link } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { ReasonFields } from './reasons.tsx';
import { useOpened } from './use-opened.ts';
import { queryOfThread, type ThreadAddress } from './thread-address.ts';

type Props = {
  /** Id of the post or reply to report. */
  id: string;
  isReply?: boolean;
  address: ThreadAddress;
};

/** Reports a post or a reply in place. */
export function ReportForm({ id, isReply, address }: Props) {
  const { t } = useText();
  const intent = `report-${id}`;
  const { isSubmitting } = useSubmitting(intent);
  const box = useOpened();
  const title = t(isReply ? 'thread.report_reply_title' : 'thread.report_post_title');
  return (
    <section
      ref={box}
      tabIndex={-1}
      id={`report-form-${id}`}
      aria-label={title}
      className="mt-4 rounded border-s-4 border-marigold bg-card p-4 sm:p-5"
    >
      <SmartForm intent={intent} className="grid gap-4">
        <input type="hidden" name="target" value={id} />
        <input type="hidden" name="kind" value={isReply ? 'reaction' : 'activity'} />
        <p className="text-lg font-semibold">{title}</p>
        <ReasonFields question={t('thread.report_why')} noteHint={t('thread.report_note_hint')} />
        <div className="flex flex-wrap gap-3">
          <Button isBusy={isSubmitting}>{t('thread.report_send')}</Button>
          <Link to={queryOfThread(address) + (isReply ? `#${id}` : '')} preventScrollReset className="btn btn-quiet">
            {t('common.cancel')}
          </Link>
        </div>
      </SmartForm>
    </section>
  );
}
