import { useSyncExternalStore, type SubmitEvent } from 'react';
import { Link, useNavigate } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { startDeletion } from '../../ui/deletion.ts';
import { useOpened } from './use-opened.ts';
import { ReasonFields } from './reasons.tsx';
import { deletionOf, whyOf, type Removed } from './removal-call.ts';
import { queryOfThread, type ThreadAddress } from './thread-address.ts';

type Props = {
  slug: string;
  kind: Exclude<Removed['kind'], 'article'>;
  id: string;
  /** Number of replies that are deleted with it, or stay without it. */
  replies: number;
  address: ThreadAddress;
  /** Written by someone else: a moderator must give a reason. */
  isOthers: boolean;
};

/** Asks for confirmation and states what else is deleted. With script, deletion can be undone for a while. */
export function Removal({ slug, kind, id, replies, address, isOthers }: Props) {
  const { t } = useText();
  const navigate = useNavigate();
  const intent = `remove-${kind}`;
  const { isSubmitting } = useSubmitting(intent);
  const box = useOpened();
  const hasScript = useSyncExternalStore(noChange, yes, no);
  const back = queryOfThread(address) + (kind === 'reply' ? `#${id}` : '');
  const confirm = (event: SubmitEvent<HTMLFormElement>) => {
    const why = isOthers ? whyOf(event.currentTarget) : undefined;
    if (isOthers && !why) return; // the server reports what is missing
    event.preventDefault();
    startDeletion(id, deletionOf({ slug, kind, id, why }));
    void navigate(back, { replace: true, preventScrollReset: true });
  };
  return (
    <section
      ref={box}
      tabIndex={-1}
      aria-label={t(`community.remove_${kind}_title`)}
      className="mt-4 rounded border-s-4 border-danger bg-danger-soft p-4"
    >
      <SmartForm intent={intent} onSubmit={confirm} className="grid gap-3">
        <input type="hidden" name="target" value={id} />
        <div>
          <p className="font-semibold">{t(`community.remove_${kind}_title`)}</p>
          <p>
            {t(`community.remove_${kind}_text`, { count: replies })} {hasScript ? null : t('thread.remove_final')}
          </p>
        </div>
        {isOthers ? <ReasonFields question={t('thread.remove_why')} noteHint={t('thread.remove_note_hint')} /> : null}
        <div className="flex flex-wrap gap-3">
          <Button look="danger" isBusy={isSubmitting}>
            {t(`community.remove_${kind}`)}
          </Button>
          <Link to={back} preventScrollReset className="btn btn-quiet">
            {t('community.keep')}
          </Link>
        </div>
      </SmartForm>
    </section>
  );
}

const noChange = () => () => undefined;
const yes = () => true;
const no = () => false;
